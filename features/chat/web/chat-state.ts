import type { Person } from '#features/people/contract.ts'
import { createStore, useStore } from '#web/store.ts'
import {
  type ConversationUnreadCountsAndMutes,
  type LastMessage,
  MAX_UNREAD_MESSAGE_COUNT,
} from '../contract.ts'
import type { GroupChange } from '../group-contract.ts'

/** A reference to a private chat or a group. `id` is the id of the other person, or of the group. */
export interface ChatPartnerOrGroupRef {
  kind: 'private' | 'groups'
  id: number
}
type Kind = ChatPartnerOrGroupRef['kind']
export const toConversationKey = ({ kind, id }: ChatPartnerOrGroupRef) => `${kind} ${id}`

/** A private chat or a group, with the fields that lists of conversations show. */
export interface ListedConversation extends ChatPartnerOrGroupRef {
  name: string
  /** The other person of a private chat; null for a group. */
  person: Person | null
  membersCount: number
  /** The path of the group's picture; absent or empty if there is none. */
  picture?: string | undefined
  lastMessage: LastMessage | null
  /**
   * For a group, the time when the current user was added and the member who added the user; null for a
   * private chat.
   */
  addedToGroup: { at: string; by: Person | null } | null
}

/**
 * The loaded lists of conversations of the current user, and the numbers of unread messages together with the
 * mutes. Lists, badges and pages read this state.
 */
interface ChatState {
  /**
   * The loaded lists of private chats and of groups, newest first. A list is absent until it has been loaded.
   */
  lists: { readonly [kind in Kind]?: readonly ListedConversation[] }
  unread: ConversationUnreadCountsAndMutes
}
const noUnread = (): ConversationUnreadCountsAndMutes => ({ private: {}, groups: {} })

export const chatStateStore = createStore<ChatState>({ lists: {}, unread: noUnread() })

// ── Lists of conversations ───────────────────────────────────────────────────

export const setConversationList = (kind: Kind, list: readonly ListedConversation[]) =>
  chatStateStore.patch({ lists: { ...chatStateStore.get().lists, [kind]: list } })

/**
 * Returns the time of the last message of a listed conversation, or the time when the user was added to the
 * group, whichever is later.
 */
export const toLastActivityTime = ({ lastMessage, addedToGroup }: ListedConversation) => {
  const times = [lastMessage?.created_at ?? '', addedToGroup?.at ?? '']
  return times.sort()[1]!
}

export const compareConversationsByLastActivity = (a: ListedConversation, b: ListedConversation) => {
  const [one, two] = [toLastActivityTime(a), toLastActivityTime(b)]
  return one === two ? (b.lastMessage?.id ?? 0) - (a.lastMessage?.id ?? 0) : one < two ? 1 : -1
}

/**
 * Changes a conversation in its loaded list with the function `change`. Returns false if the list does not
 * have the conversation.
 */
function updateListed(
  { kind, id }: ChatPartnerOrGroupRef,
  change: (before: ListedConversation) => ListedConversation,
) {
  const list = chatStateStore.get().lists[kind]
  if (!list?.some((one) => one.id === id)) return false
  setConversationList(
    kind,
    list.map((one) => (one.id === id ? change(one) : one)).sort(compareConversationsByLastActivity),
  )
  return true
}

/**
 * Stores in the loaded list the last message of a conversation: a newer one, or a changed version of it.
 * Ignores older messages. Returns false if the list does not have the conversation.
 */
export const setLastMessageInConversationList = (
  conversation: ChatPartnerOrGroupRef,
  lastMessage: LastMessage,
) =>
  updateListed(conversation, (before) =>
    before.lastMessage && before.lastMessage.id > lastMessage.id ? before : { ...before, lastMessage },
  )

/** Returns by how much a change of a group changes the number of its members: 1, -1 or 0. */
export const toMemberCountDeltaOfGroupChange = ({ kind }: GroupChange) =>
  kind === 'added' ? 1 : kind === 'removed' || kind === 'left' ? -1 : 0

export const applyGroupChangeToConversationList = (id: number, change: GroupChange) =>
  updateListed({ kind: 'groups', id }, (group) => ({
    ...group,
    name: change.kind === 'renamed' ? change.name! : group.name,
    picture: change.picture === undefined ? group.picture : (change.picture ?? ''),
    membersCount: group.membersCount + toMemberCountDeltaOfGroupChange(change),
  }))

// ── Unread messages and mutes ────────────────────────────────────────────────

/**
 * The key of the conversation whose newest messages are visible in this window; null if there is none.
 * Messages that arrive in this conversation never count as unread.
 */
let visibleConversation: string | null = null
export function setConversationShowingNewestMessages(conversation: ChatPartnerOrGroupRef | null) {
  visibleConversation = conversation && toConversationKey(conversation)
}

export const getConversationUnreadCount = ({ kind, id }: ChatPartnerOrGroupRef) =>
  chatStateStore.get().unread[kind][id] ?? 0

export const clearLocalUnreadCountsAndMutes = () => chatStateStore.patch({ unread: noUnread() })

/** Sets the unread count of a conversation in this window only; does not send it to the server. */
export function setLocalConversationUnreadCount({ kind, id }: ChatPartnerOrGroupRef, count: number) {
  const { unread } = chatStateStore.get()
  chatStateStore.patch({
    unread: { ...unread, [kind]: { ...unread[kind], [id]: Math.min(count, MAX_UNREAD_MESSAGE_COUNT) } },
  })
}

export function incrementLocalUnreadCountUnlessVisible(conversation: ChatPartnerOrGroupRef) {
  if (toConversationKey(conversation) !== visibleConversation)
    setLocalConversationUnreadCount(conversation, getConversationUnreadCount(conversation) + 1)
}

/**
 * Stores in this window until when the member has muted a conversation; null removes the mute. Does not send
 * it to the server.
 */
export function setLocalConversationMute({ kind, id }: ChatPartnerOrGroupRef, mutedUntil: string | null) {
  const { unread } = chatStateStore.get()
  const { [id]: _, ...others } = unread.muted?.[kind] ?? {}
  const ofKind = mutedUntil === null ? others : { ...others, [id]: mutedUntil }
  chatStateStore.patch({
    unread: { ...unread, muted: { private: {}, groups: {}, ...unread.muted, [kind]: ofKind } },
  })
}

const sum = ({ muted, ...counts }: ConversationUnreadCountsAndMutes, kind: Kind) =>
  Object.entries(counts[kind]).reduce((total, [id, count]) => total + (muted?.[kind][id] ? 0 : count), 0)

/**
 * Returns the number of unread messages in all conversations that are not muted, or only in the private chats
 * or only in the groups.
 */
export const useUnmutedUnreadMessageCount = (kind?: Kind) =>
  useStore(chatStateStore, ({ unread }) =>
    kind ? sum(unread, kind) : sum(unread, 'private') + sum(unread, 'groups'),
  )
