import { createHash } from 'node:crypto'
import { BadSetting, type Config } from '#core/config.ts'

/** What we use of Redis 7 or newer, or Valkey: a single server or a cluster. A command fails at once while it is away, and within PATIENCE where it hangs. */
export interface Redis {
  /** What our keys and channels begin with: made of a secret of the community, so that another on the same Redis neither hears nor is heard. */
  readonly name: string
  /** Sharded: only the node that holds the channel's slot hears of it. */
  publish(channel: string, message: string): Promise<unknown>
  /** The same `hear` may subscribe again, for what was lost on the way. */
  subscribe(channel: string, hear: (message: string, channel: string) => void): Promise<void>
  /** Runs a Lua script on one key. */
  run(script: string, key: string, ...given: string[]): Promise<unknown>
  /** Tells whenever a line to a server was lost. */
  onCut(handler: () => void): void
  close(): Promise<void>
}

/** Milliseconds. */
const PATIENCE = 2000
const MOST_PAUSE = 500

/** Connects to one of the addresses; where that is a node of a cluster, to the whole of it. Throws BadSetting where none answers. */
export async function openRedis({ SECRET }: Config, addresses: readonly string[]): Promise<Redis> {
  // Loaded only where it is used: the small process does without.
  const { createClient, createCluster } = await import('@redis/client')
  const name = `engawa:${createHash('sha256').update('redis').update(SECRET).digest('base64url').slice(0, 16)}`
  const cuts = new Set<() => void>()
  const onCut = (handler: () => void) => void cuts.add(handler)
  const cut = () => {
    for (const handler of cuts) handler()
  }
  const inTime = patience()
  let joined = false
  const socket = {
    connectTimeout: 5000,
    socketTimeout: 15_000,
    reconnectStrategy: (tries: number, cause: Error) =>
      joined ? Math.min(20 * 2 ** tries, MOST_PAUSE) : cause,
  }
  const defaults = { disableOfflineQueue: true, pingInterval: 5000, socket }

  const isNodeOfCluster = async (url: string) => {
    const client = createClient({ ...defaults, url }).on('error', () => {})
    await client.connect()
    try {
      return /^cluster_enabled:1/m.test(await client.info('cluster'))
    } finally {
      client.destroy()
    }
  }
  const connect = async (url: string): Promise<Redis> => {
    if (await isNodeOfCluster(url)) {
      const { username, password, protocol } = new URL(url)
      const login = {
        ...(username && { username: decodeURIComponent(username) }),
        ...(password && { password: decodeURIComponent(password) }),
      }
      const tls = protocol === 'rediss:' && { tls: true as const }
      const cluster = createCluster({
        rootNodes: addresses.map((one) => ({ url: one })),
        defaults: { ...defaults, ...login, socket: { ...socket, ...tls } },
      })
      cluster.on('error', () => {}) // commands say it themselves, and it connects again
      for (const sign of ['node-reconnecting', 'node-disconnect'] as const) cluster.on(sign, cut)
      await cluster.connect()
      return {
        name,
        publish: (channel, message) => inTime(() => cluster.sPublish(channel, message)),
        subscribe: (channel, hear) => inTime(() => cluster.sSubscribe(channel, hear)),
        run: (script, key, ...given) => inTime(() => cluster.eval(script, { keys: [key], arguments: given })),
        onCut,
        close: async () => cluster.destroy(),
      }
    }
    const client = createClient({ ...defaults, url })
      .on('error', () => {})
      .on('reconnecting', cut)
    const listener = client
      .duplicate()
      .on('error', () => {})
      .on('reconnecting', cut)
    await Promise.all([client.connect(), listener.connect()])
    return {
      name,
      publish: (channel, message) => inTime(() => client.sPublish(channel, message)),
      subscribe: (channel, hear) => inTime(() => listener.sSubscribe(channel, hear)),
      run: (script, key, ...given) => inTime(() => client.eval(script, { keys: [key], arguments: given })),
      onCut,
      close: async () => {
        client.destroy()
        listener.destroy()
      },
    }
  }

  const reasons: string[] = []
  for (const url of addresses) {
    const redis = await connect(url).catch((error: Error & { code?: string }) => {
      reasons.push(error.code ?? error.message)
    })
    if (!redis) continue
    joined = true
    return redis
  }
  throw new BadSetting(`REDIS_URL takes a Redis, or a cluster, that answers (${reasons.join('; ')}).`)
}

/** Gives up what takes longer than PATIENCE; and for as long again, whatever else is asked fails at once, so that a Redis that hangs holds up nobody twice. */
function patience() {
  let awayUntil = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (performance.now() < awayUntil) throw new Error('Redis did not answer')
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        awayUntil = performance.now() + PATIENCE
        reject(new Error('Redis does not answer'))
      }, PATIENCE)
    })
    try {
      return await Promise.race([work(), late])
    } finally {
      clearTimeout(timer)
    }
  }
}
