import type { AppContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers, RequestContext } from '#core/http/endpoints.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import {
  findCredentialsByEmailOrHandle,
  lockAndReadAccount,
  NO_ACCOUNT_ID,
  savePasswordHash,
} from '#features/people/credentials.ts'
import { addAccountToDeviceCookieValue, findDeviceLogInAttemptKey } from '#features/people/device-cookies.ts'
import { saveMemberLanguage } from '#features/people/languages.ts'
import { hashPassword, isUsablePasswordHash } from '#features/people/passwords.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { endSession, insertSession } from '#features/people/sessions.ts'
import { findSuspension } from '#features/people/visibility.ts'
import { findPasswordHashRowOfVerifiedJoinRequest } from '#features/registration/join-requests.ts'
import type { accountEndpoints } from './contract.ts'
import { insertLogInAwaitingSecondStep } from './log-in-challenges.ts'
import { enqueueSecurityMail } from './notices.ts'
import { hasConfirmedAuthenticatorApp } from './one-time-codes.ts'
import type { RateLimitedPasswordVerifier } from './password-check.ts'

const messages = {
  failed: {
    en: 'These credentials do not match our records.',
    ja: 'メールアドレス、ハンドル、パスワードのいずれかが正しくありません。',
  },
  waiting: {
    en: 'No admin has answered your request to join yet. You get a mail as soon as one has decided.',
    ja: '参加の申し込みには、まだ管理者が返事をしていません。決まりしだい、メールでお知らせします。',
  },
  choosePassword: {
    en: 'Welcome! We have sent you a mail: please choose your password with the link in it, and then log in.',
    ja: 'ようこそ。メールをお送りしました。記載のリンクからパスワードを決めて、ログインしてください。',
  },
  suspended: {
    en: 'This account is suspended. Please contact an admin.',
    ja: 'このアカウントは停止されています。管理者にお問い合わせください。',
  },
  suspendedUntil: (end: string, reason: string | null) => ({
    en: `This account is suspended until ${end}.${reason ? ` Reason: ${reason}` : ''}`,
    ja: `このアカウントは${end}まで停止されています。${reason ? `理由：${reason}` : ''}`,
  }),
}

/**
 * A log-in after its proof was checked. The proof is the password, the second step, the passkey or the device
 * link.
 */
interface LogIn {
  /** The id of the account. */
  id: number
  /**
   * The token of the session that the log-in replaces. The caller stores the token here because
   * `session.token` changes during the transaction.
   */
  previousToken: string
  /**
   * The id of the passkey that was used for the log-in. For a log-in by device link: the passkey that was
   * used in the session that created the link. Null or left out if no passkey was used.
   */
  passkey_id?: number | null
  /**
   * Whether the person logs in by a link from another device. Such a link proves no password and no passkey.
   */
  isByDeviceLink?: boolean
}

type LogInContext = RequestContext<(typeof accountEndpoints)['logIn']>

/** Creates the handler of POST /login, which checks the e-mail address or the handle with the password. */
export const createLogInHandler =
  (checkPassword: RateLimitedPasswordVerifier): EndpointHandlers<typeof accountEndpoints>['logIn'] =>
  async (context) => {
    const { db, input, session, client, lang } = context
    const account = await findCredentialsByEmailOrHandle(db, input.email)
    const { email: name, password } = input
    const waiting = await findPasswordHashRowOfVerifiedJoinRequest(db, name)
    const match = await checkPassword({
      name,
      password,
      account: account ?? (waiting && { id: NO_ACCOUNT_ID, ...waiting }),
      ...session,
      network: client.network,
      isLogIn: true,
    })
    if (match && !account) throw new HttpError(403, messages.waiting)
    if (!match && account) recordFailedLogIn(context, account.id, client.network)
    // Throws the same error, after the same time, for a wrong password and for an unknown e-mail address.
    if (!match || !account) throw createInvalidFieldError('email', messages.failed)
    if (!isUsablePasswordHash(account.password_hash)) {
      await transaction(db, (tx) => enqueueJob(tx, 'password_reset_mail', { email: name, lang }))
      throw new HttpError(403, messages.choosePassword)
    }
    const newHash = match === 'outdated' ? await hashPassword(password, client.network) : null
    const logIn = { id: account.id, previousToken: session.token }
    return transaction(db, async (tx) => {
      const current = await lockAndReadActiveAccountForLogIn(tx, account.id)
      // Compares the password hashes, because another request may have changed the password while this one
      // was checked.
      if (current.password_hash !== account.password_hash)
        throw createInvalidFieldError('email', messages.failed)
      if (newHash !== null) await savePasswordHash(tx, account.id, newHash)
      if (await hasConfirmedAuthenticatorApp(tx, account.id)) {
        await startChallenge(context, tx, logIn)
        return { two_factor: true as const }
      }
      await startSessionAndRecordLogIn(context, tx, logIn)
      return undefined
    })
  }

