import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Endpoint, fillChannelNameParameters } from '#core/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { createLiveChanges } from '#web/live-changes.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import { useChannelListener } from '#web/realtime.ts'
import { useStore } from '#web/store.ts'
import { chatChannelDefinitions } from '../channel-contract.ts'
import {
  type ConversationUnreadCountsAndMutes,
  type ListedPrivateChat,
  type PrivateMessage,
  privateChatAndMessageEndpoints,
  type RealtimeGroupMessage,
} from '../contract.ts'
import { type GroupChange, groupEndpoints, type ListedJoinedGroup } from '../group-contract.ts'
import {
  applyGroupChangeToConversationList,
  type ChatPartnerOrGroupRef,
  chatStateStore,
  clearLocalUnreadCountsAndMutes,
  getConversationUnreadCount,
  incrementLocalUnreadCountUnlessVisible,
  type ListedConversation,
  setConversationList,
  setLastMessageInConversationList,
  setLocalConversationMute,
  setLocalConversationUnreadCount,
  toConversationKey,
} from './chat-state.ts'

// This file loads the chat state, and keeps it up to date with the chat events that arrive in the channel of
// the current user. The views of a conversation get these events through `setConversationListener`.

// ── Live events of chat ──────────────────────────────────────────────────────

type LiveMessage = PrivateMessage | RealtimeGroupMessage
interface ConversationListener {
  onMessage(row: LiveMessage): void
  onGroupChange(change: GroupChange): void
  onAccessChange(): void
}
const listeners = new Map<string, ConversationListener>()

/**
 * The keys of conversations whose loaded messages may be outdated: the messages may still name a member whose
 * account was deleted, or the current user may have lost access to the private chat. When such a conversation
 * is opened, its messages are loaded again.
 */
export const conversationKeysToReload = new Set<string>()

/**
 * Registers the listener for the live events of one conversation. Returns a function that removes the
 * listener.
 */
export function setConversationListener(conversation: ChatPartnerOrGroupRef, listener: ConversationListener) {
  const key = toConversationKey(conversation)
  listeners.set(key, listener)
  return () => {
    if (listeners.get(key) === listener) listeners.delete(key)
  }
}

/** Returns whether a conversation has a listener, which it has while a view shows it. */
export const hasConversationListener = (conversation: ChatPartnerOrGroupRef) =>
  listeners.has(toConversationKey(conversation))

type Ids = { userId: number | null; groupId: number | null }
type UnreadChange = Ids & { unread: number }
type MuteChange = Ids & { muted_until: string | null }
const toRef = ({ userId, groupId }: Ids): ChatPartnerOrGroupRef =>
  userId === null ? { kind: 'groups', id: groupId! } : { kind: 'private', id: userId }

/**
 * Removes the mute of a conversation from the chat state when the mute ends, so that the messages of the
 * conversation count again.
 */
function useEndOfMutes() {
  const muted = useStore(chatStateStore, ({ unread }) => unread.muted)
  useEffect(() => {
    // Ignores a failed download of this code, because ended mutes are also gone the next time that the counts
    // are loaded.
    if (muted)
      import('./end-of-mutes.ts')
        .then((code) => code.removeEndedMutesFromChatStateAndReschedule())
        .catch(() => {})
  }, [muted])
}

/**
 * Keeps the chat state of the window up to date while the app is open. `me` is the id of the current user;
 * null for visitors.
 */
export function useKeepChatStateUpToDate(me: number | null) {
  const client = useQueryClient()
  // Stores the lists that came with the HTML page before the first render. `useState` is used because it
  // calls the function only once.
  useState(() => setInitialLists(client))
  useEffect(() => {
    if (me !== null) return clearLocalUnreadCountsAndMutes
  }, [me])
  useEndOfMutes()

  function changed(row: LiveMessage) {
    const conversation = conversationOf(row, me)
    listeners.get(toConversationKey(conversation))?.onMessage(row)
    conversationListChanges.apply(
      () =>
        setLastMessageInConversationList(conversation, toLast(row)) || invalidate(client, conversation.kind),
    )
    return conversation
  }
  function sent(row: LiveMessage) {
    const conversation = changed(row)
    if (authorOf(row) === me) return
    incrementLocalUnreadCountUnlessVisible(conversation)
    // Fetches the counts again if they were fetched less than MAX_EVENT_DELAY ago, because that response may
    // have counted this message already.
    if (Date.now() - fetchedAt < MAX_EVENT_DELAY) void fetchUnread()
  }
  function edited(row: LiveMessage) {
    const conversation = changed(row)
    if (row.deleted_at && getConversationUnreadCount(conversation)) void fetchUnread()
  }
  function groupChanged({ groupId: id, change }: { groupId: number; change: GroupChange }) {
    const key = toConversationKey({ kind: 'groups', id })
    const isFormer = change.person?.is_former
    if (isFormer) conversationKeysToReload.add(key)
    listeners.get(key)?.onGroupChange(change)
    const isMine = change.person?.id === me || change.kind === 'deleted'
    if (isMine) void fetchUnread()
    // Also reloads the list if a request for it is running: whether its response counts the members before or
    // after this change is unknown.
    const isLoading = client.isFetching({ queryKey: toConversationListQueryKey('groups') })
    if (isMine || isFormer || change.kind === 'created' || isLoading) reloadList(client, 'groups')
    else applyGroupChangeToConversationList(id, change)
  }

  useChannelListener(
    me === null ? null : fillChannelNameParameters(chatChannelDefinitions.member, { user: me }),
    {
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
          const key = toConversationKey({ kind: 'private', id })
          conversationKeysToReload.add(key)
          listeners.get(key)?.onAccessChange()
          reloadList(client, 'private')
        },
        UnreadChanged: ({ unread, ...ids }: UnreadChange) =>
          setLocalConversationUnreadCount(toRef(ids), unread),
        ConversationMuted: ({ muted_until, ...ids }: MuteChange) =>
          setLocalConversationMute(toRef(ids), muted_until),
      },
    },
  )
}

