import type { Db } from '#core/database/database.ts'
import { readTime } from '#core/database/facts.ts'
import { durationText, type Finding } from './check.ts'

/** The allowed differences between clocks, in ms. Codes of authenticator apps tolerate 30 seconds. */
const MAX_DATABASE_DIFFERENCE = 5000
const MAX_DEVICE_DIFFERENCE = 30_000
/** How far in the future the time of the newest job may be, in ms. */
const MAX_FUTURE = 60_000

const advice = {
  en: 'Turn on the time synchronisation of the machine (on Linux: timedatectl set-ntp true). Codes of authenticator apps and the end of links depend on the clock.',
  ja: 'サーバーの時刻同期を有効にしてください（Linuxでは timedatectl set-ntp true）。認証アプリのコードやリンクの有効期限は時計に左右されます。',
}

/**
 * Compares the clock of this process with the clock of the database, with the time of the newest job, and
 * with the clock of the admin's device. `deviceTime` is the time of that device in ms, if it is known.
 */
export async function checkClock(db: Db, deviceTime?: number): Promise<Finding> {
  const before = Date.now()
  const databaseTime = await readTime(db)
  const now = Date.now()
  // Assumes that the database read its clock in the middle of the query.
  const databaseDifference = Math.abs(databaseTime - (before + now) / 2)
  if (databaseDifference > MAX_DATABASE_DIFFERENCE) {
    const difference = durationText(databaseDifference)
    return {
      status: 'problem',
      finding: {
        en: `The clocks of the server and of the database differ by ${difference.en}.`,
        ja: `サーバーとデータベースの時計が${difference.ja}ずれています。`,
      },
      advice,
    }
  }
  return (await findTurnedBackClock(db, now)) ?? compareWithDevice(deviceTime, before)
}

/**
 * Resolves to a finding if the newest job was added in the future, because the clock was set back since then;
 * otherwise to null.
 */
async function findTurnedBackClock(db: Db, now: number): Promise<Finding | null> {
  const newest = await db
    .selectFrom('jobs')
    .select('created_at')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const ahead = Date.parse(newest?.created_at ?? '') - now
  if (!(ahead > MAX_FUTURE)) return null
  const difference = durationText(ahead)
  return {
    status: 'attention',
    finding: {
      en: `The newest stored data is ${difference.en} in the future, so the clock was set back.`,
      ja: `保存されたデータの時刻が${difference.ja}先です。時計が戻されたようです。`,
    },
    advice,
  }
}

function compareWithDevice(deviceTime: number | undefined, now: number): Finding {
  const difference = Math.abs((deviceTime ?? now) - now)
  if (difference <= MAX_DEVICE_DIFFERENCE)
    return {
      status: 'ok',
      finding: { en: 'The clocks agree.', ja: '時計は合っています。' },
    }
  const shown = durationText(difference)
  return {
    status: 'attention',
    finding: {
      en: `The clocks of the server and of this device differ by ${shown.en}.`,
      ja: `サーバーとこの端末の時計が${shown.ja}ずれています。`,
    },
    advice: {
      en: `Check the time of this device first. If it is right: ${advice.en}`,
      ja: `まずこの端末の時刻を確かめてください。正しい場合：${advice.ja}`,
    },
  }
}
