import type { AppContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers, RequestContext } from '#core/http/endpoints.ts'
import { HttpError, invalidFieldError } from '#core/http/errors.ts'
import { findCredentials, lockAccount } from '#features/people/credentials.ts'
import { addAccountToDeviceCookie, findDeviceLogInAttemptKey } from '#features/people/device-cookies.ts'
import { saveMemberLanguage } from '#features/people/languages.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { endSession, type IdentityProof, insertSession } from '#features/people/sessions.ts'
import { isSuspended } from '#features/people/visibility.ts'
import type { accountEndpoints } from './contract.ts'
import { insertLogInChallenge } from './log-in-challenges.ts'
import { enqueueSecurityNotice } from './notices.ts'
import { hasSecondStep } from './one-time-codes.ts'
import type { CheckPassword } from './password-check.ts'

const messages = {
  failed: {
    en: 'These credentials do not match our records.',
    ja: 'メールアドレスまたはパスワードが正しくありません。',
  },
  suspended: {
    en: 'This account is suspended. Please contact an admin.',
    ja: 'このアカウントは停止されています。管理者にお問い合わせください。',
  },
}

/** A log-in whose proof was right. */
interface LogIn {
  /** The id of the account. */
  id: number
  /** The token of the session that the log-in replaces. `session.token` changes during the transaction. */
  previousToken: string
  proof?: IdentityProof
}

type LogInContext = RequestContext<(typeof accountEndpoints)['logIn']>

/** Creates the handler of POST /login. */
export const createLogInHandler =
  (checkPassword: CheckPassword): EndpointHandlers<typeof accountEndpoints>['logIn'] =>
  async (context) => {
    const { db, input, session, client } = context
    const account = await findCredentials(db, input.email)
    const isRight = await checkPassword({ ...input, account, ...session, network: client.network })
    if (!isRight && account) recordFailedLogIn(context, account.id, client.network)
    // If there is no such account, the response and its timing are the same as for a wrong password.
    if (!isRight || !account) throw invalidFieldError('email', messages.failed)
    const logIn = { id: account.id, previousToken: session.token }
    return transaction(db, async (tx) => {
      const current = await lockActiveAccount(tx, account.id)
      // The password may have been changed while the check ran.
      if (current.password_hash !== account.password_hash) throw invalidFieldError('email', messages.failed)
      if (await hasSecondStep(tx, account.id)) {
        await startChallenge(context, tx, logIn)
        return { two_factor: true as const }
      }
      await startSession(context, tx, logIn)
      return undefined
    })
  }

/**
 * Locks an account that is about to be opened, and returns it. Throws 403 if it is suspended, and 422 if it
 * is gone. Each transaction that starts a session calls this before it checks the proof.
 */
export async function lockActiveAccount(tx: Tx, id: number) {
  const account = await lockAccount(tx, id)
  if (!account) throw invalidFieldError('email', messages.failed)
  await requireNotSuspended(tx, id)
  return account
}

/** Throws 403 for a suspended account. */
async function requireNotSuspended(db: Db, id: number) {
  if (await isSuspended(db, id)) throw new HttpError(403, messages.suspended)
}

/**
 * Gives the browser a new session token, under which `POST /two-factor-challenge` finds the account. A
 * session of this browser ends, because the log-in replaces it.
 */
async function startChallenge({ realtime, session }: LogInContext, tx: Tx, { id, previousToken }: LogIn) {
  await endSession(tx, realtime, previousToken)
  await insertLogInChallenge(tx, session.renew(), id)
}

/**
 * Logs a member in: replaces the session of this browser, records the log-in, and tells the owner if the
 * browser has not been used with this account before. The caller has locked the account and checked the
 * proof.
 */
export async function startSession(
  context: Pick<LogInContext, 'config' | 'publicSite' | 'session' | 'client' | 'lang' | 'realtime'>,
  tx: Tx,
  { id, previousToken, proof = 'password' }: LogIn,
) {
  const { config, realtime, session, client, lang } = context
  const isKnownDevice = findDeviceLogInAttemptKey(config, session.devices, id) !== undefined
  await endSession(tx, realtime, previousToken)
  await insertSession(tx, id, session.renew(), client, proof)
  await saveMemberLanguage(tx, id, lang)
  const kind = proof === 'passkey' ? 'logged_in_with_passkey' : 'logged_in'
  await recordSecurityEvent(tx, id, kind, { network: client.network })
  if (!isKnownDevice) await enqueueSecurityNotice(context, tx, { user: id, lang, kind: 'logged_in', client })
  session.setDevices(addAccountToDeviceCookie(config, session.devices, id))
}

/**
 * Records a wrong password in the account's log. The response does not wait for this, because it would take
 * longer than for an address without an account.
 */
function recordFailedLogIn({ db, log }: AppContext, id: number, network: string) {
  transaction(db, (tx) => recordSecurityEvent(tx, id, 'log_in_failed', { network })).catch((error: unknown) =>
    log.warn({ err: error }, 'A failed log-in was not recorded'),
  )
}