const authorOf = (row: LiveMessage) => ('user' in row ? row.userId : row.from_user_id)

function conversationOf(row: LiveMessage, me: number | null): ChatPartnerOrGroupRef {
  if ('user' in row) return { kind: 'groups', id: row.groupId }
  return { kind: 'private', id: row.from_user_id === me ? row.to_user_id : row.from_user_id }
}

/**
 * Converts a live message to a `LastMessage`. Lists show the author's name for groups only, so `name` is
 * empty for private chats.
 */
const toLast = (row: LiveMessage) => ({
  id: row.id,
  user_id: authorOf(row),
  name: 'user' in row ? row.user.name : '',
  message: row.message,
  images_count: row.images.length,
  ...(row.files && { files_count: row.files.length }),
  ...(row.files?.[0]?.voice && { is_voice: true as const }),
  deleted_at: row.deleted_at,
  created_at: row.created_at,
})

// ── Unread counts from the server ────────────────────────────────────────────

const initialUnread = findInitialEndpointResponse(privateChatAndMessageEndpoints.unread)?.body as
  | ConversationUnreadCountsAndMutes
  | undefined
if (initialUnread) chatStateStore.patch({ unread: initialUnread })

/**
 * A live event that arrives within this many milliseconds after a response may be older than the response.
 */
const MAX_EVENT_DELAY = 2000
let fetchedAt = 0
let isFetching = false
let isOutdated = false

/**
 * Fetches the counts of unread messages of all conversations. If a count changes during the request, the
 * response may be outdated, so the function fetches again.
 */
async function fetchUnread() {
  isOutdated = true
  if (isFetching) return
  isFetching = true
  try {
    while (isOutdated) {
      const before = chatStateStore.get().unread
      isOutdated = false
      const unread = await callEndpoint(privateChatAndMessageEndpoints.unread, {})
      fetchedAt = Date.now()
      if (chatStateStore.get().unread === before) chatStateStore.patch({ unread })
      else isOutdated = true
    }
  } catch {
    // Ignores the error, because the counts are fetched again at the next subscription to the channel.
  } finally {
    isFetching = false
  }
}

// ── Lists of conversations from the server ───────────────────────────────────

type Kind = ChatPartnerOrGroupRef['kind']

/**
 * Returns the rows of a list that came with the HTML page. Returns undefined if there are none, or if the
 * list has more pages.
 */
export function findInitialRows<T>(endpoint: Endpoint) {
  const answer = findInitialEndpointResponse(endpoint)
  return answer && !answer.next ? (answer.body as T[]) : undefined
}

export function toListedConversation(row: ListedPrivateChat | ListedJoinedGroup): ListedConversation {
  const lastMessage = row.last_message
  if ('user' in row) {
    const { id, name } = row.user
    return { kind: 'private', id, name, person: row.user, membersCount: 2, lastMessage, addedToGroup: null }
  }
  const { id, name, picture, members_count: membersCount } = row
  const addedToGroup = { at: row.added_at, by: row.added_by }
  return { kind: 'groups', id, name, person: null, picture, membersCount, lastMessage, addedToGroup }
}

export const conversationListEndpoints = {
  private: privateChatAndMessageEndpoints.conversations,
  groups: groupEndpoints.mine,
}
export const toConversationListQueryKey = (kind: Kind) => [conversationListEndpoints[kind].path]

/** Stores in the chat state the lists of conversations that came with the HTML page. */
function setInitialLists(client: QueryClient) {
  for (const kind of ['private', 'groups'] as const) {
    const rows = findInitialRows<ListedPrivateChat | ListedJoinedGroup>(conversationListEndpoints[kind])
    if (!rows) continue
    setConversationList(kind, rows.map(toListedConversation))
    client.setQueryData(toConversationListQueryKey(kind), true)
  }
}

export const conversationListChanges = createLiveChanges()

/**
 * Invalidates the query of a list. Waits until a response that is just being stored is in the query, because
 * React Query does not repeat the first request while it runs.
 */
const invalidate = (client: QueryClient, kind: Kind) =>
  setTimeout(() => client.invalidateQueries({ queryKey: toConversationListQueryKey(kind) }))

/** Reloads the list of private chats or of groups: now if it is shown, otherwise as soon as it is shown. */
const reloadList = (client: QueryClient, kind: Kind) =>
  conversationListChanges.apply(() => invalidate(client, kind))
