import type { Person } from '#features/people/contract.ts'
import { createStore, useStore } from '#web/store.ts'
import { type GroupChange, type LastMessage, MAX_UNREAD, type UnreadCounts } from '../contract.ts'

/** `id` is the id of the other person, or of the group. */
export interface ConversationRef {
  kind: 'private' | 'groups'
  id: number
}
type Kind = ConversationRef['kind']
export const keyOf = ({ kind, id }: ConversationRef) => `${kind} ${id}`

export interface ListedConversation extends ConversationRef {
  name: string
  /** Null for a group. */
  person: Person | null
  membersCount: number
  /** A path; absent or empty if there is none. */
  picture?: string | undefined
  /** Nobody writes in the group any more. */
  hasEnded?: boolean
  lastMessage: LastMessage | null
  /** When and by whom the current user was added; null for a private chat. */
  addedToGroup: { at: string; by: Person | null } | null
}

interface ChatState {
  /** Newest first. A list is absent until it has been loaded. */
  lists: { readonly [kind in Kind]?: readonly ListedConversation[] }
  unread: UnreadCounts
}
const noUnread = (): UnreadCounts => ({ private: {}, groups: {} })

export const store = createStore<ChatState>({ lists: {}, unread: noUnread() })

// ── Lists of conversations ───────────────────────────────────────────────────

export const setList = (kind: Kind, list: readonly ListedConversation[]) =>
  store.patch({ lists: { ...store.get().lists, [kind]: list } })

/** The time of the last message, or of being added to the group, whichever is later. */
export const activityTime = ({ lastMessage, addedToGroup }: ListedConversation) => {
  const times = [lastMessage?.created_at ?? '', addedToGroup?.at ?? '']
  return times.sort()[1]!
}

export const byActivity = (a: ListedConversation, b: ListedConversation) => {
  const [one, two] = [activityTime(a), activityTime(b)]
  return one === two ? (b.lastMessage?.id ?? 0) - (a.lastMessage?.id ?? 0) : one < two ? 1 : -1
}

/** Returns false if the list does not have the conversation. */
function updateListed(
  { kind, id }: ConversationRef,
  change: (before: ListedConversation) => ListedConversation,
) {
  const list = store.get().lists[kind]
  if (!list?.some((one) => one.id === id)) return false
  setList(kind, list.map((one) => (one.id === id ? change(one) : one)).sort(byActivity))
  return true
}

/** Ignores messages older than the last one. Returns false if the list does not have the conversation. */
export const setLastMessage = (conversation: ConversationRef, lastMessage: LastMessage) =>
  updateListed(conversation, (before) =>
    before.lastMessage && before.lastMessage.id > lastMessage.id ? before : { ...before, lastMessage },
  )

export const memberDelta = ({ kind }: GroupChange) =>
  kind === 'added' ? 1 : kind === 'removed' || kind === 'left' ? -1 : 0

export const applyGroupChange = (id: number, change: GroupChange) =>
  updateListed({ kind: 'groups', id }, (group) => ({
    ...group,
    name: change.kind === 'renamed' ? change.name! : group.name,
    picture: change.picture === undefined ? group.picture : (change.picture ?? ''),
    membersCount: group.membersCount + memberDelta(change),
    hasEnded: change.kind === 'ended' || (group.hasEnded === true && change.kind !== 'reopened'),
  }))

// ── Unread messages and mutes ────────────────────────────────────────────────

/** The key of the conversation whose newest messages are visible. Nothing that arrives in it is unread. */
let visibleConversation: string | null = null
export function setVisible(conversation: ConversationRef | null) {
  visibleConversation = conversation && keyOf(conversation)
}

export const getUnread = ({ kind, id }: ConversationRef) => store.get().unread[kind][id] ?? 0

export const clearUnread = () => store.patch({ unread: noUnread() })

/** In this window only; not sent to the server. */
export function setUnread({ kind, id }: ConversationRef, count: number) {
  const { unread } = store.get()
  store.patch({
    unread: { ...unread, [kind]: { ...unread[kind], [id]: Math.min(count, MAX_UNREAD) } },
  })
}

export function addUnread(conversation: ConversationRef) {
  if (keyOf(conversation) !== visibleConversation) setUnread(conversation, getUnread(conversation) + 1)
}

/** In this window only; not sent to the server. Null removes the mute. */
export function setMute({ kind, id }: ConversationRef, mutedUntil: string | null) {
  const { unread } = store.get()
  const { [id]: _, ...others } = unread.muted?.[kind] ?? {}
  const ofKind = mutedUntil === null ? others : { ...others, [id]: mutedUntil }
  store.patch({
    unread: { ...unread, muted: { private: {}, groups: {}, ...unread.muted, [kind]: ofKind } },
  })
}

const sum = ({ muted, ...counts }: UnreadCounts, kind: Kind) =>
  Object.entries(counts[kind]).reduce((total, [id, count]) => total + (muted?.[kind][id] ? 0 : count), 0)

/** Counts one kind of conversation, or both; leaves out muted ones. */
export const useUnread = (kind?: Kind) =>
  useStore(store, ({ unread }) => (kind ? sum(unread, kind) : sum(unread, 'private') + sum(unread, 'groups')))
