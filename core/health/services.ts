import type { Db } from '#core/database/database.ts'
import { isSqliteLockedError } from '#core/database/errors.ts'
import { readDatabaseFacts } from '#core/database/facts.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Redis } from '#core/redis.ts'
import type { HealthStatusAndFinding } from './check.ts'

/** The oldest major version of PostgreSQL that is supported. */
const MIN_POSTGRES = 15

const writeLockHeld: HealthStatusAndFinding = {
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

/** Checks that the database answers, can be written to, and that its version is supported. */
export async function checkDatabaseHealth(db: Db): Promise<HealthStatusAndFinding> {
  try {
    await transaction(db, async () => {})
  } catch (error) {
    if (isSqliteLockedError(error)) return writeLockHeld
    throw error
  }
  const { kind, version } = await readDatabaseFacts(db)
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

/** The part of a Redis connection that the check uses. */
export type RedisForHealthCheck = Pick<Redis, 'runScript' | 'keyPrefix'>

/**
 * Checks that Redis answers, and that the events that this process publishes come back to it, as
 * `isConnected` tells. Throws the error of Redis if it does not answer.
 */
export async function checkRedisHealth(
  redis: RedisForHealthCheck,
  isConnected: () => boolean,
): Promise<HealthStatusAndFinding> {
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
