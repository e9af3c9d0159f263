import { useEffect } from 'react'
import { channelName } from '#core/contract.ts'
import { api } from '#web/api.ts'
import { initialAnswer } from '#web/page-data.ts'
import { useChannel } from '#web/realtime.ts'
import { createStore, useStore } from '#web/store.ts'
import {
  channels,
  chat,
  type GroupChange,
  type GroupMessageEvent,
  MOST_UNREAD,
  type PrivateMessage,
  type Unread,
} from '../contract.ts'

/** Names a conversation by the id of the other person, or of the group. */
export interface ConversationRef {
  kind: 'private' | 'groups'
  id: number
}
export const conversationKey = ({ kind, id }: ConversationRef) => `${kind} ${id}`

const none: Unread = { private: {}, groups: {} }
const unread = createStore((initialAnswer(chat.unread)?.body as Unread | undefined) ?? none)
/** The conversation that is on the screen: a message in it never counts as unread. */
let watched: string | null = null
/** A count changed while a request for all counts was under way: its answer is too old to use. */
let stale = false
let asking = false
/** Increases when another person logs in, so that an answer for the one before is dropped. */
let generation = 0

function setCount({ kind, id }: ConversationRef, count: (before: number) => number) {
  stale = true
  const counts = unread.get()[kind]
  unread.patch({ [kind]: { ...counts, [id]: Math.min(count(counts[id] ?? 0), MOST_UNREAD) } })
}

async function ask() {
  if (asking) {
    stale = true
    return
  }
  asking = true
  const mine = generation
  try {
    do {
      stale = false
      const answer = await api(chat.unread, {})
      if (mine === generation && !stale) unread.set(answer)
    } while (stale && mine === generation)
  } catch {
    // The next subscription asks again.
  } finally {
    asking = false
  }
}

const arrived = (conversation: ConversationRef) => {
  if (conversationKey(conversation) !== watched) setCount(conversation, (before) => before + 1)
}

/** Keeps the counts current for as long as the app is open. Forgets them when the member logs out. */
export function useWatchUnread(me: number | null) {
  useEffect(() => {
    if (me !== null) return forgetUnread
  }, [me])
  useChannel(me === null ? null : channelName(channels.user, { user: me }), {
    subscribed: () => void ask(),
    events: {
      PrivateMessageSent: ({ from_user_id: id }: PrivateMessage) =>
        id === me || arrived({ kind: 'private', id }),
      GroupMessageSent: ({ userId, groupId: id }: GroupMessageEvent) =>
        userId === me || arrived({ kind: 'groups', id }),
      PrivateMessageChanged: ({ deleted_at, from_user_id: id }: PrivateMessage) =>
        deleted_at && unreadAt({ kind: 'private', id }) && ask(),
      GroupMessageChanged: ({ deleted_at, groupId: id }: GroupMessageEvent) =>
        deleted_at && unreadAt({ kind: 'groups', id }) && ask(),
      GroupChanged: ({ change }: { change: GroupChange }) =>
        (change.kind === 'deleted' || change.person?.id === me) && ask(),
      UnreadChanged: ({
        userId,
        groupId,
        unread: count,
      }: {
        userId: number | null
        groupId: number | null
        unread: number
      }) =>
        setCount(
          userId === null ? { kind: 'groups', id: groupId! } : { kind: 'private', id: userId },
          () => count,
        ),
    },
  })
}

function forgetUnread() {
  generation++
  asking = false
  unread.set(none)
}

/** Says which conversation is shown to its end, and so is being read; `null` is none. */
export function watchConversation(conversation: ConversationRef | null) {
  watched = conversation && conversationKey(conversation)
}

/** Changes the badges of a conversation at once. The caller tells the server. */
export const markRead = (conversation: ConversationRef, left: number) => setCount(conversation, () => left)

/** How many messages of a conversation are unread now. */
export const unreadAt = ({ kind, id }: ConversationRef) => unread.get()[kind][id] ?? 0

export const useUnread = () => useStore(unread)

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((all, count) => all + count, 0)
/** How many messages are unread: in conversations of one kind, or in all. */
export function useUnreadSum(kind?: ConversationRef['kind']) {
  const { private: pairs, groups } = useUnread()
  return (kind === 'groups' ? 0 : sum(pairs)) + (kind === 'private' ? 0 : sum(groups))
}
