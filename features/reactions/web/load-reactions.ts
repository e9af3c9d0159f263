import { fillChannelParameters } from '#core/contract.ts'
import { chatChannelDefinitions } from '#features/chat/channel-contract.ts'
import type { ContentRef } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { onChangeByCurrentUser } from '#web/me.ts'
import { initialPageData } from '#web/page-data.ts'
import { listenToChannel } from '#web/realtime.ts'
import { type ReactionEvents, reactionEndpoints } from '../contract.ts'
import { receiveEvent, storeInitialReactions, storeSummaries, toReactionKey } from './reaction-store.ts'

// Loads the reactions to the posts, replies and messages that are on the page, and keeps them up to date by
// live events.

/** The maximum number of posts, of replies and of messages in one request: `MAX_SUMMARY_IDS` of the contract. */
const MAX_IDS = 100
/** Reactions that are wanted within this many milliseconds are requested together. */
const BATCH_TIME = 16
/** The milliseconds to wait after a failed request. They double each time, up to `max`. */
const RETRY = { first: 2000, max: 60_000 }
/**
 * After an outage, which ends for all readers at the same time, each reader requests the reactions after a
 * random delay of at most this many milliseconds.
 */
const MAX_JITTER = 2000
/**
 * A channel without readers keeps its subscription for this many milliseconds, by the kind of the content.
 * The channel of a conversation is left soon after its page, as the specification demands. The channel of
 * the posts has a subscription on every page, so the reactions of posts that are shown again stay up to date.
 */
const KEPT = { post: 60_000, reply: 60_000, message: 500 } satisfies Record<ContentRef['kind'], number>
/**
 * Content has arrived by a live event if it was written at most `AGE` milliseconds ago, and its channel has
 * been subscribed to for more than `SUBSCRIBED` milliseconds. Live events also tell of the reactions to
 * such content, so the page does not request its reactions at once; otherwise all readers would request
 * them at the same moment. The page requests them as a check after `CHECK` to two times `CHECK`
 * milliseconds.
 */
const NEW = { AGE: 10_000, SUBSCRIBED: 15_000, CHECK: 20_000 }

/** A channel whose events are received. */
interface Channel {
  readers: number
  /** The number of subscriptions so far. Reactions that were requested before the last one may be outdated. */
  epoch: number
  subscribedAt: number
  stop: () => void
  timer?: ReturnType<typeof setTimeout>
}
const channels = new Map<string, Channel>()
/** The posts, replies and messages on the page, by key, and how many views show each of them. */
const onPage = new Map<string, { content: ContentRef; views: number }>()
/** The value of `Channel.epoch` when the reactions of a key were last requested. */
const epochs = new Map<string, number>(storeInitialReactions().map((key) => [key, 0]))

const keyOf = ({ kind, id }: ContentRef) => toReactionKey(kind, id)
const epochOf = ({ channel }: ContentRef) => channels.get(channel)?.epoch ?? 0

/**
 * `wanted`: the keys that will be requested soon. `changedMeanwhile`: the keys whose reactions an event
 * changed while a request was running.
 */
const wanted = new Set<string>()
const changedMeanwhile = new Set<string>()
let isRequesting = false
/** Whether a timer runs that starts the next request. */
let isPlanned = false
let retryTime = RETRY.first

function requestSoon(keys: Iterable<string>, delay = BATCH_TIME) {
  for (const key of keys) wanted.add(key)
  if (isRequesting || isPlanned || !wanted.size) return
  isPlanned = true
  setTimeout(request, delay)
}

async function request() {
  isPlanned = false
  isRequesting = true
  const contents = [...wanted].flatMap((key) => onPage.get(key)?.content ?? [])
  wanted.clear()
  changedMeanwhile.clear()
  const ofKind = (kind: ContentRef['kind']) => contents.filter((one) => one.kind === kind)
  const [posts, replies, messages] = [ofKind('post'), ofKind('reply'), ofKind('message')]
  const batch = [posts, replies, messages].flatMap((all) => all.slice(0, MAX_IDS))
  const idsOf = (all: readonly ContentRef[]) =>
    all
      .slice(0, MAX_IDS)
      .map(({ id }) => id)
      .join()
  for (const content of batch) epochs.set(keyOf(content), epochOf(content))
  let delay: number | undefined
  try {
    if (batch.length) {
      const input = { posts: idsOf(posts), replies: idsOf(replies), messages: idsOf(messages) }
      const answer = await callEndpoint(reactionEndpoints.summaries, input)
      // An event may be newer than the answer, so the reactions that it changed are requested once more.
      for (const key of changedMeanwhile) wanted.add(key)
      storeSummaries(
        batch.map(keyOf).filter((key) => !changedMeanwhile.has(key)),
        answer,
      )
    }
    retryTime = RETRY.first
  } catch {
    // Tries again later, and shows no error: until then the page lacks the latest reactions, but nothing on
    // it is wrong.
    for (const content of batch) wanted.add(keyOf(content))
    delay = retryTime
    retryTime = Math.min(2 * retryTime, RETRY.max)
  }
  isRequesting = false
  requestSoon(contents.filter((content) => !batch.includes(content)).map(keyOf), delay)
}

