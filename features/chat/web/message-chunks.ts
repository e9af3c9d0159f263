import type { Person } from '#features/people/contract.ts'
import type { GroupChange } from '../group-contract.ts'
import type { ShownMessage, UnsentMessage } from './conversation.ts'

// The message list is divided into chunks, and each chunk into items. Most items are message groups:
// consecutive messages of one author, sent less than five minutes apart. Chunks render separately, so that a
// new message re-renders only one chunk.

export interface MessageListChunk {
  messages: readonly ShownMessage[]
  /** The unsent messages that are shown in this chunk. Only the last chunk has any. */
  outgoing: readonly UnsentMessage[]
  /**
   * The group changes that are shown in this chunk: those after the last message of the previous chunk, up to
   * the last message of this one. The last chunk also has all later changes.
   */
  changes: readonly GroupChange[]
  /** The time of the last message of the previous chunk; null in the first chunk. */
  previousAt: string | null
  /** Whether the first message of this chunk belongs to the last message group of the previous chunk. */
  continuesPrevious: boolean
  /** Whether the last message group of this chunk continues in the next chunk. */
  continuesInNext: boolean
  /**
   * The id of the message above which the unread divider is shown; null if the divider is not in this chunk.
   */
  unreadId: number | null
}

/**
 * An item of the message list: consecutive messages of one author, each sent less than five minutes after the
 * one before.
 */
export interface ConsecutiveMessagesItem {
  kind: 'group'
  author: Person
  isOwn: boolean
  continuesPrevious: boolean
  continuesInNext: boolean
  messages: ShownMessage[]
  outgoing: readonly UnsentMessage[]
}
export type MessageListItem =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string }
  | { kind: 'change'; key: string; changes: GroupChange[] }
  | ConsecutiveMessagesItem

const MAX_GROUP_TIME = 5 * 60_000
const MAX_ADDITION_TIME = 60_000
const dayOf = (at: string) => new Date(at).toDateString()
const isSoonAfter = (at: string, before: string, maxTime = MAX_GROUP_TIME) =>
  Date.parse(at) - Date.parse(before) < maxTime

/**
 * Returns whether a change adds a member to the group less than a minute after the same actor added another
 * one.
 */
const continuesAddition = (change: GroupChange, before: GroupChange) =>
  change.kind === 'added' &&
  before.kind === 'added' &&
  change.actor !== null &&
  change.actor.id === before.actor?.id &&
  isSoonAfter(change.created_at, before.created_at, MAX_ADDITION_TIME)

/**
 * The number of messages with which a chunk is full. Messages that arrive together join a chunk that is not
 * full, and a chunk is never divided again, so a chunk can be up to twice as long.
 */
const CHUNK_SIZE = 64

export type StableMessageListSplitter = ReturnType<typeof createStableMessageListSplitter>

/**
 * Creates a function that divides the messages of one list into parts, from which the chunks are made. It
 * remembers which messages begin a part, so that added messages join the first or the last part, or become
 * further parts, and never change other parts.
 */
export function createStableMessageListSplitter() {
  /** The ids of all messages that the list has had. */
  const known = new Set<number>()
  /** The ids of those messages with which a part begins. */
  const starts = new Set<number>()
  let end = { id: 0, size: 0 }

  /** Decides which messages begin a part. Goes from the newest message to the oldest. */
  function addStarts(messages: readonly ShownMessage[]) {
    /** The number of messages of the current part so far, counted from its end. */
    let size = 0
    for (let index = messages.length - 1; index >= 0; index--) {
      const { id } = messages[index]!
      const isFull = known.has(id) ? id === end.id && end.size >= CHUNK_SIZE : size >= CHUNK_SIZE
      if (isFull && size > 0) {
        starts.add(messages[index + 1]!.id)
        size = 0
      }
      known.add(id)
      size = starts.has(id) ? 0 : size + 1
    }
  }

  return (messages: readonly ShownMessage[]) => {
    addStarts(messages)
    const parts: ShownMessage[][] = [[]]
    for (const message of messages) {
      if (starts.has(message.id) && parts.at(-1)!.length) parts.push([])
      parts.at(-1)!.push(message)
    }
    const last = parts.at(-1)!
    end = { id: last.at(-1)?.id ?? 0, size: last.length }
    return parts
  }
}

const belongTogether = (message: ShownMessage, next: ShownMessage) =>
  message.author.id === next.author.id &&
  isSoonAfter(next.created_at, message.created_at) &&
  dayOf(message.created_at) === dayOf(next.created_at)

