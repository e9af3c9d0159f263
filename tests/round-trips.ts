import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

// Proxies in front of PostgreSQL and Redis for tests. They count the round trips of an app to these servers.

/** The commands that an app has sent to a server through a proxy, and how often it waited for a response. */
export interface RoundTrips {
  /**
   * The number of round trips: how often the app sent something when all its earlier requests were already
   * answered.
   */
  roundTrips: number
  /**
   * The texts of the SQL statements, or the names of the Redis commands, in the order in which the app sent
   * them.
   */
  sent: string[]
}

export interface CountingProxy {
  /** The URL of the proxy, which a test app uses in place of the URL of the server. */
  url: string
  /** Calls `run`, and returns the traffic that has gone through the proxy meanwhile. */
  count(run: () => Promise<unknown>): Promise<RoundTrips>
}

/** Reads the bytes of one connection through a proxy, in both directions. */
interface TrafficReader {
  onRequest(chunk: Buffer): void
  onResponse(chunk: Buffer): void
}

/** Starts a proxy in front of the PostgreSQL database at `url`, which counts round trips. */
export const startPostgresProxy = (url: string) => startProxy(url, createPostgresReader)

/** Starts a proxy in front of the Redis server at `url`, which counts round trips. */
export const startRedisProxy = (url: string) => startProxy(url, createRedisReader)

async function startProxy(
  target: string,
  createReader: (traffic: () => RoundTrips) => TrafficReader,
): Promise<CountingProxy> {
  const { hostname, port } = new URL(target)
  let traffic: RoundTrips = { roundTrips: 0, sent: [] }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    const reader = createReader(() => traffic)
    client.on('data', (chunk: Buffer) => {
      reader.onRequest(chunk)
      upstream.write(chunk)
    })
    upstream.on('data', (chunk: Buffer) => {
      reader.onResponse(chunk)
      client.write(chunk)
    })
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(socket.setNoDelay())
      socket.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    async count(run) {
      traffic = { roundTrips: 0, sent: [] }
      await run()
      return traffic
    },
  }
}

/**
 * Creates a reader of the protocol of PostgreSQL
 * (https://www.postgresql.org/docs/current/protocol-message-formats.html). The server answers each Query and
 * each Sync with one ReadyForQuery.
 */
function createPostgresReader(traffic: () => RoundTrips): TrafficReader {
  const texts = new Map<string, string>()
  let unanswered = 0
  let isStarted = false
  const splitRequests = createSplitter((type, body) => {
    if (type === 'P') {
      const [name, text] = body.toString().split('\0')
      texts.set(name!, text!)
    } else if (type === 'B') traffic().sent.push(texts.get(body.toString().split('\0')[1]!)!)
    else if (type === 'Q') traffic().sent.push(body.toString().slice(0, -1))
    if (type !== 'Q' && type !== 'S') return
    if (!unanswered++) traffic().roundTrips++
  })
  const splitResponses = createSplitter((type) => {
    if (type === 'Z') unanswered = Math.max(0, unanswered - 1)
  })
  return {
    onRequest(chunk) {
      // Skips the first message of a connection, which has no type.
      if (isStarted) splitRequests(chunk)
      isStarted = true
    },
    onResponse: splitResponses,
  }
}

/**
 * Returns a function that takes the bytes of a connection in chunks, and calls `onMessage` for each complete
 * message.
 */
function createSplitter(onMessage: (type: string, body: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5) {
      const length = 1 + rest.readUInt32BE(1)
      if (rest.length < length) return
      onMessage(String.fromCharCode(rest[0]!), rest.subarray(5, length))
      rest = rest.subarray(length)
    }
  }
}

/**
 * Creates a reader of the commands that a client sends to Redis. The client sends all commands of one turn of
 * the event loop together, so each chunk counts as a round trip.
 */
function createRedisReader(traffic: () => RoundTrips): TrafficReader {
  return {
    onRequest(chunk) {
      const commands = [...chunk.toString('latin1').matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)]
      if (commands.length) traffic().roundTrips++
      traffic().sent.push(...commands.map(([, name]) => name!.toLowerCase()))
    },
    onResponse() {},
  }
}
