import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { channelName, type Endpoint } from '#core/contract.ts'
import { type Listed, type Person, people } from '#features/people/contract.ts'
import { api, apiPage, type Rows } from '#web/api.ts'
import { initialAnswer } from '#web/page-data.ts'
import { useChannel } from '#web/realtime.ts'
import { useStore } from '#web/store.ts'
import {
  type Conversation,
  channels,
  chat,
  type GroupChange,
  type GroupMessageEvent,
  groups,
  type MyGroup,
  type PrivateMessage,
  type Unread,
} from '../contract.ts'
import {
  type ConversationRef,
  chatState,
  clearUnread,
  conversationKey,
  countArrival,
  type ListedConversation,
  setGroupChange,
  setLastMessage,
  setList,
  setUnread,
  unreadOf,
} from './chat-state.ts'

// Loads the chat state, and is the only place that listens to the channel of the current user.

// ── Live events ─────────────────────────────────────────────────────────────

type LiveMessage = PrivateMessage | GroupMessageEvent
interface ConversationListener {
  messageArrived(row: LiveMessage): void
  groupChanged(change: GroupChange): void
  accessChanged(): void
}
const listeners = new Map<string, ConversationListener>()

/** Passes the events of one conversation on. Returns how to stop. */
export function listenToConversation(conversation: ConversationRef, listener: ConversationListener) {
  const key = conversationKey(conversation)
  listeners.set(key, listener)
  return () => {
    if (listeners.get(key) === listener) listeners.delete(key)
  }
}

/** Whether a view shows the conversation. */
export const isListening = (conversation: ConversationRef) => listeners.has(conversationKey(conversation))

type UnreadChange = { userId: number | null; groupId: number | null; unread: number }

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
      ChatAccessChanged: ({ userId: id }: { userId: number }) =>
        listeners.get(conversationKey({ kind: 'private', id }))?.accessChanged(),
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

// ── Unread counts ───────────────────────────────────────────────────────────

const initialUnread = initialAnswer(chat.unread)?.body as Unread | undefined
if (initialUnread) chatState.patch({ unread: initialUnread })

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

// ── Lists of conversations ──────────────────────────────────────────────────

type Kind = ConversationRef['kind']

const MOST_PAGES = 20
const OPTIONS = { staleTime: 30_000, gcTime: Number.POSITIVE_INFINITY }

/** Loads all pages of a list: one user has a few. */
async function allPages<T>(endpoint: Endpoint) {
  const all: T[] = []
  let from: string | null = null
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = (await apiPage(endpoint, {}, from)) as Rows<T[]>
    all.push(...page.rows)
    from = page.next
    if (!from) break
  }
  return all
}

/** The rows that came with the page, unless they are only the first of several pages. */
function initialRows<T>(endpoint: Endpoint) {
  const answer = initialAnswer(endpoint)
  return answer && !answer.next ? (answer.body as T[]) : undefined
}

/** A private chat that nobody has written in. */
export const withoutMessages = (user: Person) => toListed({ user, followed: true, last_message: null })

function toListed(row: Conversation | MyGroup): ListedConversation {
  const last = row.last_message
  if ('user' in row) {
    const { id, name } = row.user
    return { kind: 'private', id, name, person: row.user, membersCount: 2, last, added: null }
  }
  const { id, name, members_count: membersCount } = row
  const added = { at: row.added_at, by: row.added_by }
  return { kind: 'groups', id, name, person: null, membersCount, last, added }
}

const endpoints = { private: chat.conversations, groups: groups.mine }
const keyOf = (kind: Kind) => [endpoints[kind].path]

/** Takes over the lists that came with the page. */
function setInitialLists(client: QueryClient) {
  for (const kind of ['private', 'groups'] as const) {
    const rows = initialRows<Conversation | MyGroup>(endpoints[kind])
    if (!rows) continue
    setList(kind, rows.map(toListed))
    client.setQueryData(keyOf(kind), true)
  }
}

/** Loads a list again where it is shown, and else when it is shown next. */
const reloadList = (client: QueryClient, kind: Kind) =>
  void client.invalidateQueries({ queryKey: keyOf(kind) })

/**
 * A list of conversations. The query only loads it; the rows are in the chat state, where events change them.
 * Without an answer to the query the rows are not shown: they may be those of another user.
 */
export function useConversationList(kind: Kind, enabled = true) {
  const { data, error, isFetching, refetch } = useQuery({
    enabled,
    queryKey: keyOf(kind),
    async queryFn({ signal }) {
      const rows = await allPages<Conversation | MyGroup>(endpoints[kind])
      // Another user may have logged in meanwhile.
      if (!signal.aborted) setList(kind, rows.map(toListed))
      return true
    },
    ...OPTIONS,
  })
  const list = useStore(chatState, ({ lists }) => lists[kind])
  return { rows: data ? list : undefined, error, isFetching, refetch }
}

export const useFollowed = (enabled: boolean) =>
  useQuery({
    enabled,
    queryKey: [people.followedUsers.path],
    queryFn: () => allPages<Listed>(people.followedUsers),
    initialData: () => initialRows<Listed>(people.followedUsers),
    ...OPTIONS,
  })
