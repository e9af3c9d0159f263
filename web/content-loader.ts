import type { PostReplyOrMessageInfo } from '#web/AddedContentParts.tsx'
import { addOwnAccountProfileOrFollowsListener } from '#web/me.ts'
import { listenToChannel } from '#web/realtime.ts'

// The class in this file loads data that a feature adds to the posts, replies and messages on the page, such
// as their reactions. Live events keep this data up to date. Each post, reply and message has a key, such as
// `post 12`.

/**
 * The maximum number of ids of each kind in one request: `MAX_IDS_PER_KIND_IN_REACTIONS_REQUEST` in
 * features/reactions/contract.ts.
 */
const MAX_IDS = 100
/**
 * The number of milliseconds for which keys are collected before one request fetches the data of all of them.
 */
const BATCH_TIME = 16
/**
 * The number of milliseconds between a failed request and the next attempt: `first`, and twice as many after
 * each further failure, up to `max`.
 */
const RETRY = { first: 2000, max: 60_000 }
/**
 * The maximum of a random delay in milliseconds before the page requests the data again after an outage. An
 * outage ends for the pages of all readers at the same moment, and without the delay all would send a request
 * then.
 */
const MAX_JITTER = 2000
/**
 * The number of milliseconds for which the page stays subscribed to a channel after the last view that used
 * the channel is gone, by the kind of the content. The channel of a conversation is left soon after its page,
 * as the specification demands. The channel of the posts has a subscription on every page, so the data of
 * posts that are shown again stays up to date.
 */
const KEPT = { post: 60_000, reply: 60_000, message: 500 } satisfies Record<
  PostReplyOrMessageInfo['kind'],
  number
>
/**
 * Times in milliseconds by which the page guesses that content has arrived as a live event: it was written at
 * most `AGE` ago, and the page has been subscribed to its channel for more than `SUBSCRIBED`. Live events also
 * bring the data of such content. So the page does not request the data at once, because the pages of all
 * readers would do so at the same moment. It requests the data as a check after `CHECK` to two times `CHECK`.
 */
const NEW = { AGE: 10_000, SUBSCRIBED: 15_000, CHECK: 20_000 }

export const toContentKey = (kind: PostReplyOrMessageInfo['kind'], id: number) => `${kind} ${id}`
const keyOf = ({ kind, id }: PostReplyOrMessageInfo) => toContentKey(kind, id)

/**
 * A real-time channel to which the page is subscribed. `readers` is the number of views that use the channel.
 */
interface Channel {
  readers: number
  /**
   * How often the page has subscribed to the channel so far. Data that was requested before the last
   * subscription may be outdated.
   */
  epoch: number
  subscribedAt: number
  stop: () => void
  timer?: ReturnType<typeof setTimeout>
}

/** For each kind of content, the ids whose data is requested, as one text with commas: `posts: '3,5'`. */
export type CommaSeparatedContentIdsByKind = Readonly<Record<'posts' | 'replies' | 'messages', string>>

interface ContentLoaderOptions<Answer> {
  /** The keys of the posts, replies and messages whose data came with the HTML of the page. */
  initialKeys: readonly string[]
  /**
   * Returns whether the data of a post, reply or message must be requested. Without this function, all data
   * is.
   */
  isNeeded?: (content: PostReplyOrMessageInfo) => boolean
  request: (ids: CommaSeparatedContentIdsByKind) => Promise<Answer>
  /**
   * Stores the data in the server's answer. `keys` name the posts, replies and messages that the answer is
   * about.
   */
  store: (keys: readonly string[], answer: Answer) => void
  /** The functions that handle the live events of the channels, by the name of the event. */
  events: Readonly<Record<string, (data: never) => void>>
}

export class AddedContentDataBatchLoader<Answer> {
  private readonly options: ContentLoaderOptions<Answer>
  private readonly channels = new Map<string, Channel>()
  /** The posts, replies and messages on the page, by key, and how many views show each of them. */
  private readonly onPage = new Map<string, { content: PostReplyOrMessageInfo; views: number }>()
  /** For each key, the `epoch` of its channel at the time when the data of the key was last requested. */
  private readonly epochs: Map<string, number>
  /**
   * `wanted` has the keys whose data the next request will fetch. `changedMeanwhile` has the keys whose data
   * a live event has changed while a request was running.
   */
  private readonly wanted = new Set<string>()
  private readonly changedMeanwhile = new Set<string>()
  private isRequesting = false
  /** Whether a timer is set that will start the next request. */
  private isPlanned = false
  private retryTime = RETRY.first

