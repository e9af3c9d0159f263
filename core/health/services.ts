import type { Db } from '#core/database/database.ts'
import { isLocked } from '#core/database/errors.ts'
import { readFacts } from '#core/database/facts.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Redis } from '#core/process/redis.ts'
import type { Finding } from './check.ts'

const MIN_POSTGRES = 15

const writeLockHeld: Finding = {
  status: 'problem',
  finding: {
    en: 'Another program holds the write lock of engawa.db, so nothing can be saved.',
    ja: '別のプログラムがengawa.dbの書き込みロックを保持しているため、何も保存できません。',
  },
  advice: {
    en: 'End the program that has the file open, such as a database browser or a copy that hangs.',
    ja: 'データベースビューアーや止まったコピーなど、このファイルを開いているプログラムを終了してください。',
  },
}

export async function checkDatabase(db: Db): Promise<Finding> {
  try {
    await transaction(db, async () => {})
  } catch (error) {
    if (isLocked(error)) return writeLockHeld
    throw error
  }
  const { kind, version } = await readFacts(db)
  const finding = { en: `${kind} ${version} answers.`, ja: `${kind} ${version}は応答しています。` }
  if (kind === 'SQLite' || Number.parseInt(version, 10) >= MIN_POSTGRES) return { status: 'ok', finding }
  return {
    status: 'problem',
    finding,
    advice: {
      en: `Upgrade to PostgreSQL ${MIN_POSTGRES} or newer.`,
      ja: `PostgreSQL ${MIN_POSTGRES}以降に更新してください。`,
    },
  }
}

export type CheckedRedis = Pick<Redis, 'runScript' | 'keyPrefix'>

/**
 * Checks that Redis answers, and that the events that this process publishes come back to it, as
 * `isConnected` tells. Throws the error of Redis if it does not answer.
 */
export async function checkRedis(redis: CheckedRedis, isConnected: () => boolean): Promise<Finding> {
  const info = await redis.runScript("return redis.call('info', 'server')", `${redis.keyPrefix}:health`)
  const version = /^(?:valkey|redis)_version:(\S+)/m.exec(String(info))?.[1] ?? ''
  if (isConnected())
    return {
      status: 'ok',
      finding: { en: `Redis ${version} answers.`, ja: `Redis ${version}は応答しています。` },
    }
  return {
    status: 'problem',
    finding: {
      en: `Redis ${version} answers, but live events do not come back from it.`,
      ja: `Redis ${version}は応答していますが、ライブイベントが戻ってきません。`,
    },
    advice: {
      en: 'Check that nothing between the server and Redis blocks subscriptions, then restart the server.',
      ja: 'サーバーとRedisの間で購読が妨げられていないか確認し、サーバーを再起動してください。',
    },
  }
}
