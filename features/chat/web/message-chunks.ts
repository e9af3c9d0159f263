import type { Person } from '#features/people/contract.ts'
import type { GroupChange } from '../contract.ts'
import type { Message, Outgoing } from './messages.ts'

// A message list consists of chunks, a chunk of items. Most items are message groups: messages of one
// author, close together. A chunk is rendered for itself, so that a new message renders one chunk only.

export interface MessageChunk {
  messages: readonly Message[]
  /** Only in the last chunk. */
  outgoing: readonly Outgoing[]
  /** From the last message of the chunk before up to the last of this one; in the last chunk, to the end. */
  changes: readonly GroupChange[]
  /** When the last message before the chunk was sent; null in the first chunk. */
  previousAt: string | null
  /** Whether the first message continues the last group of the chunk before. */
  continuesPrevious: boolean
  /** Whether the next chunk continues the last group of this one. */
  continuesInNext: boolean
  /** The message above which the unread divider stands. */
  unreadId: number | null
}

/** Messages of one author within five minutes. */
export interface MessageGroupItem {
  kind: 'group'
  author: Person
  own: boolean
  continuesPrevious: boolean
  continuesInNext: boolean
  messages: Message[]
  outgoing: readonly Outgoing[]
}
export type ChunkItem =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string }
  | { kind: 'change'; key: string; change: GroupChange }
  | MessageGroupItem

const GROUP_TIME = 5 * 60_000
const dayOf = (at: string) => new Date(at).toDateString()
const isSoonAfter = (at: string, before: string) => Date.parse(at) - Date.parse(before) < GROUP_TIME

/**
 * About one message in so many begins a chunk. Its id alone decides, so that new messages never change
 * other chunks.
 */
const CHUNK_SIZE = 48
const beginsChunk = ({ id }: Message) => (Math.imul(id, 0x9e3779b1) >>> 0) % CHUNK_SIZE === 0

function split(messages: readonly Message[]) {
  const parts: Message[][] = [[]]
  for (const message of messages) {
    if (beginsChunk(message) && parts.at(-1)!.length) parts.push([])
    parts.at(-1)!.push(message)
  }
  return parts
}

const areOneGroup = (message: Message, next: Message) =>
  message.author.id === next.author.id &&
  isSoonAfter(next.created_at, message.created_at) &&
  dayOf(message.created_at) === dayOf(next.created_at)

interface ChunkOptions {
  messages: readonly Message[]
  outgoing: readonly Outgoing[]
  changes: readonly GroupChange[]
  me: Person
  /** The divider stands above the first message of others after this id; null is no divider. */
  unreadAfter: number | null
  /** Whether the beginning of the conversation is loaded: then all its changes are shown, too. */
  isComplete: boolean
}

export function toChunks({ messages, outgoing, changes, me, unreadAfter, isComplete }: ChunkOptions) {
  const rest = changes.filter(({ created_at }) => isComplete || created_at >= (messages[0]?.created_at ?? ''))
  const isUnread = ({ id, author }: Message) =>
    unreadAfter !== null && id > unreadAfter && author.id !== me.id
  const firstUnread = messages.find(isUnread)
  const chunks: MessageChunk[] = []
  const parts = split(messages)
  for (const [at, part] of parts.entries()) {
    const [first] = part
    const isLast = at === parts.length - 1
    const previous = parts[at - 1]?.at(-1)
    const own = isLast ? rest : takeUntil(rest, part.at(-1)!.created_at)
    const continuesPrevious = Boolean(
      previous &&
        first &&
        areOneGroup(previous, first) &&
        first !== firstUnread &&
        !(own[0] && own[0].created_at <= first.created_at),
    )
    if (continuesPrevious) chunks.at(-1)!.continuesInNext = true
    chunks.push({
      messages: part,
      outgoing: isLast ? outgoing : [],
      changes: own,
      previousAt: previous?.created_at ?? null,
      continuesPrevious,
      continuesInNext: false,
      unreadId: firstUnread && part.includes(firstUnread) ? firstUnread.id : null,
    })
  }
  return chunks
}

/** Removes the changes up to a time from the list, and returns them. */
function takeUntil(changes: GroupChange[], at: string) {
  const later = changes.findIndex(({ created_at }) => created_at > at)
  return changes.splice(0, later < 0 ? changes.length : later)
}

const isSame = (one: unknown, other: unknown) =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((element, at) => element === other[at])
    : one === other

export const areSameChunk = (one: MessageChunk, other: MessageChunk) =>
  (Object.keys(one) as (keyof MessageChunk)[]).every((key) => isSame(one[key], other[key]))

/** The items of a chunk in their order: days, the unread divider, group changes, message groups. */
export function toItems(chunk: MessageChunk, me: Person): ChunkItem[] {
  const items: ChunkItem[] = []
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
      items.push({ kind: 'change', key: `change ${change.id}`, change })
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
      own: author.id === me.id,
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
  // They stand where they will stand when they have arrived, so that nothing moves then.
  addDay(first.at)
  groupFor(me, first.at).outgoing = chunk.outgoing
  return items
}
