import { toContentKey } from '#web/content-loader.ts'
import { isSameJson } from '#web/is-same-json.ts'
import { addOwnAccountProfileOrFollowsListener } from '#web/me.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import { createStore } from '#web/store.ts'
import {
  type EmojiReactionCountWithMine,
  type ReactionEventDataByName,
  type ReactionSubjectKind,
  type ReactionSummariesAndOfferedEmoji,
  reactionEndpoints,
} from '../contract.ts'

// The store in this file has the reactions that the page knows. The key of a post, reply or message is a text
// such as `post 12`.

export const toReactionSubjectKey = toContentKey

interface State {
  /**
   * The reactions that the page shows, by the key of the post, reply or message: those that the server has
   * confirmed, with the changes that are being sent.
   */
  shown: ReadonlyMap<string, readonly EmojiReactionCountWithMine[]>
  /** The emoji that members can add, in the order of the buttons that add them. */
  offered: readonly string[]
}
export const reactionStore = createStore<State>({ shown: new Map(), offered: [] })

/** The reactions to one post, reply or message that the server has confirmed. */
interface Confirmed {
  counts: readonly { emoji: string; count: number }[]
  /** The emoji with which the member reacts to the post, reply or message. */
  mine: ReadonlySet<string>
}
const nothing: Confirmed = { counts: [], mine: new Set() }
const confirmed = new Map<string, Confirmed>()

/**
 * A live event about the reactions to a post, reply or message: the new numbers, or a change of the member's
 * own reaction. An event that arrives while a change of the member is being sent is held back until the
 * response, because the event may be older than the response.
 */
type HeldEvent =
  | { counts: ReactionEventDataByName['ReactionsChanged']['reactions'] }
  | { emoji: string; mine: boolean }
/**
 * The member's changes of reactions to one post, reply or message that are being sent. `wanted` says whether
 * the member wants to react, by emoji. `held` has the events that have arrived meanwhile.
 */
interface Sending {
  wanted: Map<string, boolean>
  held: HeldEvent[]
}
const sending = new Map<string, Sending>()

/** Returns the reactions that the server has confirmed, changed by what is being sent. */
function withWanted(
  { counts, mine }: Confirmed,
  wanted: ReadonlyMap<string, boolean>,
): EmojiReactionCountWithMine[] {
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

/**
 * Shows what is confirmed and being sent for these keys, and the `offered` emoji if they are given. What has
 * not changed stays the same object, so that only components whose reactions have changed render again.
 */
function show(keys: Iterable<string>, offered = reactionStore.get().offered) {
  const before = reactionStore.get()
  const changed = [...keys]
    .map((key) => {
      const rows = withWanted(confirmed.get(key) ?? nothing, sending.get(key)?.wanted ?? new Map())
      return [key, rows] as const
    })
    .filter(([key, rows]) => !isSameJson(rows, before.shown.get(key) ?? []))
  reactionStore.patch({
    shown: changed.length ? new Map([...before.shown, ...changed]) : before.shown,
    offered: isSameJson(offered, before.offered) ? before.offered : offered,
  })
}

const setConfirmed = (key: string, rows: readonly EmojiReactionCountWithMine[]) =>
  confirmed.set(key, {
    counts: rows,
    mine: new Set(rows.filter(({ mine }) => mine).map(({ emoji }) => emoji)),
  })

/**
 * Puts the response of the server for these keys into the store. If the response lacks a key, there are no
 * reactions that the viewer may see. A key with a change that is being sent is left as it is, because the
 * response to the change will be newer.
 */
export function storeReactionSummaries(
  keys: readonly string[],
  { emoji, posts, replies, messages }: ReactionSummariesAndOfferedEmoji,
) {
  const rowsOf = { post: posts, reply: replies, message: messages }
  for (const key of keys) {
    const [subject, id] = key.split(' ') as [ReactionSubjectKind, string]
    if (!sending.has(key)) setConfirmed(key, rowsOf[subject][id] ?? [])
  }
  show(keys, emoji)
}

function applyEvent(key: string, event: HeldEvent) {
  const { counts, mine } = confirmed.get(key) ?? nothing
  if ('counts' in event) {
    // Forgets that the member reacts with an emoji if its reactions have disappeared without an event about
    // the member's own reaction, for example because of a block.
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

/**
 * Applies a live event to the stored reactions to a post, reply or message. While a change of these reactions
 * is being sent, holds the event back.
 */
export function applyOrHoldReactionEvent(key: string, event: HeldEvent) {
  const pending = sending.get(key)
  if (pending) return void pending.held.push(event)
  applyEvent(key, event)
  show([key])
}

/** Returns whether the member reacts with the emoji, also if this change is still being sent. */
export const hasOwnReaction = (key: string, emoji: string) =>
  sending.get(key)?.wanted.get(emoji) ?? confirmed.get(key)?.mine.has(emoji) ?? false

/**
 * Shows on the page at once that the member adds a reaction (`mine` is true) or removes one. Returns null if
 * a request about this emoji is already running; otherwise returns a function that returns whether the member
 * wants to react now.
 */
export function beginOptimisticReactionChange(key: string, emoji: string, mine: boolean) {
  const change = sending.get(key) ?? { wanted: new Map(), held: [] }
  const isOnItsWay = change.wanted.has(emoji)
  sending.set(key, change)
  change.wanted.set(emoji, mine)
  show([key])
  return isOnItsWay ? null : () => change.wanted.get(emoji)!
}

/**
 * Ends a change that `beginOptimisticReactionChange` began. `rows` are the reactions in the response; null if
 * the request failed, and then the page shows again what the server has confirmed. After a response, applies
 * only those of the held events that came after the event about this change, because the others are older
 * than the response.
 */
export function endOptimisticReactionChange(
  key: string,
  emoji: string,
  rows: readonly EmojiReactionCountWithMine[] | null,
) {
  const change = sending.get(key)
  // Does nothing if the page has another account now, because all changes that were being sent were forgotten
  // then.
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

/**
 * Puts the reactions in the initial data of the HTML page into the store, and returns the keys of their
 * posts, replies and messages.
 */
export function storeInitialReactions(): string[] {
  const summaries = findInitialEndpointResponse(reactionEndpoints.summaries)?.body as
    | ReactionSummariesAndOfferedEmoji
    | undefined
  if (!summaries) return []
  const keysOf = (subject: ReactionSubjectKind, rows: object) =>
    Object.keys(rows).map((id) => toReactionSubjectKey(subject, Number(id)))
  const keys = [
    ...keysOf('post', summaries.posts),
    ...keysOf('reply', summaries.replies),
    ...keysOf('message', summaries.messages),
  ]
  storeReactionSummaries(keys, summaries)
  return keys
}

addOwnAccountProfileOrFollowsListener((change) => {
  if (change !== 'account') return
  confirmed.clear()
  sending.clear()
  reactionStore.patch({ shown: new Map() })
})
