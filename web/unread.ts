import { useSyncExternalStore } from 'react'
import { channelName } from '#core/contract.ts'
import {
  channels,
  chat,
  type GroupChange,
  type GroupMessageEvent,
  MOST_UNREAD,
  type PrivateMessage,
  type Unread,
} from '#features/chat/contract.ts'
import { api } from '#web/api.ts'
import { initialAnswer } from '#web/page-data.ts'
import { useChannel } from '#web/realtime.ts'

/** A conversation: the other's id, or the group's. */
export interface ConversationRef {
  kind: 'private' | 'groups'
  id: number
}
export const conversationKey = ({ kind, id }: ConversationRef) => `${kind} ${id}`

const none: Unread = { private: {}, groups: {} }
let unread = (initialAnswer(chat.unread)?.body as Unread | undefined) ?? none
/** What is being read this moment, so that a message there is never counted first. */
let watched: string | null = null
/** Counted while the answer of the server was on its way: that answer is asked for once more. */
let stale = false
let asking = false
/** Whose counts they are: another number for everybody who logs in. */
let generation = 0
const listeners = new Set<() => void>()

function put(next: Unread) {
  unread = next
  for (const told of listeners) told()
}

function setCount({ kind, id }: ConversationRef, count: (before: number) => number) {
  stale = true
  put({ ...unread, [kind]: { ...unread[kind], [id]: Math.min(count(unread[kind][id] ?? 0), MOST_UNREAD) } })
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
      if (mine === generation && !stale) put(answer)
    } while (stale && mine === generation)
  } catch {
    // The next gap that is closed asks again.
  } finally {
    asking = false
  }
}

const arrived = (place: ConversationRef) => {
  if (conversationKey(place) !== watched) setCount(place, (before) => before + 1)
}

/** Keeps the counts right in every window: for the shell alone. */
export function useWatchUnread(me: number | null) {
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

/** Somebody else is here now, or nobody. */
export function forgetUnread() {
  generation++
  asking = false
  put(none)
}

/** A conversation is read while it is shown to its end; `null` is none. */
export function watchConversation(place: ConversationRef | null) {
  watched = place && conversationKey(place)
}

/** Its badges change at once; the server is told by the one who calls. */
export const markRead = (place: ConversationRef, left: number) => setCount(place, () => left)

/** How much is unread there now. */
export const unreadAt = ({ kind, id }: ConversationRef) => unread[kind][id] ?? 0

const subscribe = (told: () => void) => {
  listeners.add(told)
  return () => listeners.delete(told)
}
export const useUnread = () => useSyncExternalStore(subscribe, () => unread)

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((all, count) => all + count, 0)
/** All together, of one kind or of both. */
export function useUnreadSum(kind?: ConversationRef['kind']) {
  const { private: pairs, groups } = useUnread()
  return (kind === 'groups' ? 0 : sum(pairs)) + (kind === 'private' ? 0 : sum(groups))
}
export const shownCount = (count: number) => (count >= MOST_UNREAD ? `${MOST_UNREAD - 1}+` : String(count))
