import { useEffect, useState } from 'react'
import { channelName } from '#core/contract.ts'
import type { Me } from '#features/people/contract.ts'
import { whenReconnected } from '#web/connection.ts'
import { useChannel } from '#web/realtime.ts'
import { useStore } from '#web/store.ts'
import { channels, pairOf } from '../contract.ts'
import { listenToConversation } from './chat-events.ts'
import { type ConversationRef, conversationKey } from './chat-state.ts'
import { createMessageStore, type MessageStore } from './message-store.ts'

/** Every conversation that was opened keeps its messages until the page is left or another member logs in. */
const stores = new Map<string, MessageStore>()
function storeOf(conversation: ConversationRef, me: Me) {
  const key = conversationKey(conversation)
  const known = stores.get(key)
  if (known?.me.id === me.id && !known.state.get().isClosed) return known
  const created = createMessageStore(conversation, me)
  stores.set(key, created)
  return created
}

/** The channel of a conversation, which all its members subscribe to. */
export const channelOf = ({ kind, id }: ConversationRef, me: number) =>
  kind === 'private' ? channelName(channels.pair, pairOf(id, me)) : channelName(channels.group, { group: id })

/** The store of a conversation, kept up to date while it is shown. */
export function useMessageStore(conversation: ConversationRef, me: Me) {
  // The visit begins before the first render, which would else show the state of the last visit.
  const [store] = useState(() => {
    const opened = storeOf(conversation, me)
    opened.beginVisit()
    return opened
  })
  const state = useStore(store.state)
  useEffect(() => {
    if (store.state.get().status !== 'ready') void store.sync()
    return listenToConversation(store.conversation, store)
  }, [store])
  useEffect(() => whenReconnected(store.resumeSending), [store])
  useChannel(channelName(channels.user, { user: me.id }), {
    subscribed: () => void store.sync().then(store.resumeSending),
  })
  useChannel(state.info ? channelOf(conversation, me.id) : null, {
    refused: (status) => status === 403 && store.close(),
    events: {
      MessagesRead: ({ user_id, last_read_id }: { user_id: number; last_read_id: number }) =>
        store.readByOther(user_id, last_read_id),
    },
  })
  return { store, state }
}
