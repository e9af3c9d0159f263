import type { ContentRef } from '#web/AddedContentParts.tsx'
import { onOwnAccountProfileOrFollowsChange } from '#web/me.ts'
import { listenToChannel } from '#web/realtime.ts'

// Loads the data that a feature adds to the posts, replies and messages on the page, such as their reactions.
// Live events keep this data up to date. Each post, reply and message has a key, such as `post 12`.

/**
 * The maximum number of ids of each kind in one request: `MAX_IDS_PER_REACTION_SUMMARY` in
 * features/reactions/contract.ts.
 */
const MAX_IDS = 100
/** The data of keys that are wanted within this many milliseconds is requested together. */
const BATCH_TIME = 16
/** The milliseconds to wait after a failed request. After each further failure they double, up to `max`. */
const RETRY = { first: 2000, max: 60_000 }
/**
 * After an outage, which ends for all readers at the same time, each reader requests the data after a random
 * delay of at most this many milliseconds.
 */
const MAX_JITTER = 2000
/**
 * A channel without readers keeps its subscription for this many milliseconds, by the kind of the content.
 * The channel of a conversation is left soon after its page, as the specification demands. The channel of
 * the posts has a subscription on every page, so the data of posts that are shown again stays up to date.
 */
const KEPT = { post: 60_000, reply: 60_000, message: 500 } satisfies Record<ContentRef['kind'], number>
/**
 * Content has arrived by a live event if it was written at most `AGE` milliseconds ago, and its channel has
 * been subscribed to for more than `SUBSCRIBED` milliseconds. Live events also tell of the data of such
 * content, so the page does not request it at once; otherwise all readers would request it at the same
 * moment. The page requests it as a check after `CHECK` to two times `CHECK` milliseconds.
 */
const NEW = { AGE: 10_000, SUBSCRIBED: 15_000, CHECK: 20_000 }

export const toContentKey = (kind: ContentRef['kind'], id: number) => `${kind} ${id}`
const keyOf = ({ kind, id }: ContentRef) => toContentKey(kind, id)

/** A channel whose events are received. */
interface Channel {
  readers: number
  /** The number of subscriptions so far. Data that was requested before the last one may be outdated. */
  epoch: number
  subscribedAt: number
  stop: () => void
  timer?: ReturnType<typeof setTimeout>
}

/** The ids of posts, replies and messages, separated by commas. */
export type ContentIdsQuery = Readonly<Record<'posts' | 'replies' | 'messages', string>>

interface ContentLoaderOptions<Answer> {
  /** The keys whose data came with the page. */
  initialKeys: readonly string[]
  /** Whether the data of this content must be requested. Default: always. */
  isNeeded?: (content: ContentRef) => boolean
  request: (ids: ContentIdsQuery) => Promise<Answer>
  /** Stores the answer of the server about these keys. */
  store: (keys: readonly string[], answer: Answer) => void
  /** Handles the live events of the channels, by name. */
  events: Readonly<Record<string, (data: never) => void>>
}

export class ContentBatchLoader<Answer> {
  private readonly options: ContentLoaderOptions<Answer>
  private readonly channels = new Map<string, Channel>()
  /** The posts, replies and messages on the page, by key, and how many views show each of them. */
  private readonly onPage = new Map<string, { content: ContentRef; views: number }>()
  /** The value of `Channel.epoch` when the data of a key was last requested. */
  private readonly epochs: Map<string, number>
  /**
   * `wanted`: the keys that will be requested soon. `changedMeanwhile`: the keys whose data an event changed
   * while a request was running.
   */
  private readonly wanted = new Set<string>()
  private readonly changedMeanwhile = new Set<string>()
  private isRequesting = false
  /** Whether a timer runs that starts the next request. */
  private isPlanned = false
  private retryTime = RETRY.first

  constructor(options: ContentLoaderOptions<Answer>) {
    this.options = options
    this.epochs = new Map(options.initialKeys.map((key) => [key, 0]))
    onOwnAccountProfileOrFollowsChange((change) => {
      if (change !== 'account') return
      this.epochs.clear()
      this.requestSoon(this.onPage.keys())
    })
  }

  /** Keeps the data of a post, reply or message up to date until the returned function is called. */
  keepUpToDate(content: ContentRef) {
    const key = keyOf(content)
    const known = this.onPage.get(key)
    if (known) known.views++
    else this.onPage.set(key, { content, views: 1 })
    const stop = this.addReader(content.channel, KEPT[content.kind])
    let check: ReturnType<typeof setTimeout> | undefined
    const epoch = this.epochs.get(key)
    if (epoch === undefined || epoch < this.epochOf(content)) {
      if (this.hasArrivedLive(content))
        check = setTimeout(() => this.requestSoon([key]), NEW.CHECK * (1 + Math.random()))
      else this.requestSoon([key])
    }
    return () => {
      clearTimeout(check)
      const shown = this.onPage.get(key)!
      if (!--shown.views) this.onPage.delete(key)
      stop()
    }
  }

