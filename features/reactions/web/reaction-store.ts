import { contentKey } from '#web/content-loader.ts'
import { isSameJson } from '#web/is-same-json.ts'
import { onMeChange } from '#web/me.ts'
import { findAnswer } from '#web/page-data.ts'
import { createStore } from '#web/store.ts'
import {
  type EmojiCount,
  type ReactionEvents,
  reactionEndpoints,
  type SubjectKind,
  type Summaries,
} from '../contract.ts'

// The key of a post, reply or message is a text such as `post 12`.

export const toKey = contentKey

interface State {
  /** By key: those that the server has confirmed, with the changes that are being sent. */
  shown: ReadonlyMap<string, readonly EmojiCount[]>
  /** The emoji that members can add, in the order of their buttons. */
  offered: readonly string[]
}
export const state = createStore<State>({ shown: new Map(), offered: [] })

/** Confirmed by the server. */
interface Confirmed {
  counts: readonly { emoji: string; count: number }[]
  /** The emoji with which the member reacts. */
  mine: ReadonlySet<string>
}
const nothing: Confirmed = { counts: [], mine: new Set() }
const confirmed = new Map<string, Confirmed>()

/** While a change of the member is being sent, events are held back: they may be older than the response. */
type HeldEvent =
  | { counts: ReactionEvents['ReactionsChanged']['reactions'] }
  | { emoji: string; mine: boolean }
/** `wanted` says by emoji whether the member wants to react. `held` events have arrived meanwhile. */
interface Sending {
  wanted: Map<string, boolean>
  held: HeldEvent[]
}
const sending = new Map<string, Sending>()

function withWanted({ counts, mine }: Confirmed, wanted: ReadonlyMap<string, boolean>): EmojiCount[] {
  const known = new Set(counts.map(({ emoji }) => emoji))
  const added = [...wanted.keys()].filter((emoji) => !known.has(emoji)).map((emoji) => ({ emoji, count: 0 }))
  return [...counts, ...added]
    .map(({ emoji, count }) => {
      const wasMine = mine.has(emoji) && known.has(emoji)
      const isMine = wanted.get(emoji) ?? wasMine
      return { emoji, count: count + Number(isMine) - Number(wasMine), mine: isMine }
    })
    .filter(({ count }) => count > 0)
}

/** An object that has not changed stays the same, so that only changed components render again. */
function show(keys: Iterable<string>, offered = state.get().offered) {
  const before = state.get()
  const changed = [...keys]
    .map((key) => {
      const rows = withWanted(confirmed.get(key) ?? nothing, sending.get(key)?.wanted ?? new Map())
      return [key, rows] as const
    })
    .filter(([key, rows]) => !isSameJson(rows, before.shown.get(key) ?? []))
  state.patch({
    shown: changed.length ? new Map([...before.shown, ...changed]) : before.shown,
    offered: isSameJson(offered, before.offered) ? before.offered : offered,
  })
}

const setConfirmed = (key: string, rows: readonly EmojiCount[]) =>
  confirmed.set(key, {
    counts: rows,
    mine: new Set(rows.filter(({ mine }) => mine).map(({ emoji }) => emoji)),
  })

/**
 * A key that the response lacks has no reactions that the viewer may see. A key with a change that is being
 * sent is left as it is, because the response to the change will be newer.
 */
export function storeSummaries(keys: readonly string[], { emoji, posts, replies, messages }: Summaries) {
  const rowsOf = { post: posts, reply: replies, message: messages }
  for (const key of keys) {
    const [subject, id] = key.split(' ') as [SubjectKind, string]
    if (!sending.has(key)) setConfirmed(key, rowsOf[subject][id] ?? [])
  }
  show(keys, emoji)
}

function applyEvent(key: string, event: HeldEvent) {
  const { counts, mine } = confirmed.get(key) ?? nothing
  if ('counts' in event) {
    // The reactions with an emoji may disappear without an event about the member's own, as after a block.
    const isGone = (emoji: string) =>
      counts.some((row) => row.emoji === emoji) && !event.counts.some((row) => row.emoji === emoji)
    confirmed.set(key, { counts: event.counts, mine: new Set([...mine].filter((emoji) => !isGone(emoji))) })
  } else {
    const changed = new Set(mine)
    if (event.mine) changed.add(event.emoji)
    else changed.delete(event.emoji)
    confirmed.set(key, { counts, mine: changed })
  }
}

export function applyOrHold(key: string, event: HeldEvent) {
  const pending = sending.get(key)
  if (pending) return void pending.held.push(event)
  applyEvent(key, event)
  show([key])
}

/** Includes a change that is still being sent. */
export const hasOwn = (key: string, emoji: string) =>
  sending.get(key)?.wanted.get(emoji) ?? confirmed.get(key)?.mine.has(emoji) ?? false

/**
 * Shows the change at once. Null if a request about this emoji is already running; otherwise a function that
 * returns whether the member wants to react now.
 */
export function beginChange(key: string, emoji: string, mine: boolean) {
  const change = sending.get(key) ?? { wanted: new Map(), held: [] }
  const isOnItsWay = change.wanted.has(emoji)
  sending.set(key, change)
  change.wanted.set(emoji, mine)
  show([key])
  return isOnItsWay ? null : () => change.wanted.get(emoji)!
}

/**
 * `rows` are the reactions in the response; null if the request failed, and then the page shows the confirmed
 * state again. After a response, applies only the held events that came after the event about this change:
 * the others are older than the response.
 */
export function endChange(key: string, emoji: string, rows: readonly EmojiCount[] | null) {
  const change = sending.get(key)
  // The page has another account now, and has forgotten all changes that were being sent.
  if (!change) return
  const mine = change.wanted.get(emoji)
  change.wanted.delete(emoji)
  const ownEvent = change.held.findLastIndex(
    (event) => 'emoji' in event && event.emoji === emoji && event.mine === mine,
  )
  const newer = !rows ? change.held : ownEvent < 0 ? [] : change.held.slice(ownEvent + 1)
  if (rows) setConfirmed(key, rows)
  for (const event of newer) applyEvent(key, event)
  change.held = []
  if (!change.wanted.size) sending.delete(key)
  show([key])
}

/** From the HTML page. Returns the keys. */
export function storeInitial(): string[] {
  const summaries = findAnswer(reactionEndpoints.summaries)?.body as Summaries | undefined
  if (!summaries) return []
  const keysOf = (subject: SubjectKind, rows: object) =>
    Object.keys(rows).map((id) => toKey(subject, Number(id)))
  const keys = [
    ...keysOf('post', summaries.posts),
    ...keysOf('reply', summaries.replies),
    ...keysOf('message', summaries.messages),
  ]
  storeSummaries(keys, summaries)
  return keys
}

onMeChange((change) => {
  if (change !== 'account') return
  confirmed.clear()
  sending.clear()
  state.patch({ shown: new Map() })
})
