import type { AppContext } from '#core/context.ts'
import { hashToken } from '#core/crypto.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers, RequestContext } from '#core/http/endpoints.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { isAdminNowOrRecently } from '#features/people/admins.ts'
import {
  checkAndHashNewPassword,
  findCredentialsByEmailOrHandle,
  findUnprovenAccount,
  lockAndReadAccount,
  markEmailVerified,
  proveEmail,
  savePasswordHash,
  toLogInAttemptKey,
} from '#features/people/credentials.ts'
import { findDeviceLogInAttemptKey } from '#features/people/device-cookies.ts'
import { createLogInAttemptCounter, runCountedLogInAttempt } from '#features/people/log-in-attempts.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { isMemberSuspended } from '#features/people/visibility.ts'
import { endSessionsPendingLogInsAndResets } from './account-access.ts'
import { hashTypedCodeWithAccountId } from './codes.ts'
import type { accountEndpoints } from './contract.ts'
import { cancelAccountDeletionUnlessByAdmin } from './deletion.ts'
import { deletePendingEmailChangeAndMails, removeEmailAddressFirstAddedInLastWeek } from './email-changes.ts'
import { enqueueSecurityMail } from './notices.ts'
import { hasConfirmedAuthenticatorApp } from './one-time-codes.ts'
import { deleteAllPasskeysOfMember } from './passkeys.ts'
import {
  consumePasswordResetAndReadUserId,
  findUserIdOfValidOrEndedPasswordReset,
} from './password-resets.ts'
import { consumeRecoveryCode, deleteRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts'
import { removeAuthenticatorAppOfAccount } from './second-step.ts'
import { clearSecondStepFailuresAndUnblock } from './second-step-failures.ts'

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
    en: 'The address, the handle or the code is not correct, or the code has expired.',
    ja: 'メールアドレス、ハンドル、コードのいずれかが正しくないか、コードの有効期限が切れています。',
  },
  reset: {
    en: 'Your new password is set, and all devices have been logged out. You can log in now. With a link or the code of an admin, your passkeys were removed, and without a second step your recovery codes too. You can add new ones.',
    ja: '新しいパスワードを設定し、すべての端末をログアウトしました。新しいパスワードでログインしてください。リンクまたは管理者のコードで設定した場合は、パスキーが削除されています。2段階認証をお使いでなければ、復旧コードも削除されています。必要に応じて追加してください。',
  },
}

type ResetContext = RequestContext<(typeof accountEndpoints)['resetPassword']>
/** The kinds of proof with which the owner shows that the account is theirs. */
type Proof = 'mail' | 'admin_code' | 'recovery_code'

/**
 * An id that no account has. For an unknown e-mail address, the checks use this id, so that they run the same
 * queries as for a known one.
 */
const NO_ACCOUNT_ID = 0

/** Creates the handlers of the endpoints that mail a link for a new password and set the new password. */
export function createPasswordResetEndpointHandlers({
  config,
  redis,
}: AppContext): Pick<EndpointHandlers<typeof accountEndpoints>, 'forgotPassword' | 'resetPassword'> {
  const attempts = createLogInAttemptCounter(config, redis)

  return {
    /**
     * Only enqueues a job, which looks for the account and sends the mail. So the response and its time are
     * the same for every address.
     */
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
        const hash = await checkAndHashNewPassword(input.password, client.network)
        if (!(await resetWithToken(context, token, hash)))
          throw createInvalidFieldError('token', messages.wrongLink)
        return { message: messages.reset[lang] }
      }
      // Without a token, the input has `email` and `code`, because its schema requires them.
      const account = await findCredentialsByEmailOrHandle(db, email!)
      const device = findDeviceLogInAttemptKey(config, session.devices, account?.id)
      // Counts wrong codes by browser, or by network and e-mail address, so that a stranger does not delay
      // the owner, whose code is valid for only half an hour. This count is strict enough, because codes are
      // too long to guess.
      const key = `reset ${device ?? `${client.network} ${toLogInAttemptKey(email!)}`}`
      const isRight = await runCountedLogInAttempt(attempts, key, async () => {
        const hash = await checkAndHashNewPassword(input.password, client.network)
        const user = account?.id ?? NO_ACCOUNT_ID
        const recoveryHash = await hashRecoveryCode(db, user, code!, client.network)
        return resetWithCode(context, user, { code: code!, recoveryHash }, hash)
      })
      if (!isRight) throw createInvalidFieldError('code', messages.wrongCode)
      return { message: messages.reset[lang] }
    },
  }
}

/**
 * Sets a new password with the token of a mail. Returns false if the token is not valid, or if the account is
 * suspended.
 */
const resetWithToken = (context: ResetContext, token: string, hash: string) =>
  transaction(context.db, async (tx) => {
    const token_hash = hashToken(token)
    await lockAndReadAccount(
      tx,
      (await findUserIdOfValidOrEndedPasswordReset(tx, token_hash)) ?? NO_ACCOUNT_ID,
    )
    const user = await consumePasswordResetAndReadUserId(tx, 'mail', token_hash)
    if (user === undefined || (await isMemberSuspended(tx, user))) return false
    await saveNewPassword(context, tx, user, hash, 'mail')
    return true
  })

