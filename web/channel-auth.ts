import { MAX_AUTH_CHANNELS, realtimeEndpoints } from '#core/realtime/auth-contract.ts'
import { ApiError, callEndpoint, requestCsrf } from '#web/api.ts'

type PusherAuth = { auth: string; channel_data?: string } | null
type AuthCallback = (error: Error | null, auth: PusherAuth) => void

interface AuthorisedChannel {
  name: string
  done: AuthCallback
}
interface AuthBatch {
  socketId: string
  channels: AuthorisedChannel[]
}

interface Options {
  isCurrent(socketId: string): boolean
  /** pusher-js does not pass the HTTP status on. Undefined after another error. */
  onRefused(channelName: string, status: number | undefined): void
}

/** Milliseconds between two attempts. */
const MAX_WAIT = 30_000

/** Sent once before the first private channel, as by Sanctum; `callEndpoint` replaces an expired token. */
let token: Promise<unknown> | undefined

/** Channels share a request: when a connection opens, pusher-js asks for all in one loop. */
export function createAuthoriser({ isCurrent, onRefused }: Options) {
  let openBatch: AuthBatch | null = null

  /**
   * Repeats the request after a temporary failure. Asks for each channel alone after 500 or 422, or a second
   * temporary failure other than 429, because it may concern only one of them. Ends without an answer once
   * the page has a newer connection, on which pusher-js asks again.
   */
  async function authoriseBatch(batch: AuthBatch) {
    await (token ??= requestCsrf())
    if (openBatch === batch) openBatch = null
    const { socketId, channels } = batch
    for (let attempt = 1; isCurrent(socketId); attempt++) {
      const answer = await requestSignatures(batch).catch((error: unknown) => error)
      if (!isCurrent(socketId)) return
      if (Array.isArray(answer)) {
        for (const [index, channel] of channels.entries())
          void settle(channel, answer[index], new ApiError(403, ''))
        return
      }
      const status = answer instanceof ApiError ? answer.status : undefined
      const isTemporary = status === 0 || status === 429 || Number(status) >= 500
      const isSplit = status === 500 || status === 422 || (attempt > 1 && isTemporary && status !== 429)
      if (channels.length > 1 && isSplit) {
        for (const channel of channels) void authoriseBatch({ socketId, channels: [channel] })
        return
      }
      if (!isTemporary) {
        for (const channel of channels) void settle(channel, null, answer)
        return
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** attempt, MAX_WAIT)))
    }
  }

  /** Async, so that an error of a listener does not concern the other channels. */
  async function settle({ name, done }: AuthorisedChannel, auth: PusherAuth, error: unknown) {
    if (auth) return done(null, auth)
    onRefused(name, error instanceof ApiError ? error.status : undefined)
    done(error as Error, null)
  }

  return ({ socketId, channelName }: { socketId: string; channelName: string }, done: AuthCallback): void => {
    const isFull = openBatch?.channels.length === MAX_AUTH_CHANNELS
    if (openBatch?.socketId !== socketId || isFull)
      void authoriseBatch((openBatch = { socketId, channels: [] }))
    openBatch.channels.push({ name: channelName, done })
  }
}

/** Null for each channel that the server refuses. Throws an ApiError, of status 0 for a damaged response. */
async function requestSignatures({ socketId, channels }: AuthBatch) {
  const names = channels.map(({ name }) => name)
  const channel_name = names.length > 1 ? names : names[0]!
  const answer = await callEndpoint(realtimeEndpoints.authorise, { socket_id: socketId, channel_name })
  const signatures = names.length > 1 ? answer : [answer]
  if (answer && Array.isArray(signatures) && signatures.length === names.length) return signatures
  throw new ApiError(0, '')
}
