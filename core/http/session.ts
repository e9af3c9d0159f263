import { createHmac, randomBytes } from 'node:crypto'
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SettingsStore } from '#core/community/settings.ts'
import type { Config } from '#core/config.ts'
import type { CurrentUser } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { memoize } from '#core/database/cache.ts'
import { httpErrors } from '#core/http/errors.ts'
import { areSecretsEqual } from '#core/secrets/crypto.ts'
import { chooseLanguage } from '#core/text/i18n.ts'

/** The stored sessions of members. A visitor's session has no row. */
export interface SessionLookup {
  /**
   * Finds the member of a session token; null for a visitor. If `refresh` is true, the cookies are old and
   * have to be sent again.
   */
  find(token: string): Promise<{ me: CurrentUser; refresh: boolean } | null>
  /** Finds the id of the member of a session token, and records no use; null for a visitor. */
  memberOf(token: string): Promise<number | null>
  /**
   * Returns whether the member confirmed their identity in this session in the last ten minutes. A log-in
   * counts too, except one by a device link. Throws 401 if the session has ended.
   */
  isConfirmed(token: string): Promise<boolean>
}

/** The session to which a request belongs, of a member or of a visitor, with the cookies of the response. */
export interface RequestSession {
  token: string
  me: CurrentUser | null
  lang: Language
  /**
   * Reads the session again, and returns whether it still exists. A session may end while the body of a
   * request arrives.
   */
  isValid(): Promise<boolean>
  /** Reads the member again. Sets `me` to null if the session has ended. */
  reload(): Promise<void>
  /**
   * Returns whether the member confirmed their identity in this session, as `SessionLookup.isConfirmed` tells
   * it.
   */
  isConfirmed(): Promise<boolean>
  /**
   * The value of the device cookie that this browser has sent: tokens of the accounts that have logged in
   * with this browser. `setDevices` sets the cookie.
   */
  devices: string
  /** Stores `deviceTokens` in the browser, in the cookie that `devices` reads, for a year. */
  setDevices(deviceTokens: string): void
  sendCookies(): void
  /**
   * Gives the browser a new session token at log-in and log-out, because somebody else may know the old one
   * (session fixation). Returns the new token. Does not change the stored sessions.
   */
  renew(): string
}

declare module 'fastify' {
  interface FastifyRequest {
    session: RequestSession | null
  }
}

const THIRTY_DAYS = 30 * 24 * 3600
const A_YEAR = 365 * 24 * 3600
const SESSION_COOKIE = 'engawa_session'
const CSRF_COOKIE = 'XSRF-TOKEN'
const DEVICES_COOKIE = 'engawa_devices'

/**
 * The prefix for names of cookies on https. Browsers accept a cookie with this prefix only from the host
 * itself (RFC 6265bis, 4.1.3.2), so a page of a sibling subdomain cannot set such a cookie for this host.
 */
const HOST_PREFIX = '__Host-'

/**
 * The pattern for a session token in a cookie with HOST_PREFIX: an `h` and 43 characters. A token with `h` is
 * not accepted in a cookie without the prefix, because a page of a sibling subdomain could set that cookie.
 */
const hostToken = /^h[\w-]{43}$/
const plainToken = /^[\w-]{43}$/

type HeadersAndCookies = Pick<FastifyRequest, 'headers' | 'cookies'>

/**
 * Returns the session token that a request gives; undefined if it is missing or malformed. `prefix` is that
 * of the names of cookies.
 */
function readSessionToken(request: HeadersAndCookies, prefix: string) {
  const given = valuesOf(request, prefix + SESSION_COOKIE).at(-1) ?? ''
  if (plainToken.test(given) || (prefix && hostToken.test(given))) return given
  // Also accepts the cookie of a session that has no prefix yet, so that the session stays valid: `open`
  // sends the new cookie.
  const old = prefix ? valuesOf(request, SESSION_COOKIE).at(-1) : undefined
  return old !== undefined && plainToken.test(old) ? old : undefined
}

const readCsrfToken = (request: HeadersAndCookies) => valuesOf(request, CSRF_COOKIE).at(-1)

interface JarOptions {
  isHttps: boolean
  COOKIE_DOMAIN: Config['COOKIE_DOMAIN']
  csrfToken: (session: string) => string
}

function createJar(
  { isHttps, COOKIE_DOMAIN, csrfToken }: JarOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const secure = isHttps || request.protocol === 'https'
  const prefix = secure && !COOKIE_DOMAIN ? HOST_PREFIX : ''
  const options = { path: '/', sameSite: 'lax', secure } as const
  const shared = { ...options, ...(COOKIE_DOMAIN && { domain: COOKIE_DOMAIN }) }

  function set(name: string, value: string, maxAge: number, httpOnly: boolean) {
    reply.setCookie(name, value, { ...shared, maxAge, httpOnly })
    // Deletes an older cookie without the domain, from before COOKIE_DOMAIN was set, because it would hide
    // the new one.
    if (COOKIE_DOMAIN && valuesOf(request, name).length > 1)
      reply.setCookie(name, '', { ...options, maxAge: 0 })
  }

  return {
    prefix,
    sessionToken: () => readSessionToken(request, prefix),
    csrfToken: () => readCsrfToken(request),
    devices: () => request.cookies[prefix + DEVICES_COOKIE] ?? '',
    isOutdated: () => request.cookies[prefix + SESSION_COOKIE] === undefined,
    setSession(token: string) {
      set(prefix + SESSION_COOKIE, token, THIRTY_DAYS, true)
      set(CSRF_COOKIE, csrfToken(token), THIRTY_DAYS, false)
      if (prefix && SESSION_COOKIE in request.cookies)
        reply.setCookie(SESSION_COOKIE, '', { ...options, maxAge: 0 })
    },
    setDevices: (devices: string) => set(prefix + DEVICES_COOKIE, devices, A_YEAR, true),
  }
}

