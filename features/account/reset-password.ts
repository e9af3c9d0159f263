import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Handlers, RequestContext } from '#core/http/endpoints.ts'
import { fieldError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { hashToken } from '#core/secrets/crypto.ts'
import { isRecentAdmin } from '#features/people/admins.ts'
import * as credentials from '#features/people/credentials.ts'
import { deviceKey } from '#features/people/device-cookies.ts'
import { attemptCounter, runAttempt } from '#features/people/log-in-attempts.ts'
import * as securityLog from '#features/people/security-log.ts'
import * as visibility from '#features/people/visibility.ts'
import { endAccountAccess } from './account-access.ts'
import { hashTypedCode } from './codes.ts'
import type { accountEndpoints } from './contract.ts'
import * as deletions from './deletion.ts'
import * as emailChanges from './email-changes.ts'
import { sendSecurityMail } from './notices.ts'
import * as oneTimeCodes from './one-time-codes.ts'
import * as passkeys from './passkeys.ts'
import * as resets from './password-resets.ts'
import * as recoveryCodes from './recovery-codes.ts'
import { turnOffSecondStep } from './second-step.ts'
import * as failures from './second-step-failures.ts'

const messages = {
  linkSent: {
    en: 'If an account has this address, a mail with a link is on its way. The link is valid for 30 minutes.',
    ja: 'このメールアドレスが登録されていれば、再設定用のメールが届きます。リンクは30分以内に開いてください。',
  },
  linkNotSent: {
    en: 'This site cannot send mail. Please ask an admin for a code, or use a recovery code.',
    ja: 'このサイトではメールを送れません。管理者からコードをもらうか、復旧コードをお使いください。',
  },
  wrongLink: {
    en: 'This link does not work any more. Please request a new one.',
    ja: 'このリンクは、もう使えません。お手数ですが、もう一度メールを送ってください。',
  },
  wrongCode: {
    en: 'The address, the handle or the code is not correct, or the code has expired.',
    ja: 'メールアドレスかID、またはコードが正しくないか、コードの期限が切れています。',
  },
  reset: {
    en: 'Your new password is set, and all devices have been logged out. You can log in now. With a link or the code of an admin, your passkeys were removed, and without a second step your recovery codes too. You can add new ones.',
    ja: '新しいパスワードを設定し、すべての端末からログアウトしました。新しいパスワードでログインしてください。パスキーと復旧コードは、「アカウント」ページで確認し、必要に応じて追加してください。',
  },
}

type ResetContext = RequestContext<(typeof accountEndpoints)['resetPassword']>
/** Proves that the account is the owner's. */
type Proof = 'mail' | 'admin_code' | 'recovery_code'

/** For an unknown address, so that the checks run the same queries as for a known one. */
const NO_ACCOUNT_ID = 0

export function resetHandlers({
  config,
  redis,
}: AppContext): Pick<Handlers<typeof accountEndpoints>, 'forgotPassword' | 'resetPassword'> {
  const attempts = attemptCounter(config, redis)

  return {
    /** Only enqueues a job, so that the response and its time are the same for every address. */
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
        const hash = await credentials.hashNew(input.password, client.network)
        if (!(await resetWithToken(context, token, hash))) throw fieldError('token', messages.wrongLink)
        return { message: messages.reset[lang] }
      }
      // Without a token, the input has `email` and `code`, because its schema requires them.
      const account = await credentials.find(db, email!)
      const device = deviceKey(config, session.devices, account?.id)
      // By browser, or by network and address, so that a stranger does not delay the owner, whose code is
      // valid for half an hour. Strict enough, because codes are too long to guess.
      const key = `reset ${device ?? `${client.network} ${credentials.attemptKey(email!)}`}`
      const isRight = await runAttempt(attempts, key, async () => {
        const hash = await credentials.hashNew(input.password, client.network)
        const user = account?.id ?? NO_ACCOUNT_ID
        const recoveryHash = await recoveryCodes.hash(db, user, code!, client.network)
        return resetWithCode(context, user, { code: code!, recoveryHash }, hash)
      })
      if (!isRight) throw fieldError('code', messages.wrongCode)
      return { message: messages.reset[lang] }
    },
  }
}

