import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Endpoint, fillChannel } from '#core/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { createLiveChanges } from '#web/live-changes.ts'
import { findAnswer } from '#web/page-data.ts'
import * as realtime from '#web/realtime.ts'
import { useStore } from '#web/store.ts'
import { countAttached } from '../attached-contract.ts'
import {
  chatChannels,
  conversationEndpoints,
  type GroupChange,
  type ListedChat,
  type ListedGroup,
  type UnreadCounts,
} from '../contract.ts'
import type { LiveGroupMessage, PrivateMessage } from '../message-schemas.ts'
import type { ConversationRef, ListedConversation } from './state.ts'
import * as chatState from './state.ts'

// Loads the chat state, and keeps it up to date by the events in the channel of the current user. The views
// of a conversation get these events through `chatSync.listen`.

// ── Live events of chat ──────────────────────────────────────────────────────

type LiveMessage = PrivateMessage | LiveGroupMessage
interface ConversationListener {
  onMessage(row: LiveMessage): void
  onGroupChange(change: GroupChange): void
  onAccessChange(): void
}
const listeners = new Map<string, ConversationListener>()

/**
 * Conversations to load again when they are opened: their messages may name a member whose account was
 * deleted, or the current user may have lost access.
 */
export const keysToReload = new Set<string>()

/** Returns a function that removes the listener. */
export function listen(conversation: ConversationRef, listener: ConversationListener) {
  const key = chatState.keyOf(conversation)
  listeners.set(key, listener)
  return () => {
    if (listeners.get(key) === listener) listeners.delete(key)
  }
}

/** True while a view shows the conversation. */
export const hasListener = (conversation: ConversationRef) => listeners.has(chatState.keyOf(conversation))

type Ids = { userId: number | null; groupId: number | null }
type UnreadChange = Ids & { unread: number }
type MuteChange = Ids & { muted_until: string | null }
const toRef = ({ userId, groupId }: Ids): ConversationRef =>
  userId === null ? { kind: 'groups', id: groupId! } : { kind: 'private', id: userId }

/** The messages of the conversation then count again. */
function useEndOfMutes() {
  const muted = useStore(chatState.store, ({ unread }) => unread.muted)
  useEffect(() => {
    // Ended mutes are also gone the next time that the counts are loaded.
    if (muted) import('./end-of-mutes.ts').then((code) => code.endMutes()).catch(() => {})
  }, [muted])
}

/** `me` is null for visitors. */
export function useSync(me: number | null) {
  const client = useQueryClient()
  // Must happen before the first render; `useState` calls the function only once.
  useState(() => setInitialLists(client))
  useEffect(() => {
    if (me !== null) return chatState.clearUnread
  }, [me])
  useEndOfMutes()

  function changed(row: LiveMessage) {
    const conversation = conversationOf(row, me)
    listeners.get(chatState.keyOf(conversation))?.onMessage(row)
    listChanges.apply(
      () => chatState.setLastMessage(conversation, toLast(row)) || invalidate(client, conversation.kind),
    )
    return conversation
  }
  function sent(row: LiveMessage) {
    const conversation = changed(row)
    if (authorOf(row) === me) return
    chatState.addUnread(conversation)
    // A response less than MAX_EVENT_DELAY ago may have counted this message already.
    if (Date.now() - fetchedAt < MAX_EVENT_DELAY) void fetchUnread()
  }
  function edited(row: LiveMessage) {
    const conversation = changed(row)
    if (row.deleted_at && chatState.getUnread(conversation)) void fetchUnread()
  }
  function groupChanged({ groupId: id, change }: { groupId: number; change: GroupChange }) {
    const key = chatState.keyOf({ kind: 'groups', id })
    const isFormer = change.person?.is_former
    if (isFormer) keysToReload.add(key)
    listeners.get(key)?.onGroupChange(change)
    const isMine = change.person?.id === me || change.kind === 'deleted'
    if (isMine) void fetchUnread()
    // Whether the response of a running request counts the members before or after this change is unknown.
    const isLoading = client.isFetching({ queryKey: listKey('groups') })
    if (isMine || isFormer || change.kind === 'created' || isLoading) reloadList(client, 'groups')
    else chatState.applyGroupChange(id, change)
  }

  realtime.useListener(me === null ? null : fillChannel(chatChannels.member, { user: me }), {
    onSubscribed() {
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
      ChatAccessChanged({ userId: id }: { userId: number }) {
        const key = chatState.keyOf({ kind: 'private', id })
        keysToReload.add(key)
        listeners.get(key)?.onAccessChange()
        reloadList(client, 'private')
      },
      UnreadChanged: ({ unread, ...ids }: UnreadChange) => chatState.setUnread(toRef(ids), unread),
      ConversationMuted: ({ muted_until, ...ids }: MuteChange) => chatState.setMute(toRef(ids), muted_until),
    },
  })
}

