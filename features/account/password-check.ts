import type { AppContext } from '#core/context.ts'
import { HttpError } from '#core/http/errors.ts'
import { createTooManyRequestsError } from '#core/http/rate-limits.ts'
import { toLogInAttemptKey } from '#features/people/credentials.ts'
import { createDailyCounter, createMinuteCounter } from '#features/people/daily-counts.ts'
import { findDeviceLogInAttemptKey } from '#features/people/device-cookies.ts'
import { parseHandle } from '#features/people/handles.ts'
import { createLogInAttemptCounter, runCountedLogInAttempt } from '#features/people/log-in-attempts.ts'
import { verifyPassword } from '#features/people/passwords.ts'
import { createNetworkGuessCounter } from './network-guesses.ts'

const messages = {
  tooMany: (seconds: number) => ({
    en: `Too many wrong passwords for this account. Try again in ${seconds} seconds. Or log in now with a passkey, with a link from a device where you are logged in, or with a mail for a new password.`,
    ja: `このアカウントでパスワードの間違いが続いています。${seconds}秒後にもう一度お試しください。パスキー、ログイン中の端末で作るリンク、パスワード再設定のメールなら、待たずにログインできます。`,
  }),
}

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
  /**
   * Whether a visitor logs in. Then wrong passwords also count for the network. Those of a member who is
   * logged in do not: the endpoints limit them by account.
   */
  isLogIn?: true
}

/**
 * Returns the key under which wrong passwords are counted for an e-mail address or a handle. A handle counts
 * by its account, so that a new handle does not reset the count.
 */
const createNameKey = (name: string, account: number | undefined) =>
  account && parseHandle(name) !== null ? `handle of ${account}` : `email ${toLogInAttemptKey(name)}`

/**
 * The number of tries in a day that networks without a failure have for an account whose passwords have to
 * wait. It bounds the guesses of somebody with many networks.
 */
const MAX_FREE_TRIES = 50

/**
 * The maximum number of log-ins a minute to one account with a browser that the owner has used, right passwords
 * too: each costs a hash and stores a session.
 */
const MAX_LOG_INS_OF_DEVICE = 20

/**
 * Creates the function that compares a password with that of an account, and returns what `verifyPassword`
 * returns. All endpoints that ask for the current password use one such function, so that wrong passwords are
 * counted together. The function throws 429 after too many wrong passwords of the account or, at a log-in, of
 * the network. A network that has not failed that day has one try even then: otherwise a stranger who guesses
 * all the time would keep the owner out.
 */
export function createRateLimitedPasswordVerifier({ config, redis }: AppContext) {
  const attempts = createLogInAttemptCounter(config, redis)
  const addToDay = createDailyCounter(config, redis)
  const addToMinute = createMinuteCounter(config, redis)
  const countGuess = createNetworkGuessCounter({ config, redis })

  return async ({ name, password, account, devices, network, isLogIn }: PasswordAttempt) => {
    // Counts wrong passwords separately for a browser that the owner has used before, so that attempts by
    // strangers do not delay the owner.
    const device = findDeviceLogInAttemptKey(config, devices, account?.id)
    // Hashes take turns by network, and a known browser has turns of its own.
    const verify = () => verifyPassword(password, account?.password_hash, device ?? network)
    if (device) {
      if (isLogIn && (await addToMinute(`log-ins of ${device}`, 1)) > MAX_LOG_INS_OF_DEVICE)
        throw createTooManyRequestsError(60)
      return runCountedLogInAttempt(attempts, device, verify, refuse)
    }
    const key = createNameKey(name, account?.id)
    // An address and a handle of one account share these counts.
    const owner = account ? `account ${account.id}` : key
    const [ofNetwork, free] = [`${owner} from ${network}`, `free tries of ${owner}`]
    // Counts before the password is compared, so that concurrent tries count too.
    const failures = await addToDay(ofNetwork, 1)
    const verifyFree = async (seconds: number) => {
      if (failures > 1) return refuse(seconds)
      if ((await addToDay(free, 1)) <= MAX_FREE_TRIES) return verify()
      // The password is not compared, so it was no failure of this network.
      await addToDay(ofNetwork, -1)
      return refuse(seconds)
    }
    const takeBack = () => addToDay(ofNetwork, -1)
    const takeBackGuess = isLogIn
      ? await countGuess(network, key, failures <= 1).catch(async (error: unknown) => {
          await takeBack()
          throw error
        })
      : async () => {}
    const match = await runCountedLogInAttempt(attempts, key, verify, verifyFree).catch(async (error) => {
      await takeBackGuess()
      if (!(error instanceof HttpError && error.status === 429)) await takeBack()
      throw error
    })
    if (match) await Promise.all([takeBack(), takeBackGuess()])
    return match
  }
}
export type RateLimitedPasswordVerifier = ReturnType<typeof createRateLimitedPasswordVerifier>

async function refuse(seconds: number): Promise<never> {
  const { status, headers } = createTooManyRequestsError(seconds)
  throw new HttpError(status, messages.tooMany(seconds), undefined, headers)
}
