import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { fieldError } from '#core/http/errors.ts'
import * as credentials from '#features/people/credentials.ts'
import * as securityLog from '#features/people/security-log.ts'
import { isIdentityConfirmed, recordConfirmation } from '#features/people/session-confirmation.ts'
import * as sessions from '#features/people/sessions.ts'
import type { accountEndpoints } from './contract.ts'
import * as deviceLinks from './device-links.ts'
import * as emailChanges from './email-changes.ts'
import { emailHandlers } from './email-routes.ts'
import { logInHandler } from './log-in.ts'
import * as challenges from './log-in-challenges.ts'
import { sendSecurityMail } from './notices.ts'
import * as oneTimeCodes from './one-time-codes.ts'
import { passwordChecker } from './password-check.ts'
import * as resets from './password-resets.ts'
import { resetHandlers } from './reset-password.ts'
import { filledField, type SecondStepChecks } from './second-step.ts'
import * as failures from './second-step-failures.ts'
import { recoveryHandlers, sessionHandlers } from './session-routes.ts'

const messages = {
  wrongPassword: { en: 'The password is not correct.', ja: 'パスワードが正しくありません。' },
  codeMissing: {
    en: 'Please enter a code of your authenticator app, or a recovery code.',
    ja: '認証アプリのコードか復旧コードを入力してください。',
  },
  wrongCode: {
    en: 'This code is not correct, or was used already. Wait for the next one.',
    ja: 'コードが正しくないか、すでに使われています。認証アプリの表示が変わるのを待って、新しいコードを入力してください。',
  },
  passwordChanged: {
    en: 'Your password has been changed. Other devices have been logged out.',
    ja: 'パスワードを変更し、ほかの端末からログアウトしました。',
  },
}

/** 401 if the session has ended, 422 for `field` if the password has changed since it was checked. */
async function requireSamePassword(
  tx: Tx,
  context: Parameters<typeof credentials.lockOwn>[1],
  checked: { password_hash: string },
  field: string,
) {
  const { password_hash } = await credentials.lockOwn(tx, context)
  if (password_hash !== checked.password_hash) throw fieldError(field, messages.wrongPassword)
}

export function accountHandlers(
  app: AppContext,
  { checkCode }: SecondStepChecks,
): Handlers<typeof accountEndpoints> {
  const checkPassword = passwordChecker(app)
  return {
    logIn: logInHandler(checkPassword),
    ...resetHandlers(app),
    ...emailHandlers,
    ...sessionHandlers,
    ...recoveryHandlers,

    confirm: async (context) => {
      const { db, me, input, session, client } = context
      const account = await credentials.getOwn(context)
      const { password } = input
      const name = account.email ?? account.handle
      if (!(await checkPassword({ name, password, account, ...session, network: client.network })))
        throw fieldError('password', messages.wrongPassword)
      const confirm = async (tx: Tx) => {
        await requireSamePassword(tx, context, account, 'password')
        await recordConfirmation(tx, session.token)
        return true
      }
      if (!(await oneTimeCodes.isOn(db, me.id))) await transaction(db, confirm)
      else if (!input.code && !input.recovery_code) throw fieldError('code', messages.codeMissing)
      else if (!(await checkCode(context, me.id, input, confirm)))
        throw fieldError(filledField(input), messages.wrongCode)
    },

    changePassword: async (context) => {
      const { config, db, realtime, me, input, session, client, lang } = context
      const account = await credentials.getOwn(context)
      const attempt = { name: account.email ?? account.handle, account, ...session, network: client.network }
      if (!(await checkPassword({ ...attempt, password: input.current_password })))
        throw fieldError('current_password', messages.wrongPassword)
      const hash = await credentials.hashNew(input.password, client.network)
      await transaction(db, async (tx) => {
        await requireSamePassword(tx, context, account, 'current_password')
        const wasConfirmed = await isIdentityConfirmed(tx, session.token)
        await credentials.saveHash(tx, me.id, hash)
        await sessions.endOthers(tx, realtime, me.id, session.token)
        await deviceLinks.remove(tx, me.id)
        if (!(await oneTimeCodes.isOn(tx, me.id))) await recordConfirmation(tx, session.token)
        await challenges.removeAll(tx, me.id)
        // Only after a recent confirmation: otherwise a thief with the password could change it, and guess
        // codes again.
        if (wasConfirmed) await failures.clear(tx, me.id)
        // Somebody who knew the old password may have requested them.
        await emailChanges.removePending(config, tx, me.id)
        await resets.endAll(tx, me.id)
        await securityLog.record(tx, me.id, 'password_changed', { network: client.network })
        await sendSecurityMail(context, tx, { user: me.id, kind: 'password_changed', lang, client })
      })
      return { message: messages.passwordChanged[lang] }
    },
  }
}
