import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Config } from '#core/config.ts'
import type { AppContext } from '#core/context.ts'
import { areSecretsEqual } from '#core/crypto.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { hasKnownHostHeader } from '#core/http/hosts.ts'
import { negotiateRequestLanguage } from '#core/http/session.ts'
import { communityHasAccounts, communityHasAdmins } from './read.ts'

// The functions of this file decide who becomes the first admin of a new server. On a local server it is the
// first account. On other servers it is the account that registers with the set-up code, which only the
// operator sees, so that a stranger who registers first gets no rights.

const messages = {
  wrongCode: {
    en: 'This set-up code is not correct. Use the link that the server printed at its last start.',
    ja: 'セットアップコードが正しくありません。サーバーが最後に起動したときに表示されたリンクを使ってください。',
  },
  hasAdmin: {
    en: 'This community already has an admin. Please register without the set-up code.',
    ja: 'このコミュニティーにはすでに管理者がいます。セットアップコードなしで登録してください。',
  },
  unknownHost: {
    en: 'This server has no accounts yet. Until there is one, open it by PUBLIC_URL or by a local host name.',
    ja: 'このサーバーにはまだアカウントがありません。PUBLIC_URLのアドレスか、ローカルのホスト名で開いてください。',
  },
}

/** The data of a registration request that decides whether the account becomes the first admin. */
interface FirstAdminClaim {
  /** Whether the server is a local one, and the request comes from the machine on which the server runs. */
  isLocal: boolean
  setup_code: string | null
}

/**
 * Returns whether the new account becomes an admin. Throws 422 if the request has a set-up code and the
 * code is wrong, or an admin exists already. The caller must hold the lock of `acquireAccountsLock`.
 */
export async function shouldBecomeFirstAdmin(
  { SETUP_CODE }: Config,
  tx: Tx,
  { isLocal, setup_code }: FirstAdminClaim,
) {
  if (setup_code === null) return isLocal && !(await communityHasAccounts(tx))
  if (!areSecretsEqual(setup_code, SETUP_CODE))
    throw createInvalidFieldError('setup_code', messages.wrongCode)
  if (await communityHasAdmins(tx)) throw createInvalidFieldError('setup_code', messages.hasAdmin)
  return true
}

/**
 * Returns the state of the set-up for the set-up page: `done` as soon as the community has an admin,
 * otherwise `open` if the set-up code is right and `wrong_code` if it is wrong.
 */
export async function readSetupStateForSetupCode({ db, config }: AppContext, code: string | null) {
  if (await communityHasAdmins(db)) return 'done'
  return areSecretsEqual(code ?? '', config.SETUP_CODE) ? 'open' : 'wrong_code'
}

/**
 * Returns the text that tells the operator how to become the first admin. Returns null once the community has
 * an admin.
 */
export async function createFirstAdminSetupHint(db: Db, config: Config, origin: string) {
  if (await communityHasAdmins(db)) return null
  return `There is no admin yet. Set the community up here: ${origin}/setup?code=${config.SETUP_CODE}`
}

/**
 * Creates an HTTP hook that refuses requests for an unknown host while there is no account (see
 * `hasKnownHostHeader`). Health checks may use any host. The hook runs before every request, so it stops
 * reading the database as soon as an account exists.
 */
export function createSetupHostCheckHook({ db, config }: AppContext): onRequestHookHandler {
  let hasAnyAccount = false

  async function isRefused(request: FastifyRequest, reply: FastifyReply) {
    hasAnyAccount = await communityHasAccounts(db)
    if (hasAnyAccount || hasKnownHostHeader(config, request)) return false
    reply.status(421).send({ message: messages.unknownHost[negotiateRequestLanguage(request)] })
    return true
  }

  return (request, reply, next) => {
    if (hasAnyAccount || /^\/(healthz|readyz)$/.test(request.url)) return next()
    isRefused(request, reply).then((refused) => refused || next(), next)
  }
}
