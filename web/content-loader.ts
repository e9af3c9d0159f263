import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { onMeChange } from '#web/me.ts'
import * as realtime from '#web/realtime.ts'

// Loads data that a feature adds to posts, replies and messages, such as reactions; live events keep it up to
// date. Each has a key, such as `post 12`.

/** In a request, of each kind: calls accept no more. */
const MAX_IDS = 100
/** Milliseconds for which keys are collected for one request. */
const BATCH_TIME = 16
/** Milliseconds after a failed request: `first`, and twice as many after each further one, up to `max`. */
const RETRY = { first: 2000, max: 60_000 }
/** Milliseconds at random: an outage ends for all readers at once, and all would send a request then. */
const MAX_JITTER = 2000
/**
 * Milliseconds until an unused channel is left. That of a conversation is left soon, as the specification
 * demands. That of the posts has a subscription on every page, so posts that are shown again are up to date.
 */
const KEPT = { post: 60_000, reply: 60_000, message: 500 } satisfies Record<ContentInfo['kind'], number>
/**
 * In ms. Content that is at most `AGE` old, on a channel subscribed for more than `SUBSCRIBED`, came as a
 * live event, which also brings its data. So the data is not requested at once, as all readers would, but as
 * a check after `CHECK` to two times `CHECK`.
 */
const NEW = { AGE: 10_000, SUBSCRIBED: 15_000, CHECK: 20_000 }

export const contentKey = (kind: ContentInfo['kind'], id: number) => `${kind} ${id}`
const keyOf = ({ kind, id }: ContentInfo) => contentKey(kind, id)

interface Channel {
  readers: number
  /** Subscriptions so far. Data that was requested before the last one may be outdated. */
  epoch: number
  subscribedAt: number
  /** The page was subscribed before this loader listened, so the loader may have missed events. */
  isLate: boolean
  stop: () => void
  timer?: ReturnType<typeof setTimeout>
}

/** Ids with commas: `posts: '3,5'`. */
export type ContentIds = Readonly<Record<'posts' | 'replies' | 'messages', string>>

interface ContentLoaderOptions<Answer> {
  /** Keys whose data came with the HTML of the page. */
  initialKeys: readonly string[]
  /** Without it, all data is requested. */
  isNeeded?: (content: ContentInfo) => boolean
  request: (ids: ContentIds) => Promise<Answer>
  /** `keys` are those that were asked for. */
  store: (keys: readonly string[], answer: Answer) => void
  /** By the name of the event. */
  events: Readonly<Record<string, (data: never) => void>>
}

export class ContentLoader<Answer> {
  private readonly options: ContentLoaderOptions<Answer>
  private readonly channels = new Map<string, Channel>()
  /** By key. */
  private readonly onPage = new Map<string, { content: ContentInfo; views: number }>()
  /** The `epoch` of the channel when the data of the key was last requested. */
  private readonly epochs: Map<string, number>
  /** `wanted`: keys of the next request. `changedMeanwhile`: keys changed by an event during a request. */
  private readonly wanted = new Set<string>()
  private readonly changedMeanwhile = new Set<string>()
  private isRequesting = false
  private isPlanned = false
  private retryTime = RETRY.first

  constructor(options: ContentLoaderOptions<Answer>) {
    this.options = options
    this.epochs = new Map(options.initialKeys.map((key) => [key, 0]))
    onMeChange((change) => {
      if (change !== 'account') return
      this.epochs.clear()
      this.requestSoon(this.onPage.keys())
    })
  }

  /** Until the returned function is called. */
  keepUpToDate(content: ContentInfo) {
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

  /** The answer to an earlier request then replaces nothing. False for a key that the page never showed. */
  recordChange(key: string) {
    if (!this.onPage.has(key) && !this.epochs.has(key)) return false
    this.changedMeanwhile.add(key)
    return true
  }

  /** Waits a random time, because all readers get the event at the same moment. */
  requestAgain(keys: readonly string[]) {
    setTimeout(() => this.requestSoon(keys), Math.random() * MAX_JITTER)
  }

  private epochOf({ channel }: ContentInfo) {
    return this.channels.get(channel)?.epoch ?? 0
  }

  private hasArrivedLive({ createdAt, channel }: ContentInfo) {
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
    // Content that has left the page is requested again when it is shown again.
    for (const key of this.wanted) if (!this.onPage.has(key)) this.epochs.delete(key)
    const contents = [...this.wanted]
      .flatMap((key) => this.onPage.get(key)?.content ?? [])
      .filter(
        (content) =>
          isNeeded(content) ||
          (this.channels.get(content.channel)?.isLate && !this.epochs.has(keyOf(content))),
      )
    this.wanted.clear()
    this.changedMeanwhile.clear()
    const listOf = (kind: ContentInfo['kind']) =>
      contents.filter((one) => one.kind === kind).slice(0, MAX_IDS)
    const [posts, replies, messages] = [listOf('post'), listOf('reply'), listOf('message')]
    const batch = [...posts, ...replies, ...messages]
    const idsOf = (all: readonly ContentInfo[]) => all.map(({ id }) => id).join()
    for (const content of batch) this.epochs.set(keyOf(content), this.epochOf(content))
    let delay: number | undefined
    try {
      if (batch.length) {
        const ids = { posts: idsOf(posts), replies: idsOf(replies), messages: idsOf(messages) }
        const answer = await this.options.request(ids)
        // An event may be newer than the answer.
        for (const key of this.changedMeanwhile) this.wanted.add(key)
        const isUnchanged = (key: string) => !this.changedMeanwhile.has(key)
        this.options.store(batch.map(keyOf).filter(isUnchanged), answer)
      }
      this.retryTime = RETRY.first
    } catch {
      // Without an error: the page lacks the latest data, but shows nothing wrong.
      for (const content of batch) this.wanted.add(keyOf(content))
      delay = this.retryTime
      this.retryTime = Math.min(2 * this.retryTime, RETRY.max)
    }
    this.isRequesting = false
    this.requestSoon(contents.filter((content) => !batch.includes(content)).map(keyOf), delay)
  }

  /** After each subscription, because earlier events may have been missed. */
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

  /** The first view subscribes. The page leaves the channel `keptFor` ms after the last view. */
  private addReader(name: string, keptFor: number) {
    const known = this.channels.get(name)
    const channel = known ?? {
      ...{ readers: 0, epoch: 0, subscribedAt: Number.POSITIVE_INFINITY },
      ...{ isLate: false, stop: () => {} },
    }
    channel.readers++
    clearTimeout(channel.timer)
    if (!known) {
      this.channels.set(name, channel)
      channel.stop = realtime.listen(name, {
        onSubscribed: () => this.handleSubscription(name, channel),
        events: this.options.events,
      })
      // A subscription that exists calls `onSubscribed` at once.
      channel.isLate = channel.epoch > 0
    }
    return () => {
      if (--channel.readers) return
      channel.timer = setTimeout(() => {
        channel.stop()
        this.channels.delete(name)
        // The page no longer receives the events of this channel, so what it does not show is requested again
        // when it is shown again.
        for (const key of this.epochs.keys()) if (!this.onPage.has(key)) this.epochs.delete(key)
      }, keptFor)
    }
  }
}