interface ChunkOptions {
  messages: readonly ShownMessage[]
  split: StableMessageListSplitter
  outgoing: readonly UnsentMessage[]
  changes: readonly GroupChange[]
  me: Person
  /**
   * The id of the last read message. The unread divider is shown above the first later message of another
   * person. No divider is shown if the id is null.
   */
  unreadAfter: number | null
  /**
   * Whether the oldest message of the conversation is loaded. If so, even the group changes before it are
   * shown.
   */
  isComplete: boolean
}

export function splitMessageListForRendering({
  messages,
  split,
  outgoing,
  changes,
  me,
  unreadAfter,
  isComplete,
}: ChunkOptions) {
  const rest = changes.filter(({ created_at }) => isComplete || created_at >= (messages[0]?.created_at ?? ''))
  const firstUnread =
    unreadAfter === null
      ? undefined
      : messages.find(({ id, author }) => id > unreadAfter && author.id !== me.id)
  const chunks: MessageListChunk[] = []
  const parts = split(messages)
  for (const [index, part] of parts.entries()) {
    const [first] = part
    const isLast = index === parts.length - 1
    const previous = parts[index - 1]?.at(-1)
    const chunkChanges = isLast ? rest : takeUntil(rest, part.at(-1)!.created_at)
    const continuesPrevious = Boolean(
      previous &&
        first &&
        belongTogether(previous, first) &&
        first !== firstUnread &&
        !(chunkChanges[0] && chunkChanges[0].created_at <= first.created_at),
    )
    if (continuesPrevious) chunks.at(-1)!.continuesInNext = true
    chunks.push({
      messages: part,
      outgoing: isLast ? outgoing : [],
      changes: chunkChanges,
      previousAt: previous?.created_at ?? null,
      continuesPrevious,
      continuesInNext: false,
      unreadId: firstUnread && part.includes(firstUnread) ? firstUnread.id : null,
    })
  }
  return chunks
}

/** Removes from the array the group changes that happened up to the time `at`, and returns them. */
function takeUntil(changes: GroupChange[], at: string) {
  const later = changes.findIndex(({ created_at }) => created_at > at)
  return changes.splice(0, later < 0 ? changes.length : later)
}

const isSame = (one: unknown, other: unknown) =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((element, index) => element === other[index])
    : one === other

export const areMessageListChunksEqual = (one: MessageListChunk, other: MessageListChunk) =>
  (Object.keys(one) as (keyof MessageListChunk)[]).every((key) => isSame(one[key], other[key]))

/**
 * Returns the items of a chunk from top to bottom: days, the unread divider, group changes and message
 * groups.
 */
export function toMessageListItemsOfChunk(chunk: MessageListChunk, me: Person): MessageListItem[] {
  const items: MessageListItem[] = []
  const changes = [...chunk.changes]
  let day = chunk.previousAt === null ? '' : dayOf(chunk.previousAt)

  const addDay = (at: string) => {
    if (dayOf(at) === day) return
    day = dayOf(at)
    items.push({ kind: 'day', key: `day ${day}`, at })
  }
  const addChanges = (earlier: readonly GroupChange[]) => {
    for (const change of earlier) {
      addDay(change.created_at)
      const last = items.at(-1)
      if (last?.kind === 'change' && continuesAddition(change, last.changes.at(-1)!))
        last.changes.push(change)
      else items.push({ kind: 'change', key: `change ${change.id}`, changes: [change] })
    }
  }
  const groupFor = (author: Person, at: string) => {
    const last = items.at(-1)
    const isOpen =
      last?.kind === 'group' &&
      last.author.id === author.id &&
      isSoonAfter(at, last.messages.at(-1)!.created_at)
    if (isOpen) return last
    const group: ConsecutiveMessagesItem = {
      kind: 'group',
      author,
      isOwn: author.id === me.id,
      continuesPrevious: chunk.continuesPrevious && !items.length,
      continuesInNext: false,
      messages: [],
      outgoing: [],
    }
    items.push(group)
    return group
  }

  for (const message of chunk.messages) {
    addChanges(takeUntil(changes, message.created_at))
    addDay(message.created_at)
    if (message.id === chunk.unreadId) items.push({ kind: 'unread', key: 'unread' })
    groupFor(message.author, message.created_at).messages.push(message)
  }
  addChanges(changes)
  const last = items.at(-1)
  if (last?.kind === 'group') last.continuesInNext = chunk.continuesInNext
  const [first] = chunk.outgoing
  if (!first) return items
  // Adds the unsent messages at the place that they will have after sending, so that nothing moves then.
  addDay(first.at)
  groupFor(me, first.at).outgoing = chunk.outgoing
  return items
}