  constructor(options: ContentLoaderOptions<Answer>) {
    this.options = options
    this.epochs = new Map(options.initialKeys.map((key) => [key, 0]))
    addOwnAccountProfileOrFollowsListener((change) => {
      if (change !== 'account') return
      this.epochs.clear()
      this.requestSoon(this.onPage.keys())
    })
  }

  /** Keeps the data of a post, reply or message up to date until the returned function is called. */
  keepUpToDate(content: PostReplyOrMessageInfo) {
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
   * Records that a live event has changed the data of a key, so that the answer to an earlier request does
   * not replace the data. Returns false if the key belongs to nothing that the page shows or has shown; the
   * caller then ignores the event.
   */
  recordChange(key: string) {
    if (!this.onPage.has(key) && !this.epochs.has(key)) return false
    this.changedMeanwhile.add(key)
    return true
  }

  /**
   * Requests the data of these keys once more, because a live event did not contain all of it. Waits for a
   * random time first, because the pages of all readers get the event at the same moment.
   */
  requestAgain(keys: readonly string[]) {
    setTimeout(() => this.requestSoon(keys), Math.random() * MAX_JITTER)
  }

  private epochOf({ channel }: PostReplyOrMessageInfo) {
    return this.channels.get(channel)?.epoch ?? 0
  }

  private hasArrivedLive({ createdAt, channel }: PostReplyOrMessageInfo) {
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
    // Forgets that the data of content which has left the page was requested, so that it is requested again
    // when the content is shown again.
    for (const key of this.wanted) if (!this.onPage.has(key)) this.epochs.delete(key)
    const contents = [...this.wanted]
      .flatMap((key) => this.onPage.get(key)?.content ?? [])
      .filter((content) => isNeeded(content))
    this.wanted.clear()
    this.changedMeanwhile.clear()
    const listOf = (kind: PostReplyOrMessageInfo['kind']) =>
      contents.filter((one) => one.kind === kind).slice(0, MAX_IDS)
    const [posts, replies, messages] = [listOf('post'), listOf('reply'), listOf('message')]
    const batch = [...posts, ...replies, ...messages]
    const idsOf = (all: readonly PostReplyOrMessageInfo[]) => all.map(({ id }) => id).join()
    for (const content of batch) this.epochs.set(keyOf(content), this.epochOf(content))
    let delay: number | undefined
    try {
      if (batch.length) {
        const ids = { posts: idsOf(posts), replies: idsOf(replies), messages: idsOf(messages) }
        const answer = await this.options.request(ids)
        // Requests the data of keys that changed during the request once more, because an event may be newer
        // than the answer.
        for (const key of this.changedMeanwhile) this.wanted.add(key)
        const isUnchanged = (key: string) => !this.changedMeanwhile.has(key)
        this.options.store(batch.map(keyOf).filter(isUnchanged), answer)
      }
      this.retryTime = RETRY.first
    } catch {
      // Requests the data again later, and shows no error, because until then the page lacks the latest data,
      // but shows nothing wrong.
      for (const content of batch) this.wanted.add(keyOf(content))
      delay = this.retryTime
      this.retryTime = Math.min(2 * this.retryTime, RETRY.max)
    }
    this.isRequesting = false
    this.requestSoon(contents.filter((content) => !batch.includes(content)).map(keyOf), delay)
  }

  /**
   * Runs after each subscription to a channel. Requests the data of all posts, replies and messages of this
   * channel on the page, because their events before the subscription may have been missed.
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
   * Counts one more view that uses a channel. The first one subscribes to the channel and handles its events.
   * Returns a function that counts one view less; `keptFor` milliseconds after the last view is gone, the
   * page leaves the channel.
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
        // Forgets when the data of content that is no longer on the page was requested, because the page no
        // longer receives the events of this channel. So the data is requested again when the content is
        // shown again.
        for (const key of this.epochs.keys()) if (!this.onPage.has(key)) this.epochs.delete(key)
      }, keptFor)
    }
  }
}
