import type { Person } from '#features/people/contract.ts'
import type { GroupChange } from '../contract.ts'
import type { Message } from './message-store.tsx'
import type { Outgoing } from './outbox.tsx'

/** What stands below another in a thread. */
export type MessageChunk =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string }
  | { kind: 'change'; key: string; change: GroupChange }
  | {
      kind: 'talk'
      author: Person
      own: boolean
      joins: boolean
      goesOn: boolean
      messages: Message[]
      outgoing: Outbox
    }
type Outbox = readonly Outgoing[]

/** A part of a thread that stays the same whatever comes above or below it. */
export interface Piece {
  messages: readonly Message[]
  outgoing: Outbox
  /** Between the last message of the piece before and the last of this one; in the last piece, to the end. */
  changes: readonly GroupChange[]
  /** When the last message before it was sent; null where it is the first. */
  since: string | null
  /** Whether its first message goes on with what the same person said in the piece before, and whether its last is gone on with. */
  joins: boolean
  goesOn: boolean
  /** The message above which the divider stands. */
  unread: number | null
}

const TOGETHER = 5 * 60_000
const dayOf = (at: string) => new Date(at).toDateString()

interface Given {
  messages: readonly Message[]
  outgoing: Outbox
  changes: readonly GroupChange[]
  me: Person
  /** The divider stands before the first message of others beyond this one; null is nowhere. */
  unreadAfter: number | null
  /** Whether the beginning is there: then all the changes are, too. */
  whole: boolean
}

/** One message in so many begins a piece. Its id alone says whether it does, so that no other piece changes when messages come. */
const ONE_IN = 48
const begins = ({ id }: Message) => (Math.imul(id, 0x9e3779b1) >>> 0) % ONE_IN === 0

function cut(messages: readonly Message[]) {
  const parts: Message[][] = [[]]
  for (const message of messages) {
    if (begins(message) && parts.at(-1)!.length) parts.push([])
    parts.at(-1)!.push(message)
  }
  return parts
}

const areTogether = (one: Message, next: Message) =>
  one.author.id === next.author.id &&
  Date.parse(next.created_at) - Date.parse(one.created_at) < TOGETHER &&
  dayOf(one.created_at) === dayOf(next.created_at)

/** Cuts a thread into pieces, which are drawn each for itself. */
export function toPieces({ messages, outgoing, changes, me, unreadAfter, whole }: Given): Piece[] {
  const waiting = changes.filter((change) => whole || change.created_at >= (messages[0]?.created_at ?? ''))
  const divided =
    unreadAfter === null
      ? undefined
      : messages.find(({ id, author }) => id > unreadAfter && author.id !== me.id)
  const parts = cut(messages)
  const pieces: Piece[] = []
  for (const [at, part] of parts.entries()) {
    const [first] = part
    const last = part.at(-1)
    const isLast = at === parts.length - 1
    const later = isLast ? -1 : waiting.findIndex((change) => change.created_at > last!.created_at)
    const own = waiting.splice(0, later < 0 ? waiting.length : later)
    const before = parts[at - 1]?.at(-1)
    const joins = Boolean(
      before &&
        first &&
        areTogether(before, first) &&
        first !== divided &&
        !(own[0] && own[0].created_at <= first.created_at),
    )
    if (joins) pieces.at(-1)!.goesOn = true
    const unread = divided && part.includes(divided) ? divided.id : null
    pieces.push({
      messages: part,
      outgoing: isLast ? outgoing : [],
      changes: own,
      since: before?.created_at ?? null,
      joins,
      goesOn: false,
      unread,
    })
  }
  return pieces
}

const areSame = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((each, at) => each === other[at])

export const isSamePiece = (one: Piece, other: Piece) =>
  areSame(one.messages, other.messages) &&
  areSame(one.outgoing, other.outgoing) &&
  areSame(one.changes, other.changes) &&
  one.since === other.since &&
  one.joins === other.joins &&
  one.goesOn === other.goesOn &&
  one.unread === other.unread

/** Lays a piece out: by day, by author within five minutes, with what happened to the group between them. */
export function toMessageChunks(
  { messages, outgoing, changes, since, joins, goesOn, unread }: Piece,
  me: Person,
): MessageChunk[] {
  const blocks: MessageChunk[] = []
  const waiting = [...changes]
  let day = since === null ? '' : dayOf(since)

  const newDay = (at: string) => {
    if (dayOf(at) === day) return
    day = dayOf(at)
    blocks.push({ kind: 'day', key: `day ${day}`, at })
  }
  const changesUntil = (at: string | null) => {
    while (waiting[0] && (at === null || waiting[0].created_at <= at)) {
      const change = waiting.shift()!
      newDay(change.created_at)
      blocks.push({ kind: 'change', key: `change ${change.id}`, change })
    }
  }

  const lastTalk = (author: number, at: string) => {
    const before = blocks.at(-1)
    if (before?.kind !== 'talk' || before.author.id !== author) return null
    return Date.parse(at) - Date.parse(before.messages.at(-1)!.created_at) < TOGETHER ? before : null
  }
  const newTalk = (author: Person) => {
    const talk = {
      kind: 'talk' as const,
      author,
      own: author.id === me.id,
      joins: joins && !blocks.length,
      goesOn: false,
    }
    const block = { ...talk, messages: [] as Message[], outgoing: [] as Outbox }
    blocks.push(block)
    return block
  }

  for (const message of messages) {
    changesUntil(message.created_at)
    newDay(message.created_at)
    if (message.id === unread) blocks.push({ kind: 'unread', key: 'unread' })
    const { author, created_at } = message
    const talk = lastTalk(author.id, created_at) ?? newTalk(author)
    talk.messages.push(message)
  }
  changesUntil(null)
  const last = blocks.at(-1)
  if (last?.kind === 'talk') last.goesOn = goesOn
  // In the group in which they will stand when they have arrived, so that nothing moves then.
  const [first] = outgoing
  if (!first) return blocks
  newDay(first.at)
  const talk = lastTalk(me.id, first.at) ?? newTalk(me)
  talk.outgoing = outgoing
  return blocks
}

/** Nothing but a few emoji: shown large. What has letters is told by them, for the list of all emoji is long to read. */
export const isEmoji = (text: string) =>
  text.length < 60 && !/\p{L}/u.test(text) && /^(\p{RGI_Emoji}\s?){1,3}$/v.test(text)
