import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Config } from '#core/config.ts'
import type { AppContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { fieldError } from '#core/http/errors.ts'
import { hasKnownHost } from '#core/http/hosts.ts'
import { requestLanguage } from '#core/http/session.ts'
import { areSecretsEqual } from '#core/secrets/crypto.ts'
import * as persons from './read.ts'

// The first admin of a new server: on a local one the first account, elsewhere the account that registers
// with the set-up code, which only the operator sees, so that a stranger who is first gets no rights.

const messages = {
  wrongCode: {
    en: 'This set-up code is not correct. Use the link that the server printed at its last start.',
    ja: '初期設定コードが正しくありません。サーバーを最後に起動したときに表示されたリンクを開いてください。',
  },
  hasAdmin: {
    en: 'This community already has an admin. Please register without the set-up code.',
    ja: 'このコミュニティーにはすでに管理者がいます。初期設定コードなしで登録してください。',
  },
  unknownHost: {
    en: 'This server has no accounts yet. Until there is one, open it by PUBLIC_URL or by a local host name.',
    ja: 'このサーバーにはまだアカウントがありません。PUBLIC_URLのアドレスか、ローカルのホスト名で開いてください。',
  },
}

interface FirstAdminClaim {
  /** On a local server, from the machine on which it runs. */
  isLocal: boolean
  setup_code: string | null
}

/** 422 for a wrong code, or if an admin exists. The caller must hold the lock of `credentials.lockAll`. */
export async function claimFirstAdmin(
  { SETUP_CODE }: Config,
  tx: Tx,
  { isLocal, setup_code }: FirstAdminClaim,
) {
  if (setup_code === null) return isLocal && !(await persons.hasAccounts(tx))
  if (!areSecretsEqual(setup_code, SETUP_CODE)) throw fieldError('setup_code', messages.wrongCode)
  if (await persons.hasAdmins(tx)) throw fieldError('setup_code', messages.hasAdmin)
  return true
}

/** `done` as soon as the community has an admin. */
export async function getSetupState({ db, config }: AppContext, code: string | null) {
  if (await persons.hasAdmins(db)) return 'done'
  return areSecretsEqual(code ?? '', config.SETUP_CODE) ? 'open' : 'wrong_code'
}

/** Null once the community has an admin. */
export async function setupHint(db: Db, config: Config, origin: string) {
  if (await persons.hasAdmins(db)) return null
  return `There is no admin yet. Set the community up here: ${origin}/setup?code=${config.SETUP_CODE}`
}

/**
 * Refuses unknown hosts while there is no account (see `hasKnownHost`), except health checks. Runs
 * before every request, so it stops reading the database as soon as an account exists.
 */
export function setupHostHook({ db, config }: AppContext): onRequestHookHandler {
  let hasAnyAccount = false

  async function isRefused(request: FastifyRequest, reply: FastifyReply) {
    hasAnyAccount = await persons.hasAccounts(db)
    if (hasAnyAccount || hasKnownHost(config, request)) return false
    reply.status(421).send({ message: messages.unknownHost[requestLanguage(request)] })
    return true
  }

  return (request, reply, next) => {
    if (hasAnyAccount || /^\/(healthz|readyz)$/.test(request.url)) return next()
    isRefused(request, reply).then((refused) => refused || next(), next)
  }
}
