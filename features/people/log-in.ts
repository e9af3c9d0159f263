import type { AppContext } from '#core/context.ts'
import { foldCase } from '#core/contract.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import { tooOften } from '#core/http/rate-limits.ts'
import type { people } from './contract.ts'
import { deviceOf, withDevice } from './devices.ts'
import { createLogInAttempts } from './log-in-attempts.ts'
import { credentialsOf } from './model.ts'
import { isPassword } from './passwords.ts'
import { noteSecurityEvent } from './security-log.ts'
import { endSession, openSession } from './sessions.ts'
import { isSuspended } from './visibility.ts'

const messages = {
  failed: {
    en: 'These credentials do not match our records.',
    ja: 'メールアドレスまたはパスワードが正しくありません。',
  },
  suspended: {
    en: 'This account is suspended. An admin can let you back in.',
    ja: 'このアカウントは停止されています。再開については管理者にお問い合わせください。',
  },
}

/** The handler of POST /login. */
export function createLogIn(app: AppContext): Handlers<typeof people>['logIn'] {
  const attempts = createLogInAttempts(app.config, app.redis)

  return async ({ config, db, realtime, input, session, client }) => {
    const { email, password } = input
    const account = await credentialsOf(db, email)
    // A browser that the owner has used is counted apart: the tries of strangers do not delay the owner.
    const device = deviceOf(config, session.devices, account?.id)
    const attempt = device ?? `email ${foldCase(email)}`
    const wait = await attempts.begin(attempt)
    if (wait) throw tooOften(Math.max(1, Math.ceil(Math.round(wait) / 1000)))
    const isRight = await isPassword(password, account?.password_hash, client.network).catch(
      async (error) => {
        await attempts.cancel(attempt)
        throw error
      },
    )
    // The answer and its time are the same where there is no such account.
    if (!isRight || !account) throw fieldError('email', messages.failed)
    await attempts.succeed(attempt)
    if (await isSuspended(db, account.id)) throw new HttpError(403, messages.suspended)
    const before = session.token
    await transaction(db, async (tx) => {
      await endSession(tx, realtime, before)
      await openSession(tx, account.id, session.renew())
      await noteSecurityEvent(tx, account.id, 'logged_in', { network: client.network })
    })
    session.setDevices(withDevice(config, session.devices, account.id))
  }
}
