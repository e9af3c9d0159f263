import { createECDH, ECDH } from 'node:crypto'
import { Agent as HttpAgent, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { encryptNotification, vapidHeaders } from '@block65/webcrypto-web-push'
import type { Config } from '#core/config.ts'
import type { AppContext } from '#core/context.ts'
import { type Connector, isDottedHostName, PublicAgent } from '#core/http/public-network.ts'
import { parseSender } from '#core/mail/sender.ts'
import type { SubscriptionInput } from './contract.ts'

// RFC 8030 (the request), RFC 8291 (encryption) and RFC 8292 (VAPID). The push URL comes from a browser, so
// no request may reach a machine of the server's own network.

type PushConfig = Pick<Config, 'PUSH_KEY' | 'PUSH_LOCAL_SERVICE' | 'PUBLIC_URL' | 'MAIL_FROM'>

/** In ms. A silent push service must not hold up others for long. */
export const REQUEST_TIMEOUT = 10_000

/** An uncompressed point of P-256 in base64url, from the private PUSH_KEY. */
export function publicKeyOf({ PUSH_KEY }: Pick<Config, 'PUSH_KEY'>) {
  const keys = createECDH('prime256v1')
  keys.setPrivateKey(PUSH_KEY, 'hex')
  return keys.getPublicKey('base64url')
}

/**
 * https on the usual port of a host name, or PUSH_LOCAL_SERVICE of the operator. `PublicAgent`
 * checks later that the host has a public IP address.
 */
export function isAllowedUrl(endpoint: string, { PUSH_LOCAL_SERVICE }: PushConfig) {
  const url = URL.parse(endpoint)
  if (!url || url.username || url.password || url.hash) return false
  if (url.origin === PUSH_LOCAL_SERVICE) return true
  return url.protocol === 'https:' && url.port === '' && isDottedHostName(url.hostname)
}

/** `p256dh` is a point of P-256, and `auth` has 16 bytes. */
export function areKeysValid({ p256dh, auth }: SubscriptionInput['keys']) {
  if (Buffer.from(auth, 'base64url').length !== 16) return false
  const point = Buffer.from(p256dh, 'base64url')
  if (point.length !== 65 || point[0] !== 4) return false
  try {
    ECDH.convertKey(point, 'prime256v1')
    return true
  } catch {
    return false
  }
}

/** For PUSH_LOCAL_SERVICE. */
const localAgents = { http: new HttpAgent(), https: new HttpsAgent() }
/** For other push services, by network. A process has one; only tests have several. */
const publicAgents = new WeakMap<Connector, PublicAgent>()

function findPublicAgent(network: Connector) {
  const agent = publicAgents.get(network) ?? new PublicAgent(network)
  publicAgents.set(network, agent)
  return agent
}

/** For the people who run a push service (RFC 8292, 2.1). */
function toContact({ PUBLIC_URL, MAIL_FROM }: PushConfig) {
  if (PUBLIC_URL?.startsWith('https:')) return PUBLIC_URL
  return `mailto:${parseSender(MAIL_FROM)!.address}`
}

export interface PushMessage {
  /** For a device that is switched off, in seconds. */
  ttl: number
  urgency: 'low' | 'normal' | 'high'
  payload: object
}
export interface PushAnswer {
  status: number
  /** In ms, from the header Retry-After; absent without it. */
  retryAfter?: number
}
/** `endpoint` is the push URL. */
export interface PushTarget extends Record<'endpoint' | 'p256dh' | 'auth', string> {
  user_id: number
}

/** The body always has 4096 bytes, so that its length does not show how long the text is. */
async function encodeRequest(config: PushConfig, target: PushTarget, { ttl, urgency, payload }: PushMessage) {
  const { endpoint, p256dh, auth } = target
  const subscription = { endpoint, expirationTime: null, keys: { p256dh, auth } }
  const signed = await vapidHeaders(
    // The library refuses http URLs, which are possible for PUSH_LOCAL_SERVICE.
    { ...subscription, endpoint: endpoint.replace(/^http:/, 'https:') },
    {
      subject: toContact(config),
      publicKey: publicKeyOf(config),
      privateKey: Buffer.from(config.PUSH_KEY, 'hex').toString('base64url'),
    },
  )
  const body = await encryptNotification(subscription, Buffer.from(JSON.stringify(payload)))
  const headers = {
    ...signed.headers,
    ttl: String(ttl),
    urgency,
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    'content-length': String(body.length),
  }
  return { headers, body }
}

/** Follows no redirect. Throws if the push service does not answer, or has no public IP address. */
export async function sendPushRequest(
  { config, publicNetwork }: Pick<AppContext, 'config' | 'publicNetwork'>,
  target: PushTarget,
  message: PushMessage,
  signal?: AbortSignal,
): Promise<PushAnswer> {
  const url = new URL(target.endpoint)
  if (!isAllowedUrl(target.endpoint, config)) throw new Error('The address is not allowed')
  const isLocal = url.origin === config.PUSH_LOCAL_SERVICE
  const isHttp = url.protocol === 'http:'
  const agent = isLocal ? localAgents[isHttp ? 'http' : 'https'] : findPublicAgent(publicNetwork)
  const { headers, body } = await encodeRequest(config, target, message)
  const limit = AbortSignal.timeout(REQUEST_TIMEOUT)
  const options = {
    method: 'POST',
    headers,
    agent,
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  }
  return new Promise((resolve, reject) => {
    const request = isHttp ? requestHttp(url, options) : requestHttps(url, options)
    request.on('error', reject)
    request.on('response', (response) => {
      const retryAfter = parseRetryAfter(response.headers['retry-after'])
      // Read but not used. The abort signal ends a body that never ends.
      response.on('error', () => {}).resume()
      resolve({ status: response.statusCode!, ...(retryAfter !== undefined && { retryAfter }) })
    })
    request.end(body)
  })
}

/** Seconds or a date (RFC 9110, 10.2.3). Returns ms from now; undefined if absent or invalid. */
export function parseRetryAfter(given: string | undefined) {
  if (given === undefined) return undefined
  const ms = /^\d{1,9}$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now()
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined
}
