import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Config } from '#core/config.ts'
import type { AppContext } from '#core/context.ts'
import { safeEqual } from '#core/crypto.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { fieldError } from '#core/http/errors.ts'
import { isKnownHost, isLocalServer } from '#core/http/hosts.ts'
import { languageOf } from '#core/http/session.ts'
import { hasAccounts, hasAdmins } from './read.ts'

// The first admin of a fresh server. On a local server it is the first account. Elsewhere it is the account
// that registers with the set-up code, which only the operator sees: a stranger who comes first gets no
// rights.

const messages = {
  wrongCode: {
    en: 'This set-up code is not right. Use the link that the server printed when it started.',
    ja: 'セットアップコードが正しくありません。サーバーの起動時に表示されたリンクを使ってください。',
  },
  hasAdmin: {
    en: 'This community has an admin already. Register without the set-up code.',
    ja: 'このコミュニティーにはすでに管理者がいます。セットアップコードなしで登録してください。',
  },
  unknownHost: {
    en: 'This server has no account yet, and answers only by the address of PUBLIC_URL or by a local name.',
    ja: 'このサーバーにはまだアカウントがありません。PUBLIC_URLのアドレスか、ローカルの名前で開いてください。',
  },
}

/** How a registration asks to become the first admin. */
export interface FirstAdmin {
  /** Whether the person is at the machine of a local server. */
  isLocal: boolean
  setup_code: string | null
}

/**
 * Whether the account that is about to be inserted becomes an admin. Throws 422 for a code that is wrong or
 * no longer good.
 */
export async function becomesFirstAdmin({ SETUP_CODE }: Config, tx: Tx, { isLocal, setup_code }: FirstAdmin) {
  if (setup_code === null) return isLocal && !(await hasAccounts(tx))
  if (!safeEqual(setup_code, SETUP_CODE)) throw fieldError('setup_code', messages.wrongCode)
  if (await hasAdmins(tx)) throw fieldError('setup_code', messages.hasAdmin)
  return true
}

/** The state of the set-up, for its page: `done` once the community has an admin. */
export async function setupState({ db, config }: AppContext, code: string | null) {
  if (await hasAdmins(db)) return 'done'
  return safeEqual(code ?? '', config.SETUP_CODE) ? 'open' : 'wrong_code'
}

/** Tells the operator, at the start, how to become the first admin. Null once the community has an admin. */
export async function setupHint(db: Db, config: Config, origin: string) {
  if (await hasAdmins(db)) return null
  if (isLocalServer(config) && !(await hasAccounts(db)))
    return `The first account to register becomes the admin: ${origin}/register`
  return `Nobody is an admin yet. Register the account of the admin here: ${origin}/setup?code=${config.SETUP_CODE}`
}

/**
 * Refuses requests that name a host of others while there is no account: see `isKnownHost`. Health checks may
 * use any name.
 * Once an account is found, the hook does nothing: it runs before every request.
 */
export function refuseUnknownHosts({ db, config }: AppContext): onRequestHookHandler {
  let hasBegun = false

  async function isRefused(request: FastifyRequest, reply: FastifyReply) {
    hasBegun = await hasAccounts(db)
    if (hasBegun || isKnownHost(config, request)) return false
    reply.status(421).send({ message: messages.unknownHost[languageOf(request)] })
    return true
  }

  return (request, reply, next) => {
    if (hasBegun || /^\/(healthz|readyz)$/.test(request.url)) return next()
    isRefused(request, reply).then((refused) => refused || next(), next)
  }
}
