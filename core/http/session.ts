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

/** Sessions and anti-forgery tokens, by Laravel Sanctum's conventions (https://laravel.com/docs/sanctum#spa-authentication). */
export function createSessions({ SECRET, PUBLIC_URL }: Config, store: SessionStore) {
  const isHttps = PUBLIC_URL?.startsWith('https:') ?? false

  /** A keyed hash of the session token, so that the server stores nothing about visitors. */
  const csrfToken = memoize(10_000, (session: string) =>
    createHmac('sha256', SECRET).update(`xsrf ${session}`).digest('base64url'),
  )

  const cookieOptions = (request: FastifyRequest, maxAge: number) => {
    const secure = isHttps || request.protocol === 'https'
    return { path: '/', sameSite: 'lax', secure, maxAge } as const
  }

  function setCookies(request: FastifyRequest, reply: FastifyReply, token: string) {
    const shared = cookieOptions(request, THIRTY_DAYS)
    reply.setCookie(SESSION_COOKIE, token, { ...shared, httpOnly: true })
    reply.setCookie(CSRF_COOKIE, csrfToken(token), shared)
  }

  return {
    /** Sets `request.session`, and sends cookies that are missing or old. */
    async open(request: FastifyRequest, reply: FastifyReply) {
      const given = request.cookies[SESSION_COOKIE]
      const isToken = given !== undefined && /^[\w-]{43}$/.test(given)
      const token = isToken ? given : newToken()
      const found = isToken ? await store.find(token) : null
      request.session = {
        token,
        me: found?.me ?? null,
        lang: languageOf(request),
        devices: request.cookies[DEVICES_COOKIE] ?? '',
        setDevices: (devices) =>
          reply.setCookie(DEVICES_COOKIE, devices, { ...cookieOptions(request, A_YEAR), httpOnly: true }),
        isAlive: async () => (await store.find(token)) !== null,
        renew() {
          this.token = newToken()
          setCookies(request, reply, this.token)
          return this.token
        },
      }
      if (!isToken || request.cookies[CSRF_COOKIE] !== csrfToken(token) || found?.refresh)
        setCookies(request, reply, token)
    },

    /** Throws 419 unless the request carries the anti-forgery token of its session. */
    checkCsrfToken(request: FastifyRequest) {
      const given = String(request.headers['x-xsrf-token'] ?? '')
      if (!safeEqual(given, csrfToken(request.session!.token))) throw errors.mismatch()
    },
  }
}
export type Sessions = ReturnType<typeof createSessions>

const newToken = () => randomBytes(32).toString('base64url')

export const languageOf = (request: FastifyRequest) =>
  negotiateLanguage(request.cookies?.lang, request.headers['accept-language'])
