import type { AppContext } from '#core/context.ts'
import { foldCase } from '#core/contract.ts'
import { hashToken } from '#core/crypto.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers, RequestContext } from '#core/http/endpoints.ts'
import { invalidFieldError } from '#core/http/errors.ts'
import { tooManyRequestsError } from '#core/http/rate-limits.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { isOrWasAdmin } from '#features/people/admins.ts'
import {
  findCredentials,
  hashNewPassword,
  markEmailVerified,
  savePasswordHash,
} from '#features/people/credentials.ts'
import { findDeviceLogInAttemptKey } from '#features/people/device-cookies.ts'
import { createLogInAttemptCounter } from '#features/people/log-in-attempts.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { endAllSessions } from '#features/people/sessions.ts'
import { isSuspended } from '#features/people/visibility.ts'
import { hashCode } from './codes.ts'
import type { accountEndpoints } from './contract.ts'
import { deletePendingEmailChange } from './email-changes.ts'
import { deleteLogInChallengesOf } from './log-in-challenges.ts'
import { enqueueSecurityNotice } from './notices.ts'
import { hasSecondStep } from './one-time-codes.ts'
import { consumePasswordReset, endPasswordResets } from './password-resets.ts'
import { consumeRecoveryCode, hashRecoveryCode } from './recovery-codes.ts'

const messages = {
  linkSent: {
    en: 'If an account has this address, a mail with a link is on its way. The link is valid for 30 minutes.',
    ja: 'このアドレスのアカウントがあれば、リンクを記載したメールをお送りしました。リンクは30分間有効です。',
  },
  linkNotSent: {
    en: 'This site cannot send mail. Please ask an admin for a code, or use a recovery code.',
    ja: 'このサイトはメールを送信できません。管理者にコードを発行してもらうか、復旧コードをお使いください。',
  },
  wrongLink: {
    en: 'This link does not work any more. Please request a new one.',
    ja: 'このリンクは使えなくなっています。もう一度お申し込みください。',
  },
  wrongCode: {
    en: 'The address or the code is not correct, or the code has expired.',
    ja: 'メールアドレスまたはコードが正しくないか、コードの有効期限が切れています。',
  },
  reset: {
    en: 'Your new password is set, and all devices have been logged out. You can log in now.',
    ja: '新しいパスワードを設定し、すべての端末をログアウトしました。新しいパスワードでログインしてください。',
  },
}

type ResetContext = RequestContext<(typeof accountEndpoints)['resetPassword']>
/** How the owner has proved that the account is theirs. */
type Proof = 'mail' | 'admin_code' | 'recovery_code'

/** No account has this id. Checks for an unknown address use it, so that they do the same work. */
const NO_ACCOUNT = 0

/** Creates the handlers of the calls that give a password back to its owner. */
export function createPasswordResetRoutes({
  config,
  redis,
}: AppContext): Pick<EndpointHandlers<typeof accountEndpoints>, 'forgotPassword' | 'resetPassword'> {
  const attempts = createLogInAttemptCounter(config, redis)

  /** Runs `attempt`, which returns whether the code was right. Throws 429 after too many wrong codes. */
  async function countAttempt(key: string, attempt: () => Promise<boolean>) {
    const wait = await attempts.begin(key)
    if (wait) throw tooManyRequestsError(Math.max(1, Math.ceil(Math.round(wait) / 1000)))
    const isRight = await attempt().catch(async (error) => {
      await attempts.cancel(key)
      throw error
    })
    if (isRight) await attempts.succeed(key)
    return isRight
  }

  return {
    /** The job looks for the account, so this call does the same for each address. */
    forgotPassword: async ({ db, config, input, lang }) => {
      if (!config.SMTP_URL) return { message: messages.linkNotSent[lang] }
      const { email } = input
      await transaction(db, (tx) => enqueueJob(tx, 'password_reset_mail', { email, lang }))
      return { message: messages.linkSent[lang] }
    },

    resetPassword: async (context) => {
      const { db, input, session, client, lang } = context
      const { token, email, code } = input
      if (token !== null) {
        const hash = await hashNewPassword(input.password, client.network)
        if (!(await resetWithToken(context, token, hash)))
          throw invalidFieldError('token', messages.wrongLink)
        return { message: messages.reset[lang] }
      }
      // The contract ensures that the address and the code are there if the token is missing.
      const account = await findCredentials(db, email!)
      const device = findDeviceLogInAttemptKey(config, session.devices, account?.id)
      const isRight = await countAttempt(`reset ${device ?? foldCase(email!)}`, async () => {
        const hash = await hashNewPassword(input.password, client.network)
        const user = account?.id ?? NO_ACCOUNT
        const recoveryHash = await hashRecoveryCode(db, user, code!, client.network)
        return resetWithCode(context, user, { code: code!, recoveryHash }, hash)
      })
      if (!isRight) throw invalidFieldError('code', messages.wrongCode)
      return { message: messages.reset[lang] }
    },
  }
}

