import type { AppContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Handlers, RequestContext } from '#core/http/endpoints.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import * as credentials from '#features/people/credentials.ts'
import { addToDevices, deviceKey } from '#features/people/device-cookies.ts'
import { saveLanguage } from '#features/people/languages.ts'
import { hashPassword, isUsableHash } from '#features/people/passwords.ts'
import * as securityLog from '#features/people/security-log.ts'
import * as sessions from '#features/people/sessions.ts'
import * as visibility from '#features/people/visibility.ts'
import * as joinRequests from '#features/registration/join-requests.ts'
import type { accountEndpoints } from './contract.ts'
import * as challenges from './log-in-challenges.ts'
import { sendSecurityMail } from './notices.ts'
import * as oneTimeCodes from './one-time-codes.ts'
import type { PasswordChecker } from './password-check.ts'

const messages = {
  failed: {
    en: 'These credentials do not match our records.',
    ja: 'メールアドレスかID、またはパスワードが正しくありません。',
  },
  waiting: {
    en: 'No admin has answered your request to join yet. You get a mail as soon as one has decided.',
    ja: '参加の申し込みは、管理者が確認しているところです。決まりましたら、メールでお知らせします。',
  },
  choosePassword: {
    en: 'Welcome! We have sent you a mail: please choose your password with the link in it, and then log in.',
    ja: 'ようこそ。メールをお送りしました。記載のリンクからパスワードを決めて、ログインしてください。',
  },
  suspended: {
    en: 'This account is suspended. Please contact an admin.',
    ja: 'このアカウントは利用停止中です。管理者にお問い合わせください。',
  },
  suspendedUntil: (end: string, reason: string | null) => ({
    en: `This account is suspended until ${end}.${reason ? ` Reason: ${reason}` : ''}`,
    ja: `このアカウントは、${end}まで利用停止中です。${reason ? `理由：${reason}` : ''}`,
  }),
}

/** The proof is checked: the password, the second step, the passkey or the device link. */
interface LogIn {
  id: number
  /** Belongs to the session that the log-in replaces; `session.token` changes during the transaction. */
  previousToken: string
  /** By a device link: the one last used in the session that created it. Null or left out without one. */
  passkey_id?: number | null
  /** Such a link proves no password and no passkey. */
  isByDeviceLink?: boolean
}

type LogInContext = RequestContext<(typeof accountEndpoints)['logIn']>

export const logInHandler =
  (checkPassword: PasswordChecker): Handlers<typeof accountEndpoints>['logIn'] =>
  async (context) => {
    const { db, input, session, client, lang } = context
    const account = await credentials.find(db, input.email)
    const { email: name, password } = input
    const waiting = await joinRequests.findHash(db, name)
    const match = await checkPassword({
      name,
      password,
      account: account ?? (waiting && { id: credentials.NO_ACCOUNT_ID, ...waiting }),
      ...session,
      network: client.network,
      isLogIn: true,
    })
    if (match && !account) throw new HttpError(403, messages.waiting)
    if (!match && account) recordFailedLogIn(context, account.id, client.network)
    // The same error, after the same time, for a wrong password and an unknown address.
    if (!match || !account) throw fieldError('email', messages.failed)
    if (!isUsableHash(account.password_hash)) {
      await transaction(db, (tx) => enqueueJob(tx, 'password_reset_mail', { email: name, lang }))
      throw new HttpError(403, messages.choosePassword)
    }
    const newHash = match === 'outdated' ? await hashPassword(password, client.network) : null
    const logIn = { id: account.id, previousToken: session.token }
    return transaction(db, async (tx) => {
      const current = await lockForLogIn(tx, account.id)
      // Another request may have changed the password while this one was checked.
      if (current.password_hash !== account.password_hash) throw fieldError('email', messages.failed)
      if (newHash !== null) await credentials.saveHash(tx, account.id, newHash)
      if (await oneTimeCodes.isOn(tx, account.id)) {
        await startChallenge(context, tx, logIn)
        return { two_factor: true as const }
      }
      await startSession(context, tx, logIn)
      return undefined
    })
  }

/**
 * 403 if it is suspended, 422 if it no longer exists. Every transaction that logs a person in calls this; if
 * it throws, the code, the passkey or the link is not used up.
 */
export async function lockForLogIn(tx: Tx, id: number) {
  const account = await credentials.lock(tx, id)
  if (!account) throw fieldError('email', messages.failed)
  await requireNotSuspended(tx, id)
  return account
}

/** 403, with the end and the reason of the suspension if there are any. */
async function requireNotSuspended(db: Db, id: number) {
  const suspension = await visibility.findSuspension(db, id)
  if (!suspension) return
  const { ends_at, reason } = suspension
  if (ends_at === null) throw new HttpError(403, messages.suspended)
  // UTC, because the server does not know the time zone of the person.
  const end = `${ends_at.slice(0, 10)} ${ends_at.slice(11, 16)} UTC`
  throw new HttpError(403, messages.suspendedUntil(end, reason))
}

/**
 * Ends the session of this browser, and stores the log-in under a new session token, with which `POST
 * /two-factor-challenge` finds the account.
 */
async function startChallenge({ realtime, session }: LogInContext, tx: Tx, { id, previousToken }: LogIn) {
  await sessions.end(tx, realtime, previousToken)
  await challenges.add(tx, session.renew(), id)
}

/** Tells the owner by mail about a new browser. The caller has locked the account and checked the proof. */
export async function startSession(
  context: Pick<LogInContext, 'config' | 'publicSite' | 'session' | 'client' | 'lang' | 'realtime'>,
  tx: Tx,
  { id, previousToken, passkey_id = null, isByDeviceLink = false }: LogIn,
) {
  const { config, realtime, session, client, lang } = context
  const isKnownDevice = deviceKey(config, session.devices, id) !== undefined
  await sessions.end(tx, realtime, previousToken)
  const proof = { passkey_id, isConfirmed: !isByDeviceLink }
  await sessions.add(tx, id, session.renew(), client, proof)
  await saveLanguage(tx, id, lang)
  const byPasswordOrPasskey = passkey_id === null ? 'logged_in' : 'logged_in_with_passkey'
  const kind = isByDeviceLink ? 'logged_in_with_device_link' : byPasswordOrPasskey
  await securityLog.record(tx, id, kind, { network: client.network })
  if (!isKnownDevice) await sendSecurityMail(context, tx, { user: id, lang, kind: 'logged_in', client })
  session.setDevices(addToDevices(config, session.devices, id))
}

/**
 * After the response. Otherwise it would take longer than for an address without an account, because SQLite
 * stops the process while it writes.
 */
const recordFailedLogIn = ({ db, log }: AppContext, id: number, network: string) =>
  setImmediate(() => {
    transaction(db, (tx) => securityLog.record(tx, id, 'log_in_failed', { network })).catch(
      (error: unknown) => log.warn({ err: error }, 'A failed log-in was not recorded'),
    )
  })
