import type { GroupChange } from '#features/conversations/contract.ts'
import type { Person } from '#features/people/contract.ts'
import type { ShownMessage, UnsentMessage } from './conversation.ts'

// The list is divided into chunks, and these into items, mostly message groups: messages of one author, each
// sent less than five minutes after the one before. Chunks render separately: a new message re-renders only
// one.

export interface MessageChunk {
  messages: readonly ShownMessage[]
  /** Only the last chunk has any. */
  outgoing: readonly UnsentMessage[]
  /** The changes after the previous chunk, up to the end of this one; in the last chunk, also later ones. */
  changes: readonly GroupChange[]
  /** The time of the last message of the previous chunk; null in the first chunk. */
  previousAt: string | null
  /** The first message belongs to the last message group of the previous chunk. */
  continuesPrevious: boolean
  continuesInNext: boolean
  /** The message below the unread divider; null if the divider is not in this chunk. */
  unreadId: number | null
}

export interface MessageGroupItem {
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
  | MessageGroupItem

const MAX_GROUP_TIME = 5 * 60_000
const MAX_ADDITION_TIME = 60_000
const dayOf = (at: string) => new Date(at).toDateString()
const isSoonAfter = (at: string, before: string, maxTime = MAX_GROUP_TIME) =>
  Date.parse(at) - Date.parse(before) < maxTime

/** The same actor has added somebody less than a minute before. Who joins is their own actor. */
const continuesAddition = (change: GroupChange, before: GroupChange) =>
  change.kind === 'added' &&
  before.kind === 'added' &&
  change.actor !== null &&
  change.actor.id === before.actor?.id &&
  change.actor.id !== change.person?.id &&
  change.actor.id !== before.person?.id &&
  isSoonAfter(change.created_at, before.created_at, MAX_ADDITION_TIME)

/** A chunk can be twice as long: messages that arrive together join it, and it is never divided again. */
const CHUNK_SIZE = 64

export type Splitter = ReturnType<typeof createSplitter>

/**
 * The function remembers which messages begin a part, so that added messages join the first or the last part,
 * or become further parts, and never change other parts.
 */
export function createSplitter() {
  /** All messages that the list has had. */
  const known = new Set<number>()
  /** The messages with which a part begins. */
  const starts = new Set<number>()
  let end = { id: 0, size: 0 }

  /** Goes from the newest message to the oldest. */
  function addStarts(messages: readonly ShownMessage[]) {
    /** Messages of the current part, counted from its end. */
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
  split: Splitter
  outgoing: readonly UnsentMessage[]
  changes: readonly GroupChange[]
  me: Person
  /** The last read message; the divider is above the first later one of another person. Null for none. */
  unreadAfter: number | null
  /** The oldest message is loaded, so even group changes before it are shown. */
  isComplete: boolean
}

export function createChunks({
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
  const chunks: MessageChunk[] = []
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

/** Removes and returns the changes up to the time `at`. */
function takeUntil(changes: GroupChange[], at: string) {
  const later = changes.findIndex(({ created_at }) => created_at > at)
  return changes.splice(0, later < 0 ? changes.length : later)
}

const isSame = (one: unknown, other: unknown) =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((element, index) => element === other[index])
    : one === other

export const isSameChunk = (one: MessageChunk, other: MessageChunk) =>
  (Object.keys(one) as (keyof MessageChunk)[]).every((key) => isSame(one[key], other[key]))

/** The items are from top to bottom. */
export function listItems(chunk: MessageChunk, me: Person): MessageListItem[] {
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
    const group: MessageGroupItem = {
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
  // At the place that they will have after sending, so that nothing moves then.
  addDay(first.at)
  groupFor(me, first.at).outgoing = chunk.outgoing
  return items
}