const authorOf = (row: LiveMessage) => ('user' in row ? row.userId : row.from_user_id)

function conversationOf(row: LiveMessage, me: number | null): ConversationRef {
  if ('user' in row) return { kind: 'groups', id: row.groupId }
  return { kind: 'private', id: row.from_user_id === me ? row.to_user_id : row.from_user_id }
}

/** `name` is empty for private chats, whose rows do not show it. */
const toLast = (row: LiveMessage) => ({
  id: row.id,
  user_id: authorOf(row),
  name: 'user' in row ? row.user.name : '',
  message: row.message,
  ...countAttached(row),
  deleted_at: row.deleted_at,
  created_at: row.created_at,
})

// ── Unread counts from the server ────────────────────────────────────────────

const initialUnread = findAnswer(conversationEndpoints.unread)?.body as UnreadCounts | undefined
if (initialUnread) chatState.store.patch({ unread: initialUnread })

/** In milliseconds: an event that arrives so soon after a response may be older than it. */
const MAX_EVENT_DELAY = 2000
let fetchedAt = 0
let isFetching = false
let isOutdated = false

/** Fetches again if a count changes during the request, because the response may then be outdated. */
async function fetchUnread() {
  isOutdated = true
  if (isFetching) return
  isFetching = true
  try {
    while (isOutdated) {
      const before = chatState.store.get().unread
      isOutdated = false
      const unread = await callEndpoint(conversationEndpoints.unread, {})
      fetchedAt = Date.now()
      if (chatState.store.get().unread === before) chatState.store.patch({ unread })
      else isOutdated = true
    }
  } catch {
    // The counts are fetched again at the next subscription to the channel.
  } finally {
    isFetching = false
  }
}

// ── Lists of conversations from the server ───────────────────────────────────

type Kind = ConversationRef['kind']

/** Undefined if the HTML page has none, or if the list has more pages. */
export function findInitialRows<T>(endpoint: Endpoint) {
  const answer = findAnswer(endpoint)
  return answer && !answer.next ? (answer.body as T[]) : undefined
}

export function toListed(row: ListedChat | ListedGroup): ListedConversation {
  const lastMessage = row.last_message
  if ('user' in row) {
    const { id, name } = row.user
    return { kind: 'private', id, name, person: row.user, membersCount: 2, lastMessage, addedToGroup: null }
  }
  const { id, name, picture, members_count: membersCount, has_ended: hasEnded = false } = row
  const addedToGroup = { at: row.added_at, by: row.added_by }
  return {
    kind: 'groups',
    id,
    name,
    person: null,
    picture,
    membersCount,
    hasEnded,
    lastMessage,
    addedToGroup,
  }
}

export const listEndpoints = {
  private: conversationEndpoints.privateChats,
  groups: conversationEndpoints.groups,
}
export const listKey = (kind: Kind) => [listEndpoints[kind].path]

function setInitialLists(client: QueryClient) {
  for (const kind of ['private', 'groups'] as const) {
    const rows = findInitialRows<ListedChat | ListedGroup>(listEndpoints[kind])
    if (!rows) continue
    chatState.setList(kind, rows.map(toListed))
    client.setQueryData(listKey(kind), true)
  }
}

export const listChanges = createLiveChanges()

/** Waits for a response that is being stored: React Query does not repeat a first request while it runs. */
const invalidate = (client: QueryClient, kind: Kind) =>
  setTimeout(() => client.invalidateQueries({ queryKey: listKey(kind) }))

/** Now if the list is shown, otherwise as soon as it is. */
const reloadList = (client: QueryClient, kind: Kind) => listChanges.apply(() => invalidate(client, kind))
