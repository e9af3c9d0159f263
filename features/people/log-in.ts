import type { AppContext } from '#core/context.ts'
import { foldCase } from '#core/contract.ts'
import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import { tooManyRequestsError } from '#core/http/rate-limits.ts'
import type { peopleEndpoints } from './contract.ts'
import { addDeviceToken, findDeviceCounterKey } from './device-cookies.ts'
import { createLogInAttemptCounter } from './log-in-attempts.ts'
import { findCredentials } from './model.ts'
import { verifyPassword } from './passwords.ts'
import { recordSecurityEvent } from './security-log.ts'
import { endSession, insertSession } from './sessions.ts'
import { isSuspended } from './visibility.ts'

const messages = {
  failed: {
    en: 'These credentials do not match our records.',
    ja: 'メールアドレスまたはパスワードが正しくありません。',
  },
  suspended: {
    en: 'This account is suspended. Please contact an admin.',
    ja: 'このアカウントは停止されています。管理者にお問い合わせください。',
  },
}

/** The handler of POST /login. */
export function createLogInHandler(app: AppContext): EndpointHandlers<typeof peopleEndpoints>['logIn'] {
  const attempts = createLogInAttemptCounter(app.config, app.redis)

  return async ({ config, db, realtime, input, session, client }) => {
    const { email, password } = input
    const account = await findCredentials(db, email)
    // A browser that the owner has used has a counter of its own, so that attempts of strangers do not delay
    // the owner.
    const device = findDeviceCounterKey(config, session.devices, account?.id)
    const attempt = device ?? `email ${foldCase(email)}`
    const wait = await attempts.begin(attempt)
    if (wait) throw tooManyRequestsError(Math.max(1, Math.ceil(Math.round(wait) / 1000)))
    const isRight = await verifyPassword(password, account?.password_hash, client.network).catch(
      async (error) => {
        await attempts.cancel(attempt)
        throw error
      },
    )
    // If there is no such account, the response and its timing are the same as for a wrong password.
    if (!isRight || !account) throw fieldError('email', messages.failed)
    await attempts.succeed(attempt)
    if (await isSuspended(db, account.id)) throw new HttpError(403, messages.suspended)
    const before = session.token
    await transaction(db, async (tx) => {
      await endSession(tx, realtime, before)
      await insertSession(tx, account.id, session.renew())
      await recordSecurityEvent(tx, account.id, 'logged_in', { network: client.network })
    })
    session.setDevices(addDeviceToken(config, session.devices, account.id))
  }
}