  /**
   * Records that an event has changed the data of a key, so that an older answer does not replace it. Returns
   * false if the page does not know the key; then the event is of no use.
   */
  recordChange(key: string) {
    if (!this.onPage.has(key) && !this.epochs.has(key)) return false
    this.changedMeanwhile.add(key)
    return true
  }

  /**
   * Requests the data of these keys once more, because an event did not contain all of it. Each reader waits
   * for a random time, because all readers get the event at the same moment.
   */
  requestAgain(keys: readonly string[]) {
    setTimeout(() => this.requestSoon(keys), Math.random() * MAX_JITTER)
  }

  private epochOf({ channel }: ContentRef) {
    return this.channels.get(channel)?.epoch ?? 0
  }

  private hasArrivedLive({ createdAt, channel }: ContentRef) {
    const subscribedAt = this.channels.get(channel)?.subscribedAt ?? Number.POSITIVE_INFINITY
    return (
      Math.abs(Date.now() - Date.parse(createdAt)) < NEW.AGE &&
      performance.now() - subscribedAt > NEW.SUBSCRIBED
    )
  }

  private requestSoon(keys: Iterable<string>, delay = BATCH_TIME) {
    for (const key of keys) this.wanted.add(key)
    if (this.isRequesting || this.isPlanned || !this.wanted.size) return
    this.isPlanned = true
    setTimeout(() => this.request(), delay)
  }

  private async request() {
    this.isPlanned = false
    this.isRequesting = true
    const { isNeeded = () => true } = this.options
    const contents = [...this.wanted]
      .flatMap((key) => this.onPage.get(key)?.content ?? [])
      .filter((content) => isNeeded(content))
    this.wanted.clear()
    this.changedMeanwhile.clear()
    const listOf = (kind: ContentRef['kind']) => contents.filter((one) => one.kind === kind).slice(0, MAX_IDS)
    const [posts, replies, messages] = [listOf('post'), listOf('reply'), listOf('message')]
    const batch = [...posts, ...replies, ...messages]
    const idsOf = (all: readonly ContentRef[]) => all.map(({ id }) => id).join()
    for (const content of batch) this.epochs.set(keyOf(content), this.epochOf(content))
    let delay: number | undefined
    try {
      if (batch.length) {
        const ids = { posts: idsOf(posts), replies: idsOf(replies), messages: idsOf(messages) }
        const answer = await this.options.request(ids)
        // Requests the data of changed keys once more, because an event may be newer than the answer.
        for (const key of this.changedMeanwhile) this.wanted.add(key)
        const isUnchanged = (key: string) => !this.changedMeanwhile.has(key)
        this.options.store(batch.map(keyOf).filter(isUnchanged), answer)
      }
      this.retryTime = RETRY.first
    } catch {
      // Tries again later, and shows no error: until then the page lacks the latest data, but shows nothing
      // wrong.
      for (const content of batch) this.wanted.add(keyOf(content))
      delay = this.retryTime
      this.retryTime = Math.min(2 * this.retryTime, RETRY.max)
    }
    this.isRequesting = false
    this.requestSoon(contents.filter((content) => !batch.includes(content)).map(keyOf), delay)
  }

  /**
   * Runs after each subscription to a channel. Events may have been missed before, so it requests the data of
   * all content of this channel that is on the page.
   */
  private handleSubscription(name: string, channel: Channel) {
    channel.subscribedAt = performance.now()
    const isFirst = channel.epoch++ === 0
    const load = () =>
      this.requestSoon(
        [...this.onPage.values()].flatMap(({ content }) => (content.channel === name ? keyOf(content) : [])),
      )
    if (isFirst) load()
    else setTimeout(load, Math.random() * MAX_JITTER)
  }

  /**
   * Adds a reader to a channel, and receives the events of the channel. The returned function removes the
   * reader. A channel without readers is left after `keptFor` milliseconds.
   */
  private addReader(name: string, keptFor: number) {
    const known = this.channels.get(name)
    const channel = known ?? { readers: 0, epoch: 0, subscribedAt: Number.POSITIVE_INFINITY, stop: () => {} }
    channel.readers++
    clearTimeout(channel.timer)
    if (!known) {
      this.channels.set(name, channel)
      channel.stop = listenToChannel(name, {
        onSubscribed: () => this.handleSubscription(name, channel),
        events: this.options.events,
      })
    }
    return () => {
      if (--channel.readers) return
      channel.timer = setTimeout(() => {
        channel.stop()
        this.channels.delete(name)
        // Forgets the epochs of content that is no longer on the page, because the events of this channel are
        // no longer received. So its data is requested again when the content is shown again.
        for (const key of this.epochs.keys()) if (!this.onPage.has(key)) this.epochs.delete(key)
      }, keptFor)
    }
  }
}