/** False if the token is not valid, or the account is suspended. */
const resetWithToken = (context: ResetContext, token: string, hash: string) =>
  transaction(context.db, async (tx) => {
    const token_hash = hashToken(token)
    await credentials.lock(tx, (await resets.findAccount(tx, token_hash)) ?? NO_ACCOUNT_ID)
    const user = await resets.consume(tx, 'mail', token_hash)
    if (user === undefined || (await visibility.isSuspended(tx, user))) return false
    await saveNewPassword(context, tx, user, hash, 'mail')
    return true
  })

/**
 * False if the code is not valid, or the account is suspended. A wrong code causes the same queries whether
 * or not the account exists.
 */
const resetWithCode = (context: ResetContext, account: number, given: GivenCode, hash: string) =>
  transaction(context.db, async (tx) => {
    await credentials.lock(tx, account)
    const user = (await visibility.isSuspended(tx, account)) ? NO_ACCOUNT_ID : account
    const proof = await consumeCode(tx, user, given)
    if (!proof) return false
    await saveNewPassword(context, tx, user, hash, proof)
    return true
  })

/** From an admin, or a recovery code with its hash. */
interface GivenCode {
  code: string
  recoveryHash: string
}

async function consumeCode(tx: Tx, user: number, { code, recoveryHash }: GivenCode): Promise<Proof | null> {
  const byAdmin = await resets.consume(tx, 'code', hashTypedCode(user, code))
  // An admin may not open the account of another admin.
  if (byAdmin !== undefined) return (await isRecentAdmin(tx, user)) ? null : 'admin_code'
  // With a second step, a recovery code replaces only that, not the password, as at Google and GitHub.
  // Otherwise two codes from one sheet of paper would open the account.
  const owner = (await oneTimeCodes.isOn(tx, user)) ? NO_ACCOUNT_ID : user
  return (await recoveryCodes.consume(tx, owner, recoveryHash)) ? 'recovery_code' : null
}

/**
 * Ends all access, and an unverified change of the address. After a recovery code, the second step, the
 * passkeys and the other codes stay; other proofs call `undoChangesOfOthers`.
 */
async function saveNewPassword(context: ResetContext, tx: Tx, user: number, hash: string, proof: Proof) {
  const { realtime, client, lang } = context
  const { network } = client
  await credentials.saveHash(tx, user, hash)
  await endAccountAccess(tx, realtime, user)
  await failures.clear(tx, user)
  await emailChanges.removePending(context.config, tx, user)
  if (proof === 'recovery_code') await securityLog.record(tx, user, 'recovery_code_used', { network })
  else await undoChangesOfOthers(context, tx, user, proof)
  await securityLog.record(tx, user, 'password_reset', { network })
  const kind = proof === 'recovery_code' ? 'password_reset_with_recovery_code' : 'password_reset'
  await sendSecurityMail(context, tx, { user, kind, lang, client })
}

/**
 * Removes passkeys, recovery codes and a request for the deletion, because a thief may have added them. With
 * a second step the codes stay: they replace only that step, and an owner without the phone needs them. A
 * reset by mail that is the owner's first proof also removes the second step, which may be a stranger's. The
 * code of an admin removes a first address of the last week, with which a thief could open the account.
 */
async function undoChangesOfOthers(context: ResetContext, tx: Tx, user: number, proof: Proof) {
  await passkeys.removeAll(tx, user)
  await deletions.cancelOwn(tx, user)
  if (proof === 'admin_code') await emailChanges.removeFirstEmail(context.config, tx, user)
  if (proof === 'mail' && (await proveEmailByReset(context, tx, user)))
    await turnOffSecondStep(tx, user, { network: context.client.network })
  if (!(await oneTimeCodes.isOn(tx, user))) await recoveryCodes.removeAll(tx, user)
}

/** In ms after the registration: the first proof then removes a stranger's second step. */
const NEW_ACCOUNT = 7 * 24 * 3600_000

/**
 * True if a second step may be a stranger's: nobody or only an admin had verified the address, or a new account
 * had not proven it.
 */
async function proveEmailByReset({ config }: ResetContext, tx: Tx, user: number) {
  const unproven = await credentials.findUnproven(tx, user)
  const isFirst = await credentials.markVerified({ db: tx }, user)
  await credentials.proveEmail(tx, config, user)
  if (!unproven) return isFirst
  const isNew = Date.parse(unproven.created_at) > Date.now() - NEW_ACCOUNT
  return isFirst || isNew || credentials.isVerifiedByAdmin(tx, user)
}
