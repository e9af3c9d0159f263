import { createHash } from 'node:crypto'
import type { RedisClientOptions } from '@redis/client'
import { type Config, OperatorError } from '#core/config.ts'

/**
 * The operations of Redis 7 or newer, or Valkey, that this project uses, on a single server or a cluster. A
 * command fails at once while Redis is disconnected, and after COMMAND_TIMEOUT if Redis does not answer.
 */
export interface Redis {
  /** The prefix of all keys and channels. It is derived from SECRET, so communities can share a Redis. */
  readonly keyPrefix: string
  /** Whether this is a cluster. A single server delivers the messages of all channels in one order. */
  readonly isCluster: boolean
  /** Publishes on a sharded channel. In a cluster, only the nodes of the channel's slot take part. */
  publish(channel: string, message: string): Promise<unknown>
  /**
   * Calls `onMessage` for each message on a sharded channel. A function that is subscribed twice to one
   * channel is called once for each message.
   */
  subscribe(channel: string, onMessage: (message: string, channel: string) => void): Promise<void>
  runScript(script: string, key: string, ...args: string[]): Promise<unknown>
  /** Adds a function that is called each time a connection to a Redis server is lost. */
  onDisconnect(handler: () => void): void
  close(): Promise<void>
}

/** Milliseconds after which a command without an answer fails. */
const COMMAND_TIMEOUT = 2000
/**
 * The number of whole steps, one after the other, that measure COMMAND_TIMEOUT. While this process is too
 * busy to read the answers, only one of them ends. So a command does not fail because this process was late.
 */
const TIMEOUT_STEPS = 4
const MAX_RECONNECT_DELAY = 500

type Client = typeof import('@redis/client')
type Commands = Pick<Redis, 'publish' | 'subscribe' | 'runScript' | 'close'>

/**
 * Connects to the first of the addresses that answers. If that is a node of a cluster, connects to the whole
 * cluster. Throws OperatorError if no address answers.
 */
export async function openRedis({ SECRET }: Config, addresses: readonly string[]): Promise<Redis> {
  // Imports the client only here, so that processes without Redis save its memory.
  const client = await import('@redis/client')
  const hash = createHash('sha256').update('redis').update(SECRET).digest('base64url')
  const handlers = new Set<() => void>()
  const onDisconnect = () => {
    for (const handler of handlers) handler()
  }
  let isOpen = false
  /**
   * Returns the delay in ms before the next attempt to connect, or the error that ends the attempts. Before
   * the client is open, the first error ends them; later they continue without limit.
   */
  const reconnectStrategy = (attempts: number, cause: Error) =>
    isOpen ? Math.min(20 * 2 ** attempts, MAX_RECONNECT_DELAY) : cause
  const socket = { connectTimeout: 5000, socketTimeout: 15_000, reconnectStrategy }
  // Sets no timeout of the client for commands, because `withTimeout` ends them. The client would create an
  // AbortSignal for each command.
  const options = { disableOfflineQueue: true, pingInterval: 5000, socket, commandOptions: { timeout: 0 } }

  const reasons: string[] = []
  for (const url of addresses) {
    try {
      const isCluster = await isClusterNode(client, options, url)
      const commands = isCluster
        ? await connectCluster(client, options, url, addresses, onDisconnect)
        : await connectServer(client, options, url, onDisconnect)
      isOpen = true
      return {
        ...withTimeout(commands),
        keyPrefix: `engawa:${hash.slice(0, 16)}`,
        isCluster,
        onDisconnect: (handler) => void handlers.add(handler),
      }
    } catch (error) {
      reasons.push((error as NodeJS.ErrnoException).code ?? (error as Error).message)
    }
  }
  throw new OperatorError(`REDIS_URL takes a Redis, or a cluster, that answers (${reasons.join('; ')}).`)
}

async function isClusterNode({ createClient }: Client, options: RedisClientOptions, url: string) {
  const client = createClient({ ...options, url }).on('error', () => {})
  await client.connect()
  try {
    return /^cluster_enabled:1/m.test(await client.info('cluster'))
  } finally {
    client.destroy()
  }
}

