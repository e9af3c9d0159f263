import { MAX_CHANNELS_OF_AUTH_REQUEST, realtimeChannelAuthEndpoint } from '#core/realtime-auth-contract.ts'
import { ApiError, callEndpoint, requestCsrfTokenCookie } from '#web/api.ts'

type PusherAuth = { auth: string; channel_data?: string } | null
type AuthCallback = (error: Error | null, auth: PusherAuth) => void

interface AuthorisedChannel {
  name: string
  /** The callback of pusher-js, which gets the signature or the error. */
  done: AuthCallback
}
/** Subscriptions of one connection that one request asks the server to sign. */
interface AuthBatch {
  socketId: string
  channels: AuthorisedChannel[]
}

interface Options {
  /** Whether the WebSocket connection with this id is the newest one of the page. */
  isCurrent(socketId: string): boolean
  /**
   * Called when the server refuses a subscription, with the HTTP status, because pusher-js does not pass the
   * status on. The status is undefined if another error occurred.
   */
  onRefused(channelName: string, status: number | undefined): void
}

/** The longest pause between two attempts, in milliseconds. */
const MAX_WAIT = 30_000

/**
 * The request for a CSRF token. It is sent once before the first private channel, as Sanctum's clients do; if
 * the token has expired later, `callEndpoint` fetches a new one.
 */
let token: Promise<unknown> | undefined

/**
 * Creates the handler with which pusher-js asks the server whether this user may subscribe to a channel.
 * Subscriptions that pusher-js asks for before a request is sent share this request: when a connection opens,
 * pusher-js asks for all channels in one loop.
 */
export function createChannelAuthoriser({ isCurrent, onRefused }: Options) {
  /** The batch that still accepts subscriptions; null if there is none. */
  let openBatch: AuthBatch | null = null

  /**
   * Sends the request for a batch. Repeats the request after a temporary failure. Asks for each channel
   * alone after status 500 or 422, or after a second temporary failure other than 429, because the failure
   * may concern only one of them. Ends without an answer once the page has a newer connection, on which
   * pusher-js asks again.
   */
  async function authoriseBatch(batch: AuthBatch) {
    await (token ??= requestCsrfTokenCookie())
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

  /**
   * Passes the signature of a channel to pusher-js, or the refusal. This function is async, so that an error
   * that a listener throws does not concern the other channels.
   */
  async function settle({ name, done }: AuthorisedChannel, auth: PusherAuth, error: unknown) {
    if (auth) return done(null, auth)
    onRefused(name, error instanceof ApiError ? error.status : undefined)
    done(error as Error, null)
  }

  return ({ socketId, channelName }: { socketId: string; channelName: string }, done: AuthCallback): void => {
    const isFull = openBatch?.channels.length === MAX_CHANNELS_OF_AUTH_REQUEST
    if (openBatch?.socketId !== socketId || isFull)
      void authoriseBatch((openBatch = { socketId, channels: [] }))
    openBatch.channels.push({ name: channelName, done })
  }
}

/**
 * Requests the signatures of a batch. Resolves to a signature for each channel, or null for each channel that
 * the server refuses. Throws an ApiError, with the status 0 if the response was damaged.
 */
async function requestSignatures({ socketId, channels }: AuthBatch) {
  const names = channels.map(({ name }) => name)
  const channel_name = names.length > 1 ? names : names[0]!
  const answer = await callEndpoint(realtimeChannelAuthEndpoint, { socket_id: socketId, channel_name })
  const signatures = names.length > 1 ? answer : [answer]
  if (answer && Array.isArray(signatures) && signatures.length === names.length) return signatures
  throw new ApiError(0, '')
}
