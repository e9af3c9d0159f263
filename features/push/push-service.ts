import { createECDH, ECDH } from 'node:crypto'
import { Agent as HttpAgent, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { encryptNotification, vapidHeaders } from '@block65/webcrypto-web-push'
import type { Config } from '#core/config.ts'
import type { AppContext } from '#core/context.ts'
import { parseSender } from '#core/mail/sender.ts'
import {
  isDottedHostName,
  type PublicInternetConnector,
  PublicIpOnlyHttpsAgent,
} from '#core/public-network.ts'
import type { PushSubscriptionInput } from './contract.ts'

// This file sends requests to push services: RFC 8030 (the request), RFC 8291 (encryption) and RFC 8292
// (VAPID). The push URL comes from a browser, so the functions below let no request reach a machine of the
// server's own network.

type PushConfig = Pick<Config, 'PUSH_KEY' | 'PUSH_LOCAL_SERVICE' | 'PUBLIC_URL' | 'MAIL_FROM'>

/**
 * The maximum time in ms for one request to a push service. A push service that does not answer must not hold
 * up others for long.
 */
export const PUSH_REQUEST_TIMEOUT = 10_000

/**
 * Returns the public key that belongs to the private key PUSH_KEY, as an uncompressed point of the curve
 * P-256 in base64url.
 */
export function toPublicPushKey({ PUSH_KEY }: Pick<Config, 'PUSH_KEY'>) {
  const keys = createECDH('prime256v1')
  keys.setPrivateKey(PUSH_KEY, 'hex')
  return keys.getPublicKey('base64url')
}

/**
 * Returns whether the server accepts this push URL from a browser: https on the usual port of a host name, or
 * PUSH_LOCAL_SERVICE, which the operator allows. `PublicIpOnlyHttpsAgent` checks later that the host name has
 * a public IP address.
 */
export function isAllowedPushEndpoint(endpoint: string, { PUSH_LOCAL_SERVICE }: PushConfig) {
  const url = URL.parse(endpoint)
  if (!url || url.username || url.password || url.hash) return false
  if (url.origin === PUSH_LOCAL_SERVICE) return true
  return url.protocol === 'https:' && url.port === '' && isDottedHostName(url.hostname)
}

/**
 * Returns whether the keys of a push subscription are valid: `p256dh` is a point of the curve P-256, and
 * `auth` has 16 bytes.
 */
export function arePushSubscriptionKeysValid({ p256dh, auth }: PushSubscriptionInput['keys']) {
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

/** The Node agents for requests to PUSH_LOCAL_SERVICE. */
const localAgents = { http: new HttpAgent(), https: new HttpsAgent() }
/**
 * The Node agents for requests to all other push services: one for each network. A process has one network;
 * only tests have several.
 */
const publicAgents = new WeakMap<PublicInternetConnector, PublicIpOnlyHttpsAgent>()

function findPublicAgent(network: PublicInternetConnector) {
  const agent = publicAgents.get(network) ?? new PublicIpOnlyHttpsAgent(network)
  publicAgents.set(network, agent)
  return agent
}

/**
 * Returns the URL at which the people who run a push service can contact the operator of this server (RFC
 * 8292, 2.1).
 */
function toContact({ PUBLIC_URL, MAIL_FROM }: PushConfig) {
  if (PUBLIC_URL?.startsWith('https:')) return PUBLIC_URL
  return `mailto:${parseSender(MAIL_FROM)!.address}`
}

export interface PushPayloadWithTtlAndUrgency {
  /** How long the push service keeps the message for a device that is switched off, in seconds. */
  ttl: number
  urgency: 'low' | 'normal' | 'high'
  payload: object
}
export interface PushServiceAnswer {
  status: number
  /**
   * The time in ms after which the push service asks to try again, from the header Retry-After; absent
   * without this header.
   */
  retryAfter?: number
}
/** The push URL (`endpoint`) and the keys of a push subscription, and the id of its member. */
export interface PushEndpointAndKeys extends Record<'endpoint' | 'p256dh' | 'auth', string> {
  user_id: number
}

/**
 * Encrypts a push message and signs the request. The body always has 4096 bytes, so that its length does not
 * show how long the text is.
 */
async function encodeRequest(
  config: PushConfig,
  target: PushEndpointAndKeys,
  { ttl, urgency, payload }: PushPayloadWithTtlAndUrgency,
) {
  const { endpoint, p256dh, auth } = target
  const subscription = { endpoint, expirationTime: null, keys: { p256dh, auth } }
  const signed = await vapidHeaders(
    // The library refuses http URLs, which are possible for PUSH_LOCAL_SERVICE.
    { ...subscription, endpoint: endpoint.replace(/^http:/, 'https:') },
    {
      subject: toContact(config),
      publicKey: toPublicPushKey(config),
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

/**
 * Sends an encrypted push message to the push service of a device, and returns the status of the response.
 * Follows no redirect. Throws an error if the push service does not answer, or has no public IP address.
 */
export async function sendPushRequest(
  { config, publicNetwork }: Pick<AppContext, 'config' | 'publicNetwork'>,
  target: PushEndpointAndKeys,
  message: PushPayloadWithTtlAndUrgency,
  signal?: AbortSignal,
): Promise<PushServiceAnswer> {
  const url = new URL(target.endpoint)
  if (!isAllowedPushEndpoint(target.endpoint, config)) throw new Error('The address is not allowed')
  const isLocal = url.origin === config.PUSH_LOCAL_SERVICE
  const isHttp = url.protocol === 'http:'
  const agent = isLocal ? localAgents[isHttp ? 'http' : 'https'] : findPublicAgent(publicNetwork)
  const { headers, body } = await encodeRequest(config, target, message)
  const limit = AbortSignal.timeout(PUSH_REQUEST_TIMEOUT)
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
      const retryAfter = parseRetryAfterHeaderAsMs(response.headers['retry-after'])
      // The body of the response is read but not used. The abort signal ends a body that never ends.
      response.on('error', () => {}).resume()
      resolve({ status: response.statusCode!, ...(retryAfter !== undefined && { retryAfter }) })
    })
    request.end(body)
  })
}

/**
 * Parses the value of the header Retry-After: a number of seconds, or a date (RFC 9110, 10.2.3). Returns the
 * ms from now; undefined if the header is absent or invalid.
 */
export function parseRetryAfterHeaderAsMs(given: string | undefined) {
  if (given === undefined) return undefined
  const ms = /^\d{1,9}$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now()
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined
}
