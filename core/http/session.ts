import { createHmac, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#core/config.ts'
import type { CurrentUser } from '#core/context.ts'
import type { Lang } from '#core/contract.ts'
import { safeEqual } from '#core/crypto.ts'
import { memoize } from '#core/database/cache.ts'
import { errors } from '#core/http/errors.ts'
import { negotiateLanguage } from '#core/i18n.ts'

/** The stored sessions of members. A visitor's session has no row. */
export interface SessionStore {
  /**
   * The member of a session token; null for a visitor. `refresh` says that its cookies are old, and are
   * sent again.
   */
  find(token: string): Promise<{ me: CurrentUser; refresh: boolean } | null>
}

/** The session of one request. */
export interface RequestSession {
  /** The value of the session cookie. */
  token: string
  me: CurrentUser | null
  lang: Lang
  /** Looks the session up again: it may have ended while the body was arriving. */
  isAlive(): Promise<boolean>
  /** The cookie that `setDevices` has set: tokens of the accounts that have logged in with this browser. */
  devices: string
  /** Stores `devices` in the browser, for a year. */
  setDevices(devices: string): void
  /** Sends the session cookie and the anti-forgery cookie. */
  sendCookies(): void
  /** Gives the browser a new session, at log-in and log-out (no session fixation). Returns its token. */
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
 * On https, browsers accept a cookie with this prefix only from the host itself (RFC 6265bis, 4.1.3.2), so a
 * page of a sibling subdomain cannot plant a session.
 */
const HOST_PREFIX = '__Host-'

/** Tokens of cookies with the prefix begin with `h`, so that nobody can plant such a session by a cookie without it. */
const hostToken = /^h[\w-]{43}$/
const plainToken = /^[\w-]{43}$/

interface JarOptions {
  isHttps: boolean
  COOKIE_DOMAIN: Config['COOKIE_DOMAIN']
  /** The anti-forgery token of a session token. */
  csrfToken: (session: string) => string
}

/** Writes and reads the cookies of one request. */
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
    // A cookie without the domain, from before COOKIE_DOMAIN was set, would hide the new one.
    if (COOKIE_DOMAIN && valuesOf(request, name).length > 1)
      reply.setCookie(name, '', { ...options, maxAge: 0 })
  }

  return {
    prefix,
    /** The session token of the request; undefined where it has none that is well-formed. */
    sessionToken() {
      const given = valuesOf(request, prefix + SESSION_COOKIE).at(-1) ?? ''
      if (plainToken.test(given) || (prefix && hostToken.test(given))) return given
      // Sessions from before the cookie had the prefix go on: `open` sends them the new cookie.
      const old = prefix ? request.cookies[SESSION_COOKIE] : undefined
      return old !== undefined && plainToken.test(old) ? old : undefined
    },
    csrfToken: () => valuesOf(request, CSRF_COOKIE).at(-1),
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

/** Sessions and anti-forgery tokens, by Laravel Sanctum's conventions (https://laravel.com/docs/sanctum#spa-authentication). */
export function createSessions({ SECRET, PUBLIC_URL, COOKIE_DOMAIN }: Config, store: SessionStore) {
  const isHttps = PUBLIC_URL?.startsWith('https:') ?? false

  /** A keyed hash of the session token, so that the server stores nothing about visitors. */
  const csrfToken = memoize(10_000, (session: string) =>
    createHmac('sha256', SECRET).update(`xsrf ${session}`).digest('base64url'),
  )

  return {
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
        lang: languageOf(request),
        isAlive: async () => (await store.find(token)) !== null,
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
     * Throws 419 unless the request carries the anti-forgery token of its session, by one of the names that
     * Laravel takes.
     */
    checkCsrfToken(request: FastifyRequest) {
      const expected = csrfToken(request.session!.token)
      const given = [request.headers['x-xsrf-token'], request.headers['x-csrf-token']]
      if (!given.some((token) => safeEqual(String(token ?? ''), expected))) throw errors.mismatch()
    },
  }
}
export type Sessions = ReturnType<typeof createSessions>

/** Browsers of one community send few different headers. */
const acceptedLanguage = memoize(200, (header: string) => negotiateLanguage(undefined, header))

export function languageOf({ cookies, headers }: FastifyRequest) {
  const accepted = headers['accept-language'] ?? ''
  return cookies?.lang ? negotiateLanguage(cookies.lang, accepted) : acceptedLanguage(accepted)
}

/** All values of a cookie in the request: browsers send one for the host and one for its domain. */
function valuesOf({ headers, cookies }: FastifyRequest, name: string) {
  const { cookie = '' } = headers
  const value = cookies[name]
  if (value === undefined) return []
  // Nearly always the name stands there once: then the parsed value is the only one.
  if (cookie.indexOf(name) === cookie.lastIndexOf(name)) return [value]
  const pairs = cookie.split(';').map((pair) => pair.trim().split('='))
  const values = pairs.filter(([given]) => given === name).map(([, given]) => given!)
  return values.length > 1 ? values : [value]
}