async function connectServer(
  { createClient }: Client,
  options: RedisClientOptions,
  url: string,
  onDisconnect: () => void,
): Promise<Commands> {
  const open = () =>
    createClient({ ...options, url })
      // Ignores the error of a lost connection: commands reject, and the client reconnects.
      .on('error', () => {})
      .on('reconnecting', onDisconnect)
  const [client, subscriber] = [open(), open()]
  await Promise.all([client.connect(), subscriber.connect()])
  return {
    publish: (channel, message) => client.sPublish(channel, message),
    subscribe: (channel, onMessage) => subscriber.sSubscribe(channel, onMessage),
    runScript: (script, key, ...args) => client.eval(script, { keys: [key], arguments: args }),
    close: async () => {
      client.destroy()
      subscriber.destroy()
    },
  }
}

async function connectCluster(
  { createCluster }: Client,
  options: RedisClientOptions,
  url: string,
  addresses: readonly string[],
  onDisconnect: () => void,
): Promise<Commands> {
  const { username, password, protocol } = new URL(url)
  const login = {
    ...(username && { username: decodeURIComponent(username) }),
    ...(password && { password: decodeURIComponent(password) }),
  }
  const tls = protocol === 'rediss:' && { tls: true as const }
  const cluster = createCluster({
    rootNodes: addresses.map((address) => ({ url: address })),
    commandOptions: options.commandOptions ?? {},
    defaults: { ...options, ...login, socket: { ...options.socket, ...tls } },
  })
  // Ignores the error of a lost connection: commands reject, and the client reconnects.
  cluster.on('error', () => {})
  for (const event of ['node-reconnecting', 'node-disconnect'] as const) cluster.on(event, onDisconnect)
  await cluster.connect()
  return {
    publish: (channel, message) => cluster.sPublish(channel, message),
    subscribe: (channel, onMessage) => cluster.sSubscribe(channel, onMessage),
    runScript: (script, key, ...args) => cluster.eval(script, { keys: [key], arguments: args }),
    close: async () => cluster.destroy(),
  }
}

/** A command without an answer: the function that rejects it, and the steps of its time that have passed. */
interface PendingCommand {
  reject: (error: Error) => void
  steps: number
}

/**
 * Rejects commands that take longer than COMMAND_TIMEOUT. After a timeout it rejects all commands at once,
 * for a period of COMMAND_TIMEOUT, so that an unresponsive Redis does not delay every request. All commands
 * share one timer, because a timer for each command would cost more than sending the command.
 */
function withTimeout(commands: Commands): Commands {
  const pending = new Set<PendingCommand>()
  let rejectUntil = 0
  let isTimerRunning = false
  const endStep = () => {
    for (const command of pending) {
      if (command.steps++ < TIMEOUT_STEPS) continue
      rejectUntil = performance.now() + COMMAND_TIMEOUT
      pending.delete(command)
      command.reject(new Error('Redis does not answer'))
    }
    isTimerRunning = false
    if (pending.size) startStep()
  }
  const startStep = () => {
    if (isTimerRunning) return
    isTimerRunning = true
    setTimeout(endStep, COMMAND_TIMEOUT / TIMEOUT_STEPS).unref()
  }
  const limited = async <T>(send: () => Promise<T>): Promise<T> => {
    if (performance.now() < rejectUntil) throw new Error('Redis did not answer')
    const answer = send()
    return new Promise((resolve, reject) => {
      const command = { reject, steps: 0 }
      pending.add(command)
      startStep()
      const settle =
        <Value>(callback: (value: Value) => void) =>
        (value: Value) => {
          pending.delete(command)
          callback(value)
        }
      answer.then(settle(resolve), settle(reject))
    })
  }
  return {
    publish: (...args) => limited(() => commands.publish(...args)),
    subscribe: (...args) => limited(() => commands.subscribe(...args)),
    runScript: (...args) => limited(() => commands.runScript(...args)),
    close: commands.close,
  }
}
