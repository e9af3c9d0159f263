import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { BadSetting } from '#core/config.ts'
import type { Redis } from '#core/redis.ts'

/** How the processes of one community hear each other. */
export interface Bus<News> {
  readonly me: string
  /**
   * What is published reaches all processes, the publisher too; news of one topic reach each in one order. Resolves once it has left:
   * to false where the others could not be reached, and it was heard here alone. They will know that they have missed something.
   */
  publish(topic: string, news: News): Promise<boolean>
  /** Resolves once all that was published has left. */
  flushed(): Promise<unknown>
  /** News of topics with the same stream may travel as one. */
  streamOf(topic: string): number
  /** Other processes that were heard lately. */
  others(): readonly string[]
  /** Whether what we say comes back to us. */
  isConnected(): boolean
  close(): Promise<void>
}

export interface BusHandlers<News> {
  hear(news: News, from: string): void
  /** Somebody came, or has missed something: what others should know of us is to be said again. */
  asked(): void
  /** Something was said that did not reach us. */
  missed(): void
  /** A process ended, or was silent for too long. */
  went(process: string): void
}

/** One process has only itself to tell. */
export const createMemoryBus = <News>({ hear }: BusHandlers<News>): Bus<News> => ({
  me: 'alone',
  publish: async (_, news) => {
    hear(news, 'alone')
    return true
  },
  flushed: async () => {},
  streamOf: () => 0,
  others: () => [],
  isConnected: () => true,
  close: async () => {},
})

/** Topics are dealt to so many streams, which a cluster spreads over its nodes: few enough that each process hears all of them. */
const STREAMS = 8
/** Milliseconds. Each process says so often, on each stream, how much it has said. */
const BEAT = 2000
const SILENT = 5 * BEAT
/** Without an echo for so long, a stream is asked for anew; and who was late by as much has slept, and may have missed something. */
const LATE = 2.5 * BEAT
/** What was missed is mostly missed on several streams at once. */
const GATHER = 300

/** `n` counts what a process has said on a stream: whoever hears one too far knows that something was lost. */
interface Message<News> {
  from: string
  n: number
  news?: News
  call?: 'beat' | 'ask' | 'bye'
  /** With `bye`: what it has said on each stream. */
  all?: readonly number[]
}

interface Peer {
  at: number
  counts: (number | undefined)[]
}

