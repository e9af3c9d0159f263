import type { AppContext } from '#core/context.ts'
import { HttpError } from '#core/http/errors.ts'
import { tooManyRequests } from '#core/http/rate-limits.ts'
import * as credentials from '#features/people/credentials.ts'
import { dailyCounter, minuteCounter } from '#features/people/daily-counts.ts'
import { deviceKey } from '#features/people/device-cookies.ts'
import { parseHandle } from '#features/people/handles.ts'
import { attemptCounter, runAttempt } from '#features/people/log-in-attempts.ts'
import { verifyPassword } from '#features/people/passwords.ts'
import { guessCounter } from './network-guesses.ts'

const messages = {
  tooMany: (seconds: number) => ({
    en: `Too many wrong passwords for this account. Try again in ${seconds} seconds. Or log in now with a passkey, with a link from a device where you are logged in, or with a mail for a new password.`,
    ja: `このアカウントでパスワードの間違いが続いています。${seconds}秒後にもう一度お試しください。パスキー、ログイン中の端末で作るリンク、パスワード再設定のメールなら、待たずにログインできます。`,
  }),
}

interface PasswordAttempt {
  /** As typed at the log-in or, for a member who is logged in, from the account. */
  name: string
  password: string
  /**
   * With NO_ACCOUNT_ID, a waiting request to join. Without either, the check takes the same time, and fails.
   */
  account: { id: number; password_hash: string } | undefined
  /** The device cookie. */
  devices: string
  network: string
  /** For visitors, wrong passwords also count for the network. Endpoints limit members by account. */
  isLogIn?: true
}

/** A handle counts by its account, so that a new handle does not reset the count. */
const createNameKey = (name: string, account: number | undefined) =>
  account && parseHandle(name) !== null ? `handle of ${account}` : `email ${credentials.attemptKey(name)}`

/** In a day, by networks without a failure, while the account waits. Bounds the owner of many networks. */
const MAX_FREE_TRIES = 50

/** In a minute, with a known browser; right passwords too, because each costs a hash and stores a session. */
const MAX_LOG_INS_OF_DEVICE = 20

/**
 * The function resolves as `verifyPassword` does. All endpoints share one, so that wrong passwords count
 * together. 429 after too many of the account or, at a log-in, of the network. A network that has not failed
 * that day has one try even then: otherwise a stranger who guesses all the time would keep the owner out.
 */
export function passwordChecker({ config, redis }: AppContext) {
  const attempts = attemptCounter(config, redis)
  const addToDay = dailyCounter(config, redis)
  const addToMinute = minuteCounter(config, redis)
  const countGuess = guessCounter({ config, redis })

  return async ({ name, password, account, devices, network, isLogIn }: PasswordAttempt) => {
    // Attempts by strangers do not delay the owner, whose browsers count separately.
    const device = deviceKey(config, devices, account?.id)
    // Hashes take turns by network, and a known browser has turns of its own.
    const verify = () => verifyPassword(password, account?.password_hash, device ?? network)
    if (device) {
      if (isLogIn && (await addToMinute(`log-ins of ${device}`, 1)) > MAX_LOG_INS_OF_DEVICE)
        throw tooManyRequests(60)
      return runAttempt(attempts, device, verify, refuse)
    }
    const key = createNameKey(name, account?.id)
    // An address and a handle of one account share these counts.
    const owner = account ? `account ${account.id}` : key
    const [ofNetwork, free] = [`${owner} from ${network}`, `free tries of ${owner}`]
    // Before the password is compared, so that concurrent tries count too.
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
    const match = await runAttempt(attempts, key, verify, verifyFree).catch(async (error) => {
      await takeBackGuess()
      if (!(error instanceof HttpError && error.status === 429)) await takeBack()
      throw error
    })
    if (match) await Promise.all([takeBack(), takeBackGuess()])
    return match
  }
}
export type PasswordChecker = ReturnType<typeof passwordChecker>

async function refuse(seconds: number): Promise<never> {
  const { status, headers } = tooManyRequests(seconds)
  throw new HttpError(status, messages.tooMany(seconds), undefined, headers)
}
