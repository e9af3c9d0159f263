import type { AppContext } from '#core/context.ts'
import { HttpError } from '#core/http/errors.ts'
import { tooManyRequests } from '#core/http/rate-limits.ts'
import { dailyCounter, minuteCounter } from '#features/people/daily-counts.ts'

// Wrong passwords also count by network, over all accounts: otherwise somebody could try a common password
// with each of many addresses. A school or a mobile carrier is one network, so browsers that have logged in
// to the account are not counted, and a network beyond its count still has a first try for each account.

/** From one network. */
const MAX_TRIES_WITH_NAME = 10
/** From one network. */
const MAX_WRONG = { minute: 60, day: 2000 }
/**
 * In a minute, beyond MAX_WRONG: the first of the day with its account. Not by day: many names would keep
 * everybody else out, and each account gets one guess anyway.
 */
const MAX_FIRST_TRIES = 120

/** In seconds, beyond the counts of a minute and of a day. */
const RETRY_AFTER = { minute: 60, day: 3600 }

function refuse(seconds: number): never {
  const { status, headers } = tooManyRequests(seconds)
  const message = {
    en: `Too many wrong passwords from your network. Try again in ${seconds} seconds. Or log in now with a passkey, with a link from a device where you are logged in, or with a mail for a new password.`,
    ja: `お使いのネットワークから、パスワードの間違いが続いています。${seconds}秒後にもう一度お試しください。パスキー、ログイン中の端末で作るリンク、パスワード再設定のメールなら、待たずにログインできます。`,
  }
  throw new HttpError(status, message, undefined, headers)
}

/**
 * The function counts a log-in as wrong before the password is compared, so that concurrent ones count too.
 * 429 if the network has no guess left; `isFirst`: the first of the day with this account. Resolves to a
 * function that takes the count back, for a right password and one that was not compared.
 */
export function guessCounter({ config, redis }: Pick<AppContext, 'config' | 'redis'>) {
  const addToMinute = minuteCounter(config, redis)
  const addToDay = dailyCounter(config, redis)

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
