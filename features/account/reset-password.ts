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
  lockAccount,
  markEmailVerified,
  savePasswordHash,
} from '#features/people/credentials.ts'
import { findDeviceLogInAttemptKey } from '#features/people/device-cookies.ts'
import { createLogInAttemptCounter } from '#features/people/log-in-attempts.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { isSuspended } from '#features/people/visibility.ts'
import { endAllAccess } from './account-access.ts'
import { hashCode } from './codes.ts'
import type { accountEndpoints } from './contract.ts'
import { cancelOwnDeletion } from './deletion.ts'
import { deletePendingEmailChange } from './email-changes.ts'
import { enqueueSecurityNotice } from './notices.ts'
import { hasSecondStep } from './one-time-codes.ts'
import { deleteAllPasskeys } from './passkeys.ts'
import { consumePasswordReset, findResetAccount } from './password-resets.ts'
import { consumeRecoveryCode, deleteRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts'
import { removeSecondStep } from './second-step.ts'

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
    en: 'Your new password is set, and all devices have been logged out. You can log in now. With a link or the code of an admin, your passkeys were removed, and without a second step your recovery codes too. You can add new ones.',
    ja: '新しいパスワードを設定し、すべての端末をログアウトしました。新しいパスワードでログインしてください。リンクまたは管理者のコードで設定した場合は、パスキーが削除されています。2段階認証をお使いでなければ、復旧コードも削除されています。必要に応じて追加してください。',
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
      // Codes are too long to be guessed. So wrong ones are counted by network, and a stranger does not delay
      // the owner, whose code is valid for only half an hour.
      const key = `reset ${device ?? `${client.network} ${foldCase(email!)}`}`
      const isRight = await countAttempt(key, async () => {
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
    const token_hash = hashToken(token)
    await lockAccount(tx, (await findResetAccount(tx, token_hash)) ?? NO_ACCOUNT)
    const user = await consumePasswordReset(tx, 'mail', token_hash)
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
    await lockAccount(tx, account)
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
 * Sets the new password and ends all access to the account, and a change of the address that is not verified
 * yet. Keeps the second step. With a recovery code, the member keeps passkeys and other recovery codes.
 */
async function saveNewPassword(context: ResetContext, tx: Tx, user: number, hash: string, proof: Proof) {
  const { realtime, client, lang } = context
  const { network } = client
  await savePasswordHash(tx, user, hash)
  await endAllAccess(tx, realtime, user)
  await deletePendingEmailChange(context.config, tx, user)
  if (proof === 'recovery_code') await recordSecurityEvent(tx, user, 'recovery_code_used', { network })
  else await undoChangesOfOthers(context, tx, user, proof)
  await recordSecurityEvent(tx, user, 'password_reset', { network })
  const kind = proof === 'recovery_code' ? 'password_reset_with_recovery_code' : 'password_reset'
  await enqueueSecurityNotice(context, tx, { user, kind, lang, client })
}

/**
 * Removes what somebody else may have added to the account before its owner has proved that it is theirs:
 * passkeys, recovery codes, and a request for the deletion. With a second step, recovery codes stay: there
 * they replace only the second step, and an owner without the phone needs them. A reset by mail proves the
 * address. If nobody had proved it before, the second step is a stranger's, and goes too.
 */
async function undoChangesOfOthers(context: ResetContext, tx: Tx, user: number, proof: Proof) {
  await deleteAllPasskeys(tx, user)
  await cancelOwnDeletion(tx, user)
  const isFirstProof = proof === 'mail' && (await markEmailVerified({ ...context, db: tx }, user))
  if (isFirstProof) await removeSecondStep(tx, user, { network: context.client.network })
  if (!(await hasSecondStep(tx, user))) await deleteRecoveryCodes(tx, user)
}
