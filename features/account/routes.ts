import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import {
  checkAndHashNewPassword,
  lockAndReadOwnAccount,
  readOwnCredentials,
  savePasswordHash,
} from '#features/people/credentials.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import {
  isIdentityRecentlyConfirmed,
  recordIdentityConfirmationOfSession,
} from '#features/people/session-confirmation.ts'
import { endOtherSessions } from '#features/people/sessions.ts'
import type { accountEndpoints } from './contract.ts'
import { deleteDeviceLogInLinkOfMember } from './device-links.ts'
import { deletePendingEmailChangeAndMails } from './email-changes.ts'
import { emailChangeEndpointHandlers } from './email-routes.ts'
import { createLogInHandler } from './log-in.ts'
import { deleteLogInsOfAccountAwaitingSecondStep } from './log-in-challenges.ts'
import { enqueueSecurityMail } from './notices.ts'
import { hasConfirmedAuthenticatorApp } from './one-time-codes.ts'
import { createRateLimitedPasswordVerifier } from './password-check.ts'
import { invalidatePasswordResetsOfAccount } from './password-resets.ts'
import { createPasswordResetEndpointHandlers } from './reset-password.ts'
import { type SecondStepCheckFunctions, toFilledSecondStepFieldName } from './second-step.ts'
import { clearSecondStepFailuresAndUnblock } from './second-step-failures.ts'
import { recoveryCodeEndpointHandlers, sessionAndSecurityLogEndpointHandlers } from './session-routes.ts'

const messages = {
  wrongPassword: { en: 'The password is not correct.', ja: 'パスワードが正しくありません。' },
  codeMissing: {
    en: 'Please enter a code of your authenticator app, or a recovery code.',
    ja: '認証アプリのコードか復旧コードを入力してください。',
  },
  wrongCode: {
    en: 'This code is not correct, or was used already. Wait for the next one.',
    ja: 'コードが正しくないか、すでに使われています。次のコードをお待ちください。',
  },
  passwordChanged: {
    en: 'Your password has been changed. Other devices have been logged out.',
    ja: 'パスワードを変更し、ほかの端末をログアウトしました。',
  },
}

/**
 * Locks the row of the member's account. Throws 401 if the session has ended, and 422 for the input field
 * `field` if the password has changed since it was checked.
 */
async function requireSamePassword(
  tx: Tx,
  context: Parameters<typeof lockAndReadOwnAccount>[1],
  checked: { password_hash: string },
  field: string,
) {
  const { password_hash } = await lockAndReadOwnAccount(tx, context)
  if (password_hash !== checked.password_hash) throw createInvalidFieldError(field, messages.wrongPassword)
}

/**
 * Creates the handlers of `accountEndpoints`: log-in, password, e-mail address, sessions, security log and
 * recovery codes. Passkeys, the second step, device links and the deletion have handlers of their own.
 */
export function createAccountEndpointHandlers(
  app: AppContext,
  { checkCode }: SecondStepCheckFunctions,
): EndpointHandlers<typeof accountEndpoints> {
  const checkPassword = createRateLimitedPasswordVerifier(app)
  return {
    logIn: createLogInHandler(checkPassword),
    ...createPasswordResetEndpointHandlers(app),
    ...emailChangeEndpointHandlers,
    ...sessionAndSecurityLogEndpointHandlers,
    ...recoveryCodeEndpointHandlers,

    confirm: async (context) => {
      const { db, me, input, session, client } = context
      const account = await readOwnCredentials(context)
      const { password } = input
      const name = account.email ?? account.handle
      if (!(await checkPassword({ name, password, account, ...session, network: client.network })))
        throw createInvalidFieldError('password', messages.wrongPassword)
      const confirm = async (tx: Tx) => {
        await requireSamePassword(tx, context, account, 'password')
        await recordIdentityConfirmationOfSession(tx, session.token)
        return true
      }
      if (!(await hasConfirmedAuthenticatorApp(db, me.id))) await transaction(db, confirm)
      else if (!input.code && !input.recovery_code)
        throw createInvalidFieldError('code', messages.codeMissing)
      else if (!(await checkCode(context, me.id, input, confirm)))
        throw createInvalidFieldError(toFilledSecondStepFieldName(input), messages.wrongCode)
    },

    changePassword: async (context) => {
      const { config, db, realtime, me, input, session, client, lang } = context
      const account = await readOwnCredentials(context)
      const attempt = { name: account.email ?? account.handle, account, ...session, network: client.network }
      if (!(await checkPassword({ ...attempt, password: input.current_password })))
        throw createInvalidFieldError('current_password', messages.wrongPassword)
      const hash = await checkAndHashNewPassword(input.password, client.network)
      await transaction(db, async (tx) => {
        await requireSamePassword(tx, context, account, 'current_password')
        const wasConfirmed = await isIdentityRecentlyConfirmed(tx, session.token)
        await savePasswordHash(tx, me.id, hash)
        await endOtherSessions(tx, realtime, me.id, session.token)
        await deleteDeviceLogInLinkOfMember(tx, me.id)
        if (!(await hasConfirmedAuthenticatorApp(tx, me.id)))
          await recordIdentityConfirmationOfSession(tx, session.token)
        await deleteLogInsOfAccountAwaitingSecondStep(tx, me.id)
        // Clears the count of wrong codes only if the identity was confirmed lately in this session.
        // Otherwise a thief who knows the password could change it and then guess codes again from 0.
        if (wasConfirmed) await clearSecondStepFailuresAndUnblock(tx, me.id)
        // Cancels a change of the e-mail address, and the links and codes that set a new password, because
        // somebody who knew the old password may have requested them.
        await deletePendingEmailChangeAndMails(config, tx, me.id)
        await invalidatePasswordResetsOfAccount(tx, me.id)
        await recordSecurityEvent(tx, me.id, 'password_changed', { network: client.network })
        await enqueueSecurityMail(context, tx, { user: me.id, kind: 'password_changed', lang, client })
      })
      return { message: messages.passwordChanged[lang] }
    },
  }
}