/**
 * Sets a new password with a code that the person typed. Returns false if the code is not valid for the
 * account, or if the account is suspended. A wrong code causes the same queries whether or not the account
 * exists.
 */
const resetWithCode = (context: ResetContext, account: number, given: GivenCode, hash: string) =>
  transaction(context.db, async (tx) => {
    await lockAndReadAccount(tx, account)
    const user = (await isMemberSuspended(tx, account)) ? NO_ACCOUNT_ID : account
    const proof = await consumeCode(tx, user, given)
    if (!proof) return false
    await saveNewPassword(context, tx, user, hash, proof)
    return true
  })

/**
 * A code that the person typed, either the code of an admin or a recovery code, together with its hash as a
 * recovery code.
 */
interface GivenCode {
  code: string
  /** See `hashRecoveryCode`. */
  recoveryHash: string
}

async function consumeCode(tx: Tx, user: number, { code, recoveryHash }: GivenCode): Promise<Proof | null> {
  const byAdmin = await consumePasswordResetAndReadUserId(tx, 'code', hashTypedCodeWithAccountId(user, code))
  // Refuses the code of an admin if the member is an admin now or was one a short time ago, because an admin
  // may not open the account of another admin.
  if (byAdmin !== undefined) return (await isAdminNowOrRecently(tx, user)) ? null : 'admin_code'
  // If the account has a second step, a recovery code replaces only that step and not the password, as at
  // Google and GitHub. Otherwise two codes from one sheet of paper would open the account.
  const owner = (await hasConfirmedAuthenticatorApp(tx, user)) ? NO_ACCOUNT_ID : user
  return (await consumeRecoveryCode(tx, owner, recoveryHash)) ? 'recovery_code' : null
}

/**
 * Sets the new password, ends all access to the account, and cancels a change of the e-mail address that is
 * not verified. If the proof is a recovery code, keeps the second step, the passkeys and the other recovery
 * codes. For other proofs, calls `undoChangesOfOthers`, which removes what a thief may have added.
 */
async function saveNewPassword(context: ResetContext, tx: Tx, user: number, hash: string, proof: Proof) {
  const { realtime, client, lang } = context
  const { network } = client
  await savePasswordHash(tx, user, hash)
  await endSessionsPendingLogInsAndResets(tx, realtime, user)
  await clearSecondStepFailuresAndUnblock(tx, user)
  await deletePendingEmailChangeAndMails(context.config, tx, user)
  if (proof === 'recovery_code') await recordSecurityEvent(tx, user, 'recovery_code_used', { network })
  else await undoChangesOfOthers(context, tx, user, proof)
  await recordSecurityEvent(tx, user, 'password_reset', { network })
  const kind = proof === 'recovery_code' ? 'password_reset_with_recovery_code' : 'password_reset'
  await enqueueSecurityMail(context, tx, { user, kind, lang, client })
}

/**
 * Removes what a thief may have added to the account: passkeys, recovery codes, and a request for the
 * deletion. If the account has a second step, the recovery codes stay, because they replace only that step,
 * and an owner without the phone needs them. If the reset by mail is the first proof of the owner, this
 * function also removes the second step, because a stranger may have added it. After a reset with
 * the code of an admin, it removes a first address that was added in the last week: a thief could open the
 * account with that address.
 */
async function undoChangesOfOthers(context: ResetContext, tx: Tx, user: number, proof: Proof) {
  await deleteAllPasskeysOfMember(tx, user)
  await cancelAccountDeletionUnlessByAdmin(tx, user)
  if (proof === 'admin_code') await removeEmailAddressFirstAddedInLastWeek(context.config, tx, user)
  if (proof === 'mail' && (await proveEmailByReset(context, tx, user)))
    await removeAuthenticatorAppOfAccount(tx, user, { network: context.client.network })
  if (!(await hasConfirmedAuthenticatorApp(tx, user))) await deleteRecoveryCodes(tx, user)
}

/** The time in ms after a registration in which a stranger's second step is removed by the first proof. */
const NEW_ACCOUNT = 7 * 24 * 3600_000

/**
 * Marks the e-mail address as verified and proven after a reset by mail. Returns whether a second step may be
 * that of a stranger: nobody had verified the address, or a new account had not proven it.
 */
async function proveEmailByReset({ config }: ResetContext, tx: Tx, user: number) {
  const unproven = await findUnprovenAccount(tx, user)
  const isFirst = await markEmailVerified({ db: tx }, user)
  await proveEmail(tx, config, user)
  const isNew = (created_at: string) => Date.parse(created_at) > Date.now() - NEW_ACCOUNT
  return isFirst || (unproven !== undefined && isNew(unproven.created_at))
}
