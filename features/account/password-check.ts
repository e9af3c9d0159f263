import type { AppContext } from '#core/context.ts'
import { toLogInAttemptKey } from '#features/people/credentials.ts'
import { findDeviceLogInAttemptKey } from '#features/people/device-cookies.ts'
import { parseHandle } from '#features/people/handles.ts'
import { createLogInAttemptCounter, runCountedLogInAttempt } from '#features/people/log-in-attempts.ts'
import { verifyPassword } from '#features/people/passwords.ts'

interface PasswordAttempt {
  /**
   * The e-mail address or the handle under which wrong passwords are counted: what the person typed at the
   * log-in or, for a member who is logged in, the address or the handle of the account.
   */
  name: string
  password: string
  /**
   * The account whose password is checked. If a request to join waits, and there is no account, the id is
   * NO_ACCOUNT_ID and the hash is that of the request. Undefined if there is neither: the check then takes
   * the same time and returns false.
   */
  account: { id: number; password_hash: string } | undefined
  /**
   * The value of the device cookie of the browser, which contains the accounts that have logged in with this
   * browser.
   */
  devices: string
  network: string
}

/**
 * Returns the key under which wrong passwords are counted for an e-mail address or a handle. A handle counts
 * by its account, so that a new handle does not reset the count.
 */
const createNameKey = (name: string, account: number | undefined) =>
  account && parseHandle(name) !== null ? `handle of ${account}` : `email ${toLogInAttemptKey(name)}`

/**
 * Creates the function that compares a password with that of an account, and returns whether they are equal.
 * All endpoints that ask for the current password use one such function, so that wrong passwords are counted
 * together. The function throws 429 after too many wrong passwords.
 */
export function createRateLimitedPasswordVerifier({ config, redis }: AppContext) {
  const attempts = createLogInAttemptCounter(config, redis)

  return async ({ name, password, account, devices, network }: PasswordAttempt) => {
    // Counts wrong passwords separately for a browser that the owner has used before, so that attempts by
    // strangers do not delay the owner.
    const device = findDeviceLogInAttemptKey(config, devices, account?.id)
    const key = device ?? createNameKey(name, account?.id)
    return runCountedLogInAttempt(attempts, key, () =>
      verifyPassword(password, account?.password_hash, network),
    )
  }
}
export type RateLimitedPasswordVerifier = ReturnType<typeof createRateLimitedPasswordVerifier>
