import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { channelName } from '#core/contract.ts'
import { api } from '#web/api.ts'
import { initialAnswer } from '#web/page-data.ts'
import { useChannel } from '#web/realtime.ts'
import {
  channels,
  chat,
  type GroupChange,
  type GroupMessageEvent,
  type PrivateMessage,
  type Unread,
} from '../contract.ts'
import {
  type ConversationRef,
  chatState,
  clearUnread,
  conversationKey,
  countArrival,
  setGroupChange,
  setLastMessage,
  setUnread,
  unreadOf,
} from './chat-state.ts'
import { reloadList, setInitialLists } from './conversation-lists.ts'

// The only place that listens to the channel of the current user. What happens in any conversation
// arrives here and goes into the chat state, and to the conversation that is shown.

type LiveMessage = PrivateMessage | GroupMessageEvent
interface ConversationListener {
  messageArrived(row: LiveMessage): void
  groupChanged(change: GroupChange): void
}
const listeners = new Map<string, ConversationListener>()

/** Passes on what happens in one conversation. Returns how to stop. */
export function listenToConversation(conversation: ConversationRef, listener: ConversationListener) {
  const key = conversationKey(conversation)
  listeners.set(key, listener)
  return () => {
    if (listeners.get(key) === listener) listeners.delete(key)
  }
}

/** Whether a view shows the conversation. */
export const isListening = (conversation: ConversationRef) => listeners.has(conversationKey(conversation))

const initialUnread = initialAnswer(chat.unread)?.body as Unread | undefined
if (initialUnread) chatState.patch({ unread: initialUnread })

interface UnreadChange {
  userId: number | null
  groupId: number | null
  unread: number
}

/** Keeps the chat state up to date for as long as the app is open. `me` is the id of the current user. */
export function useChatEvents(me: number | null) {
  const client = useQueryClient()
  // Before the first page is rendered.
  useState(() => setInitialLists(client))
  useEffect(() => {
    if (me !== null) return clearUnread
  }, [me])

  function changed(row: LiveMessage) {
    const conversation = conversationOf(row, me)
    listeners.get(conversationKey(conversation))?.messageArrived(row)
    if (!setLastMessage(conversation, toLast(row))) reloadList(client, conversation.kind)
    return conversation
  }
  function sent(row: LiveMessage) {
    const conversation = changed(row)
    if (authorOf(row) === me) return
    countArrival(conversation)
    // The last answer may have counted the message already.
    if (Date.now() - fetchedAt < LATE_EVENTS) void fetchUnread()
  }
  function edited(row: LiveMessage) {
    const conversation = changed(row)
    if (row.deleted_at && unreadOf(conversation)) void fetchUnread()
  }
  function groupChanged({ groupId: id, change }: { groupId: number; change: GroupChange }) {
    listeners.get(conversationKey({ kind: 'groups', id }))?.groupChanged(change)
    const isMine = change.person?.id === me || change.kind === 'deleted'
    if (isMine) void fetchUnread()
    if (isMine || change.kind === 'created') reloadList(client, 'groups')
    else setGroupChange(id, change)
  }

  useChannel(me === null ? null : channelName(channels.user, { user: me }), {
    subscribed() {
      void fetchUnread()
      reloadList(client, 'private')
      reloadList(client, 'groups')
    },
    events: {
      PrivateMessageSent: sent,
      PrivateMessageChanged: edited,
      GroupMessageSent: sent,
      GroupMessageChanged: edited,
      GroupChanged: groupChanged,
      UnreadChanged: ({ userId, groupId, unread }: UnreadChange) =>
        setUnread(
          userId === null ? { kind: 'groups', id: groupId! } : { kind: 'private', id: userId },
          unread,
        ),
    },
  })
}

const authorOf = (row: LiveMessage) => ('user' in row ? row.userId : row.from_user_id)

function conversationOf(row: LiveMessage, me: number | null): ConversationRef {
  if ('user' in row) return { kind: 'groups', id: row.groupId }
  return { kind: 'private', id: row.from_user_id === me ? row.to_user_id : row.from_user_id }
}

/** Lists show the author's name in groups only. */
const toLast = (row: LiveMessage) => ({
  id: row.id,
  user_id: authorOf(row),
  name: 'user' in row ? row.user.name : '',
  message: row.message,
  images_count: row.images.length,
  deleted_at: row.deleted_at,
  created_at: row.created_at,
})

/** Milliseconds after an answer in which an event may arrive that is older than the answer. */
const LATE_EVENTS = 2000
let fetchedAt = 0
let isFetching = false
let isOutdated = false

/**
 * Fetches all counts. A count that changes during the request may not be in the answer: then it asks again.
 */
async function fetchUnread() {
  isOutdated = true
  if (isFetching) return
  isFetching = true
  try {
    while (isOutdated) {
      const before = chatState.get().unread
      isOutdated = false
      const unread = await api(chat.unread, {})
      fetchedAt = Date.now()
      if (chatState.get().unread === before) chatState.patch({ unread })
      else isOutdated = true
    }
  } catch {
    // The next subscription asks again.
  } finally {
    isFetching = false
  }
}