/**
 * Locks the row of the account that a person logs in to, and returns the account. Throws 403 if the account
 * is suspended, and 422 if it no longer exists. Every transaction that logs a person in calls this function.
 * If it throws, the transaction is rolled back, so that the code, the passkey or the link is not used up.
 */
export async function lockAndReadActiveAccountForLogIn(tx: Tx, id: number) {
  const account = await lockAndReadAccount(tx, id)
  if (!account) throw createInvalidFieldError('email', messages.failed)
  await requireNotSuspended(tx, id)
  return account
}

/**
 * Throws 403 if the account is suspended. If the suspension has an end, the error message contains the end,
 * and the reason if there is one.
 */
async function requireNotSuspended(db: Db, id: number) {
  const suspension = await findSuspension(db, id)
  if (!suspension) return
  const { ends_at, reason } = suspension
  if (ends_at === null) throw new HttpError(403, messages.suspended)
  // Formats the end of the suspension to the minute in UTC, because the server does not know the time zone of
  // the person.
  const end = `${ends_at.slice(0, 10)} ${ends_at.slice(11, 16)} UTC`
  throw new HttpError(403, messages.suspendedUntil(end, reason))
}

/**
 * Starts the wait for the second step of a log-in: ends the session of this browser, gives the browser a new
 * session token, and stores the log-in under this token, so that `POST /two-factor-challenge` finds the
 * account.
 */
async function startChallenge({ realtime, session }: LogInContext, tx: Tx, { id, previousToken }: LogIn) {
  await endSession(tx, realtime, previousToken)
  await insertLogInAwaitingSecondStep(tx, session.renew(), id)
}

/**
 * Logs a member in: replaces the session of this browser, records the log-in in the security log, and tells
 * the owner by mail if the browser has not been used with this account before. The caller has locked the
 * account and checked the password, the passkey or the link.
 */
export async function startSessionAndRecordLogIn(
  context: Pick<LogInContext, 'config' | 'publicSite' | 'session' | 'client' | 'lang' | 'realtime'>,
  tx: Tx,
  { id, previousToken, passkey_id = null, isByDeviceLink = false }: LogIn,
) {
  const { config, realtime, session, client, lang } = context
  const isKnownDevice = findDeviceLogInAttemptKey(config, session.devices, id) !== undefined
  await endSession(tx, realtime, previousToken)
  const proof = { passkey_id, isConfirmed: !isByDeviceLink }
  await insertSession(tx, id, session.renew(), client, proof)
  await saveMemberLanguage(tx, id, lang)
  const byPasswordOrPasskey = passkey_id === null ? 'logged_in' : 'logged_in_with_passkey'
  const kind = isByDeviceLink ? 'logged_in_with_device_link' : byPasswordOrPasskey
  await recordSecurityEvent(tx, id, kind, { network: client.network })
  if (!isKnownDevice) await enqueueSecurityMail(context, tx, { user: id, lang, kind: 'logged_in', client })
  session.setDevices(addAccountToDeviceCookieValue(config, session.devices, id))
}

/**
 * Records a wrong password in the security log of the account after the response is sent. Otherwise the
 * response would take longer than for an address without an account, because SQLite stops the process while
 * it writes.
 */
const recordFailedLogIn = ({ db, log }: AppContext, id: number, network: string) =>
  setImmediate(() => {
    transaction(db, (tx) => recordSecurityEvent(tx, id, 'log_in_failed', { network })).catch(
      (error: unknown) => log.warn({ err: error }, 'A failed log-in was not recorded'),
    )
  })
