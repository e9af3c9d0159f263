import { useEffect, useState, useSyncExternalStore } from 'react'
import { channelName } from '#core/contract.ts'
import type { Me } from '#features/people/contract.ts'
import { whenReconnected } from '#web/connection.ts'
import { useChannel } from '#web/realtime.ts'
import { type ConversationRef, conversationKey } from '#web/unread.ts'
import {
  channels,
  type GroupChange,
  type GroupMessageEvent,
  type PrivateMessage,
  pairOf,
} from '../contract.ts'
import { createMessageStore, type MessageStore } from './message-store.tsx'

/** Threads stay as they are while one looks at another; those of somebody else are forgotten. */
const threads = new Map<string, MessageStore>()
function threadOf(place: ConversationRef, me: Me) {
  const key = conversationKey(place)
  const kept = threads.get(key)
  if (kept?.me.id === me.id && !kept.isShut()) return kept
  const opened = createMessageStore(place, me)
  threads.set(key, opened)
  return opened
}

/** The channel of the chat itself, where its people whisper. */
export const channelOf = ({ kind, id }: ConversationRef, me: number) =>
  kind === 'private' ? channelName(channels.pair, pairOf(id, me)) : channelName(channels.group, { group: id })

/** A chat, kept right by the live line while it is shown. */
export function useMessageStore(place: ConversationRef, me: Me) {
  // Before anything is drawn, and so taken for read, from the last visit.
  const [thread] = useState(() => {
    const opened = threadOf(place, me)
    opened.reopen()
    return opened
  })
  const now = useSyncExternalStore(thread.subscribe, thread.get)
  useEffect(() => {
    if (thread.get().status !== 'there') void thread.sync()
  }, [thread])

  useEffect(() => whenReconnected(thread.resume), [thread])

  const isHere = (other: number) => place.kind === 'private' && other === place.id
  const ofPair = (row: PrivateMessage) =>
    isHere(row.from_user_id === me.id ? row.to_user_id : row.from_user_id) && thread.arrived(row)
  const ofGroup = (row: GroupMessageEvent) =>
    place.kind === 'groups' && row.groupId === place.id && thread.arrived(row)
  useChannel(channelName(channels.user, { user: me.id }), {
    subscribed: () => void thread.sync().then(thread.resume),
    events: {
      PrivateMessageSent: ofPair,
      PrivateMessageChanged: ofPair,
      GroupMessageSent: ofGroup,
      GroupMessageChanged: ofGroup,
      GroupChanged: ({ groupId, change }: { groupId: number; change: GroupChange }) =>
        place.kind === 'groups' && groupId === place.id && thread.groupChanged(change),
    },
  })
  useChannel(now.about ? channelOf(place, me.id) : null, {
    refused: (status) => status === 403 && thread.shut(),
    events: {
      MessagesRead: ({ user_id, last_read_id }: { user_id: number; last_read_id: number }) =>
        thread.readBy(user_id, last_read_id),
    },
  })
  return { thread, now }
}
