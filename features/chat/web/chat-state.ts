import type { Person } from '#features/people/contract.ts'
import { createStore, useStore } from '#web/store.ts'
import { type GroupChange, type Last, MOST_UNREAD, type Unread } from '../contract.ts'

/** Names a conversation by the id of the other person, or of the group. */
export interface ConversationRef {
  kind: 'private' | 'groups'
  id: number
}
type Kind = ConversationRef['kind']
export const conversationKey = ({ kind, id }: ConversationRef) => `${kind} ${id}`

/** A conversation as lists show it. */
export interface ListedConversation extends ConversationRef {
  name: string
  /** The other person; null for a group. */
  person: Person | null
  membersCount: number
  last: Last | null
  /** When I was added to the group, and by whom; null for a private chat. */
  added: { at: string; by: Person | null } | null
}

/** All conversations of the current user, as far as they are loaded. Lists, badges and pages read it. */
interface ChatState {
  /** Newest first. A list is absent until it has been loaded. */
  lists: { readonly [kind in Kind]?: readonly ListedConversation[] }
  unread: Unread
}
const noUnread = (): Unread => ({ private: {}, groups: {} })

export const chatState = createStore<ChatState>({ lists: {}, unread: noUnread() })

// ── Lists ───────────────────────────────────────────────────────────────────

export const setList = (kind: Kind, list: readonly ListedConversation[]) =>
  chatState.patch({ lists: { ...chatState.get().lists, [kind]: list } })

/** The time of the last message, or of my coming into the group where that is later. */
export const newestTime = ({ last, added }: ListedConversation) => {
  const times = [last?.created_at ?? '', added?.at ?? '']
  return times.sort()[1]!
}

export const newestFirst = (a: ListedConversation, b: ListedConversation) => {
  const [one, two] = [newestTime(a), newestTime(b)]
  return one === two ? (b.last?.id ?? 0) - (a.last?.id ?? 0) : one < two ? 1 : -1
}

/** Returns false where the conversation is not in its list. */
function changeListed(
  { kind, id }: ConversationRef,
  change: (before: ListedConversation) => ListedConversation,
) {
  const list = chatState.get().lists[kind]
  if (!list?.some((one) => one.id === id)) return false
  setList(kind, list.map((one) => (one.id === id ? change(one) : one)).sort(newestFirst))
  return true
}

/** Shows a message that is newer than the last one, or the changed last one. An older one changes nothing. */
export const setLastMessage = (conversation: ConversationRef, last: Last) =>
  changeListed(conversation, (before) =>
    before.last && before.last.id > last.id ? before : { ...before, last },
  )

/** By how many members a change makes the group larger. */
export const growth = ({ kind }: GroupChange) =>
  kind === 'added' ? 1 : kind === 'removed' || kind === 'left' ? -1 : 0

export const setGroupChange = (id: number, change: GroupChange) =>
  changeListed({ kind: 'groups', id }, (group) => ({
    ...group,
    name: change.kind === 'renamed' ? change.name! : group.name,
    membersCount: group.membersCount + growth(change),
  }))

// ── Unread messages ─────────────────────────────────────────────────────────

/** The conversation whose end is on the screen: a message that arrives there never counts as unread. */
let watched: string | null = null
export function watchConversation(conversation: ConversationRef | null) {
  watched = conversation && conversationKey(conversation)
}

export const unreadOf = ({ kind, id }: ConversationRef) => chatState.get().unread[kind][id] ?? 0

export const clearUnread = () => chatState.patch({ unread: noUnread() })

/** Changes the badges only: the caller tells the server. */
export function setUnread({ kind, id }: ConversationRef, count: number) {
  const { unread } = chatState.get()
  chatState.patch({ unread: { ...unread, [kind]: { ...unread[kind], [id]: Math.min(count, MOST_UNREAD) } } })
}

export function countArrival(conversation: ConversationRef) {
  if (conversationKey(conversation) !== watched) setUnread(conversation, unreadOf(conversation) + 1)
}

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((all, count) => all + count, 0)

/** How many messages are unread: in conversations of one kind, or in all. */
export const useUnreadSum = (kind?: Kind) =>
  useStore(chatState, ({ unread }) => (kind ? sum(unread[kind]) : sum(unread.private) + sum(unread.groups)))