/** Returns false if the token of a mail is not valid, or the account is suspended. */
const resetWithToken = (context: ResetContext, token: string, hash: string) =>
  transaction(context.db, async (tx) => {
    const user = await consumePasswordReset(tx, 'mail', hashToken(token))
    if (user === undefined || (await isSuspended(tx, user))) return false
    await saveNewPassword(context, tx, user, hash, 'mail')
    return true
  })

/**
 * Returns false if the code is not valid for the account, or the account is suspended. The statements of a
 * refusal do not depend on whether the account exists.
 */
const resetWithCode = (context: ResetContext, account: number, given: GivenCode, hash: string) =>
  transaction(context.db, async (tx) => {
    const user = (await isSuspended(tx, account)) ? NO_ACCOUNT : account
    const proof = await consumeCode(tx, user, given)
    if (!proof) return false
    await saveNewPassword(context, tx, user, hash, proof)
    return true
  })

/** A typed code. It may be that of an admin, or a recovery code. */
interface GivenCode {
  code: string
  /** See `hashRecoveryCode`. */
  recoveryHash: string
}

async function consumeCode(tx: Tx, user: number, { code, recoveryHash }: GivenCode): Promise<Proof | null> {
  const byAdmin = await consumePasswordReset(tx, 'code', hashCode(user, code))
  // A member may have become an admin since the code was made. Admins do not open accounts of admins.
  if (byAdmin !== undefined) return (await isOrWasAdmin(tx, user)) ? null : 'admin_code'
  // With a second step, a recovery code takes only the place of that step, as at Google and GitHub. Otherwise
  // two codes of one sheet of paper would open the account: one for the password, one for the second step.
  const owner = (await hasSecondStep(tx, user)) ? NO_ACCOUNT : user
  return (await consumeRecoveryCode(tx, owner, recoveryHash)) ? 'recovery_code' : null
}

/**
 * Sets the new password and closes all other ways into the account: sessions, links, codes, and a change of
 * the address that is not verified yet. Keeps the second step. A reset by mail proves the address.
 */
async function saveNewPassword(context: ResetContext, tx: Tx, user: number, hash: string, proof: Proof) {
  const { realtime, client, lang } = context
  const { network } = client
  await savePasswordHash(tx, user, hash)
  await endAllSessions(tx, realtime, user)
  await deleteLogInChallengesOf(tx, user)
  await endPasswordResets(tx, user)
  await deletePendingEmailChange(context.config, tx, user)
  if (proof === 'mail') await markEmailVerified({ ...context, db: tx }, user)
  if (proof === 'recovery_code') await recordSecurityEvent(tx, user, 'recovery_code_used', { network })
  await recordSecurityEvent(tx, user, 'password_reset', { network })
  await enqueueSecurityNotice(context, tx, { user, kind: 'password_reset', lang, client })
}