/** Throws BadSetting where Redis cannot carry it. */
export async function createRedisBus<News>(
  redis: Redis,
  ears: BusHandlers<News>,
  log: FastifyBaseLogger,
): Promise<Bus<News>> {
  const me = randomUUID()
  const channels = Array.from({ length: STREAMS }, (_, stream) => `${redis.name}:${stream}`)
  const said = channels.map(() => 0)
  const echoedAt = channels.map(() => 0)
  const heard = new Map<string, Peer>()
  const leaving = new Set<Promise<boolean>>()
  let gathering: NodeJS.Timeout | undefined
  let joined = true
  /** Our own line was cut, so that anything may have passed it by. */
  let wasCut = false
  let watchedAt = performance.now()
  /** What came before anybody here could hear it. */
  let early: [string, string][] | null = []

  const post = (stream: number, message: Omit<Message<News>, 'from'>) =>
    redis.publish(channels[stream]!, JSON.stringify({ from: me, ...message }))
  const beat = () =>
    Promise.allSettled(channels.map((_, stream) => post(stream, { n: said[stream]!, call: 'beat' })))
  const ask = () => post(0, { n: said[0]!, call: 'ask' }).catch(() => {}) // the next beat tells what the answer would have

  function listen(text: string, channel: string) {
    if (early) return void early.push([text, channel])
    try {
      read(JSON.parse(text) as Message<News>, channels.indexOf(channel))
    } catch (error) {
      log.error({ err: error }, 'What another process said could not be heard')
    }
  }

  function read({ from, n, news, call, all }: Message<News>, stream: number) {
    const now = performance.now()
    if (from === me) {
      echoedAt[stream] = now
      if (wasCut) {
        wasCut = false
        miss()
      }
    }
    const peer = heard.get(from) ?? meet(from)
    peer.at = now
    if (call === 'bye') {
      if (all?.some((count, one) => peer.counts[one] !== undefined && count > peer.counts[one])) miss()
      return forget(from)
    }
    const expected =
      peer.counts[stream] === undefined ? n : peer.counts[stream] + (news === undefined ? 0 : 1)
    peer.counts[stream] = Math.max(n, peer.counts[stream] ?? 0)
    if (n > expected) miss()
    if (call === 'ask' && from !== me) {
      void beat()
      ears.asked()
    }
    // One that we had given up, and have heard without Redis.
    if (news !== undefined && n >= expected) ears.hear(news, from)
  }

  function meet(from: string) {
    const peer: Peer = { at: performance.now(), counts: channels.map(() => undefined) }
    heard.set(from, peer)
    if (from !== me) void ask()
    return peer
  }

  function forget(from: string) {
    if (heard.delete(from) && from !== me) ears.went(from)
  }

  function miss() {
    if (gathering) return
    void ask()
    gathering = setTimeout(() => {
      gathering = undefined
      log.warn(
        'Something that other processes said was lost on the way: those who listen here are asked to connect again',
      )
      ears.missed()
    }, GATHER).unref()
  }

  async function say(topic: string, news: News) {
    const stream = streamOf(topic)
    const n = ++said[stream]!
    try {
      await post(stream, { n, news })
      return true
    } catch (error) {
      wasCut = true
      log.warn({ err: error }, 'The other processes were not told')
      const { counts } = heard.get(me) ?? meet(me)
      if ((counts[stream] ?? 0) < n) {
        counts[stream] = n
        ears.hear(news, me)
      }
      return false
    }
  }

  const subscribe = () => Promise.all(channels.map((channel) => redis.subscribe(channel, listen)))

  async function watch() {
    const now = performance.now()
    if (now - watchedAt > LATE) wasCut = true
    watchedAt = now
    const isHeard = echoedAt.every((at) => now - at < SILENT)
    if (isHeard !== joined)
      log[isHeard ? 'info' : 'error'](
        isHeard ? 'The other processes are back' : 'The other processes cannot be reached',
      )
    joined = isHeard
    if (!joined) wasCut = true
    for (const [id, { at }] of heard)
      if (id !== me && now - at > SILENT) {
        // It may have answered somebody, and ended before it could tell the others.
        forget(id)
        miss()
      }
    if (echoedAt.some((at) => now - at > LATE)) await subscribe().catch(() => {}) // tried again with the next beat
    await beat()
  }

  redis.onCut(() => {
    wasCut = true
  })
  await subscribe().catch((error: Error) => {
    throw new BadSetting(`REDIS_URL takes Redis 7 or newer, or Valkey (${error.message}).`)
  })
  await beat()
  await ask()
  const timer = setInterval(() => void watch(), BEAT).unref()
  setImmediate(() => {
    const waiting = early ?? []
    early = null
    for (const [text, channel] of waiting) listen(text, channel)
  })

  return {
    me,
    publish(topic, news) {
      const left = say(topic, news).finally(() => leaving.delete(left))
      leaving.add(left)
      return left
    },
    flushed: () => Promise.all(leaving),
    streamOf,
    others: () => [...heard.keys()].filter((id) => id !== me),
    isConnected: () => joined,
    async close() {
      clearInterval(timer)
      clearTimeout(gathering)
      await post(0, { n: said[0]!, call: 'bye', all: said }).catch(() => {}) // they will notice
    },
  }
}

function streamOf(topic: string) {
  let sum = 0
  for (let at = 0; at < topic.length; at++) sum = (sum * 31 + topic.charCodeAt(at)) >>> 0
  return sum % STREAMS
}
