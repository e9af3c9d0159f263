import type { AppContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { invalidFieldError } from '#core/http/errors.ts'
import { hashNewPassword, readOwnCredentials, savePasswordHash } from '#features/people/credentials.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { confirmSession, endOtherSessions } from '#features/people/sessions.ts'
import type { accountEndpoints } from './contract.ts'
import { deletePendingEmailChange } from './email-changes.ts'
import { emailRoutes } from './email-routes.ts'
import { createLogInHandler } from './log-in.ts'
import { deleteLogInChallengesOf } from './log-in-challenges.ts'
import { enqueueSecurityNotice } from './notices.ts'
import { createPasswordChecker } from './password-check.ts'
import { endPasswordResets } from './password-resets.ts'
import { createPasswordResetRoutes } from './reset-password.ts'
import { recoveryCodeRoutes, sessionRoutes } from './session-routes.ts'

const messages = {
  wrongPassword: { en: 'The password is not correct.', ja: 'パスワードが正しくありません。' },
  passwordChanged: {
    en: 'Your password has been changed. Other devices have been logged out.',
    ja: 'パスワードを変更し、ほかの端末をログアウトしました。',
  },
}

/** Creates the handlers of the account's endpoints, except passkeys, the second step and the deletion. */
export function createAccountRoutes(app: AppContext): EndpointHandlers<typeof accountEndpoints> {
  const checkPassword = createPasswordChecker(app)
  return {
    logIn: createLogInHandler(checkPassword),
    ...createPasswordResetRoutes(app),
    ...emailRoutes,
    ...sessionRoutes,
    ...recoveryCodeRoutes,

    confirm: async (context) => {
      const { db, input, session, client } = context
      const account = await readOwnCredentials(context)
      const { password } = input
      const { email } = account
      if (!(await checkPassword({ email, password, account, ...session, network: client.network })))
        throw invalidFieldError('password', messages.wrongPassword)
      await transaction(db, (tx) => confirmSession(tx, session.token, 'password'))
    },

    changePassword: async (context) => {
      const { config, db, realtime, me, input, session, client, lang } = context
      const account = await readOwnCredentials(context)
      const attempt = { email: account.email, account, ...session, network: client.network }
      if (!(await checkPassword({ ...attempt, password: input.current_password })))
        throw invalidFieldError('current_password', messages.wrongPassword)
      const hash = await hashNewPassword(input.password, client.network)
      await transaction(db, async (tx) => {
        await savePasswordHash(tx, me.id, hash)
        await endOtherSessions(tx, realtime, me.id, session.token)
        await confirmSession(tx, session.token, 'password')
        await deleteLogInChallengesOf(tx, me.id)
        // A thief of the old password may have begun these.
        await deletePendingEmailChange(config, tx, me.id)
        await endPasswordResets(tx, me.id)
        await recordSecurityEvent(tx, me.id, 'password_changed', { network: client.network })
        await enqueueSecurityNotice(context, tx, { user: me.id, kind: 'password_changed', lang, client })
      })
      return { message: messages.passwordChanged[lang] }
    },
  }
}
