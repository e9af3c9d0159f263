import type { AppContext } from '#core/context.ts'
import { foldCase } from '#core/contract.ts'
import { tooManyRequestsError } from '#core/http/rate-limits.ts'
import { findDeviceLogInAttemptKey } from '#features/people/device-cookies.ts'
import { createLogInAttemptCounter } from '#features/people/log-in-attempts.ts'
import { verifyPassword } from '#features/people/passwords.ts'

interface PasswordAttempt {
  /** The address that was given, or that of the account. */
  email: string
  password: string
  /** Undefined if there is no such account. The check then takes the same time and returns false. */
  account: { id: number; password_hash: string } | undefined
  /** The value of the device cookie. */
  devices: string
  network: string
}

/**
 * Creates the function that compares a password with that of an account. All calls that take a password use
 * this one function, so that wrong passwords are counted together. It throws 429 after too many wrong ones.
 */
export function createPasswordChecker({ config, redis }: AppContext) {
  const attempts = createLogInAttemptCounter(config, redis)

  return async ({ email, password, account, devices, network }: PasswordAttempt) => {
    // A browser that the owner has used has a counter of its own, so that attempts of strangers do not delay
    // the owner.
    const key = findDeviceLogInAttemptKey(config, devices, account?.id) ?? `email ${foldCase(email)}`
    const wait = await attempts.begin(key)
    if (wait) throw tooManyRequestsError(Math.max(1, Math.ceil(Math.round(wait) / 1000)))
    const isRight = await verifyPassword(password, account?.password_hash, network).catch(async (error) => {
      await attempts.cancel(key)
      throw error
    })
    if (isRight) await attempts.succeed(key)
    return isRight
  }
}
export type CheckPassword = ReturnType<typeof createPasswordChecker>