/**
 * Creates the functions for sessions and anti-forgery tokens, by Laravel Sanctum's conventions
 * (https://laravel.com/docs/sanctum#spa-authentication).
 */
export function createSessionService(
  { SECRET, PUBLIC_URL, COOKIE_DOMAIN }: Config,
  store: SessionLookup,
  settings: SettingsStore,
) {
  const isHttps = PUBLIC_URL?.startsWith('https:') ?? false

  /**
   * Returns the anti-forgery token of a session: a keyed hash of its token, so that the server stores nothing
   * about visitors.
   */
  const csrfToken = memoize(10_000, (session: string) =>
    createHmac('sha256', SECRET).update(`xsrf ${session}`).digest('base64url'),
  )

  return {
    /**
     * Finds the id of the member who sends a request, before its session is opened, for the limits; null for
     * a visitor. Looks up only session tokens that come with their anti-forgery cookie, which shows without a
     * query that this server gave them out: made-up cookies cost a hash.
     */
    async memberOf({ headers }: Pick<FastifyRequest, 'headers'>) {
      if (!headers.cookie) return null
      const request = { headers, cookies: fastifyCookie.parse(headers.cookie) }
      const token = readSessionToken(request, HOST_PREFIX)
      if (token === undefined || readCsrfToken(request) !== csrfToken(token)) return null
      return store.memberOf(token)
    },

    /** Sets `request.session`, and sends cookies that are missing or old. */
    async open(request: FastifyRequest, reply: FastifyReply) {
      const jar = createJar({ isHttps, COOKIE_DOMAIN, csrfToken }, request, reply)
      const createToken = () => (jar.prefix ? 'h' : '') + randomBytes(32).toString('base64url')
      const given = jar.sessionToken()
      const token = given ?? createToken()
      const found = given === undefined ? null : await store.find(given)
      request.session = {
        token,
        me: found?.me ?? null,
        lang: requestLanguage(request, settings.current().default_language),
        isValid: async () => (await store.find(token)) !== null,
        async reload() {
          this.me = (await store.find(token))?.me ?? null
        },
        isConfirmed: () => store.isConfirmed(token),
        devices: jar.devices(),
        setDevices: jar.setDevices,
        sendCookies() {
          jar.setSession(this.token)
        },
        renew() {
          this.token = createToken()
          this.sendCookies()
          return this.token
        },
      }
      const isCurrent = given !== undefined && !jar.isOutdated() && jar.csrfToken() === csrfToken(token)
      if (!isCurrent || found?.refresh) request.session.sendCookies()
    },

    /**
     * Throws 419 unless the request has the anti-forgery token of its session in one of the two headers that
     * Laravel accepts.
     */
    checkCsrfToken(request: FastifyRequest) {
      const expected = csrfToken(request.session!.token)
      const given = [request.headers['x-xsrf-token'], request.headers['x-csrf-token']]
      if (!given.some((token) => areSecretsEqual(String(token ?? ''), expected))) throw httpErrors.mismatch()
    },
  }
}
export type SessionService = ReturnType<typeof createSessionService>

/**
 * Returns the language for an Accept-Language header. Caches it, because the browsers of one community send
 * few different headers.
 */
const acceptedLanguage = memoize(200, (header: string) => chooseLanguage(undefined, header))

/**
 * Returns the language of a request: the one that the reader has chosen, otherwise that of the community,
 * otherwise that of the browser.
 */
export function requestLanguage(
  { cookies, headers }: FastifyRequest,
  communityLanguage: Language | null = null,
) {
  const accepted = headers['accept-language'] ?? ''
  return cookies?.lang
    ? chooseLanguage(cookies.lang, accepted)
    : (communityLanguage ?? acceptedLanguage(accepted))
}

/**
 * Returns all values of a cookie in the request. A browser may send two: one for the host, and one for
 * COOKIE_DOMAIN.
 */
function valuesOf({ headers, cookies }: HeadersAndCookies, name: string) {
  const { cookie = '' } = headers
  const value = cookies[name]
  if (value === undefined) return []
  // Returns the parsed value if the name is in the header only once, as it nearly always is.
  if (cookie.indexOf(name) === cookie.lastIndexOf(name)) return [value]
  const pairs = cookie.split(';').map((pair) => pair.trim().split('='))
  const values = pairs.filter(([given]) => given === name).map(([, given]) => given!)
  return values.length > 1 ? values : [value]
}
