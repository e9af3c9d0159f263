import type { GroupChange } from '#features/chat/contract.ts'
import type { Outgoing } from '#features/chat/outbox.tsx'
import type { Message } from '#features/chat/thread.tsx'
import type { Person } from '#features/people/contract.ts'

/** What stands below another in a thread. */
export type Block =
  | { kind: 'day'; key: string; at: string }
  | { kind: 'unread'; key: string }
  | { kind: 'change'; key: string; change: GroupChange }
  | { kind: 'talk'; key: string; author: Person; own: boolean; messages: Message[]; outgoing: readonly Outgoing[] }

const TOGETHER = 5 * 60_000
const dayOf = (at: string) => new Date(at).toDateString()

interface Given {
  messages: readonly Message[]
  outgoing: readonly Outgoing[]
  changes: readonly GroupChange[]
  me: Person
  /** The divider stands before the first message of others beyond this one; null is nowhere. */
  unreadAfter: number | null
  /** Whether the beginning is there: then all the changes are, too. */
  whole: boolean
}

/** The same before and after a message has arrived; what clients make up is their own alone. */
const keyOf = (author: number, id: string | number) => `talk ${author} ${id}`

/** Lays messages out: by day, by author within five minutes, with what happened to the group between them. */
export function toBlocks({ messages, outgoing, changes, me, unreadAfter, whole }: Given): Block[] {
  const blocks: Block[] = []
  const since = whole ? '' : (messages[0]?.created_at ?? '')
  const waiting = changes.filter((change) => change.created_at >= since)
  let day = ''
  let divided = unreadAfter === null

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

  for (const message of messages) {
    changesUntil(message.created_at)
    newDay(message.created_at)
    if (!divided && message.id > unreadAfter! && message.author.id !== me.id) {
      divided = true
      blocks.push({ kind: 'unread', key: 'unread' })
    }
    const { author, created_at } = message
    const before = lastTalk(author.id, created_at)
    const key = keyOf(author.id, message.client_id ?? message.id)
    if (before) before.messages.push(message)
    else blocks.push({ kind: 'talk', key, author, own: author.id === me.id, messages: [message], outgoing: [] })
  }
  changesUntil(null)
  // In the group in which they will stand when they have arrived, so that nothing moves then.
  const [first] = outgoing
  if (!first) return blocks
  newDay(first.at)
  const before = lastTalk(me.id, first.at)
  if (before) before.outgoing = outgoing
  else blocks.push({ kind: 'talk', key: keyOf(me.id, first.client_id), author: me, own: true, messages: [], outgoing })
  return blocks
}

/** Nothing but a few emoji: shown large. What has letters is told by them, for the list of all emoji is long to read. */
export const isEmoji = (text: string) => text.length < 60 && !/\p{L}/u.test(text) && /^(\p{RGI_Emoji}\s?){1,3}$/v.test(text)