/**
 * Runs after each subscription to a channel. Requests the reactions to everything of this channel that is
 * on the page, because events may have been missed.
 */
function onSubscribed(name: string, channel: Channel) {
  channel.subscribedAt = performance.now()
  const isFirst = channel.epoch++ === 0
  const load = () =>
    requestSoon(
      [...onPage.values()].flatMap(({ content }) => (content.channel === name ? keyOf(content) : [])),
    )
  if (isFirst) load()
  else setTimeout(load, Math.random() * MAX_JITTER)
}

/**
 * Adds a reader to a channel, and receives the events of the channel. The returned function removes the
 * reader. A channel without readers is left after `keptFor` milliseconds.
 */
function addReader(name: string, keptFor: number) {
  const known = channels.get(name)
  const channel = known ?? { readers: 0, epoch: 0, subscribedAt: Number.POSITIVE_INFINITY, stop: () => {} }
  channel.readers++
  clearTimeout(channel.timer)
  if (!known) {
    channels.set(name, channel)
    channel.stop = listenToChannel(name, {
      onSubscribed: () => onSubscribed(name, channel),
      events: {
        ReactionsChanged({ subject, subject_id, reactions }: ReactionEvents['ReactionsChanged']) {
          const key = toReactionKey(subject, subject_id)
          if (!onPage.has(key) && !epochs.has(key)) return
          changedMeanwhile.add(key)
          receiveEvent(key, { counts: reactions })
        },
      },
    })
  }
  return () => {
    if (--channel.readers) return
    channel.timer = setTimeout(() => {
      channel.stop()
      channels.delete(name)
      // Forgets what was requested for content that is no longer on the page, because the events of this
      // channel are no longer received. So the reactions are requested again when the content is shown
      // again.
      for (const key of epochs.keys()) if (!onPage.has(key)) epochs.delete(key)
    }, keptFor)
  }
}

let stopOwnEvents: (() => void) | undefined
/**
 * Receives the changes of the member's own reactions, which may come from another window. Without the
 * feature `chat`, the channel of these events does not exist.
 */
function receiveOwnEvents(me: number) {
  if (stopOwnEvents || !initialPageData.app.features.includes('chat')) return
  stopOwnEvents = listenToChannel(fillChannelParameters(chatChannelDefinitions.member, { user: me }), {
    events: {
      OwnReactionChanged({ subject, subject_id, emoji, mine }: ReactionEvents['OwnReactionChanged']) {
        const key = toReactionKey(subject, subject_id)
        if (!onPage.has(key) && !epochs.has(key)) return
        changedMeanwhile.add(key)
        receiveEvent(key, { emoji, mine })
      },
    },
  })
}

const hasArrivedLive = ({ createdAt, channel }: ContentRef) =>
  Math.abs(Date.now() - Date.parse(createdAt)) < NEW.AGE &&
  performance.now() - (channels.get(channel)?.subscribedAt ?? Number.POSITIVE_INFINITY) > NEW.SUBSCRIBED

/** Keeps the reactions to something on the page up to date until the returned function is called. */
export function keepReactionsUpToDate(content: ContentRef, me: number | null) {
  const key = keyOf(content)
  const known = onPage.get(key)
  if (known) known.views++
  else onPage.set(key, { content, views: 1 })
  const stop = addReader(content.channel, KEPT[content.kind])
  if (me !== null) receiveOwnEvents(me)
  let check: ReturnType<typeof setTimeout> | undefined
  if (epochs.get(key) === undefined || epochs.get(key)! < epochOf(content)) {
    if (hasArrivedLive(content)) check = setTimeout(requestSoon, NEW.CHECK * (1 + Math.random()), [key])
    else requestSoon([key])
  }
  return () => {
    clearTimeout(check)
    const shown = onPage.get(key)!
    if (!--shown.views) onPage.delete(key)
    stop()
  }
}

onChangeByCurrentUser((change) => {
  if (change !== 'account') return
  epochs.clear()
  stopOwnEvents?.()
  stopOwnEvents = undefined
  requestSoon(onPage.keys())
})
