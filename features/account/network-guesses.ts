import type { AppContext } from '#core/context.ts'
import { HttpError } from '#core/http/errors.ts'
import { createTooManyRequestsError } from '#core/http/rate-limits.ts'
import { createDailyCounter, createMinuteCounter } from '#features/people/daily-counts.ts'

// Wrong passwords are also counted by network, over all accounts: otherwise somebody who knows many addresses
// could try a common password with each. A school or a mobile carrier has one network for many people, so
// this count must not keep out those who did nothing: browsers that have logged in to the account are not
// counted here, and a network beyond its count still has a first try for each account.

/** The maximum number of log-ins a minute with one name, from one network. */
const MAX_TRIES_WITH_NAME = 10
/** The maximum number of wrong passwords of one network. */
const MAX_WRONG = { minute: 60, day: 2000 }
/**
 * The number of wrong passwords in a minute that a network may have beyond MAX_WRONG: each is the first of the
 * day with its account from this network. It has no total for a day: whoever tries many names would keep
 * everybody else out until the next day, and each account gets one guess anyway.
 */
const MAX_FIRST_TRIES = 120

/** The values of Retry-After, in seconds, beyond the counts of a minute and of a day. */
const RETRY_AFTER = { minute: 60, day: 3600 }

function refuse(seconds: number): never {
  const { status, headers } = createTooManyRequestsError(seconds)
  const message = {
    en: `Too many wrong passwords from your network. Try again in ${seconds} seconds. Or log in now with a passkey, with a link from a device where you are logged in, or with a mail for a new password.`,
    ja: `お使いのネットワークから、パスワードの間違いが続いています。${seconds}秒後にもう一度お試しください。パスキー、ログイン中の端末で作るリンク、パスワード再設定のメールなら、待たずにログインできます。`,
  }
  throw new HttpError(status, message, undefined, headers)
}

/**
 * Creates a function that counts a log-in as a wrong password of its network, before the password is
 * compared, so that concurrent log-ins count too. Throws 429 if the network has no guess left; `isFirst` says
 * whether it is the first of the day with this account. Resolves to a function that takes the count back, for
 * a right password and for one that was not compared.
 */
export function createNetworkGuessCounter({ config, redis }: Pick<AppContext, 'config' | 'redis'>) {
  const addToMinute = createMinuteCounter(config, redis)
  const addToDay = createDailyCounter(config, redis)

  return async (network: string, name: string, isFirst: boolean): Promise<() => Promise<unknown>> => {
    if ((await addToMinute(`log-ins with ${name} from ${network}`, 1)) > MAX_TRIES_WITH_NAME)
      return refuse(RETRY_AFTER.minute)
    const wrong = `wrong passwords from ${network}`
    const minute = await addToMinute(wrong, 1)
    const day = await addToDay(wrong, 1)
    const takeBack = () => Promise.all([addToMinute(wrong, -1), addToDay(wrong, -1)])
    if (minute <= MAX_WRONG.minute && day <= MAX_WRONG.day) return takeBack
    await takeBack()
    const seconds = day > MAX_WRONG.day ? RETRY_AFTER.day : RETRY_AFTER.minute
    if (!isFirst) return refuse(seconds)
    const first = `first tries from ${network}`
    const takeBackFirst = () => addToMinute(first, -1)
    if ((await addToMinute(first, 1)) <= MAX_FIRST_TRIES) return takeBackFirst
    await takeBackFirst()
    return refuse(RETRY_AFTER.minute)
  }
}
