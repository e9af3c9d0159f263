import { sql } from 'kysely'
import * as backupHistory from '#core/backup/history.ts'
import type { AppContext } from '#core/context.ts'
import { readFreeSpace } from '#core/health/free-space.ts'
import { countRetryable } from '#core/jobs/jobs.ts'

/** The time in ms for which the figures are kept, so that frequent scrapes cost the database nothing. */
const CACHE_TIME = 30_000
/** The time in ms for which given up jobs are counted, as on the page “Health”. Their rows stay longer. */
const WEEK = 7 * 24 * 3600 * 1000

interface CommunityFigures {
  last_backup: number
  free: number
  waiting: number
  failed: number
  given_up: number
  members: number
}

export const communityGauges = {
  last_backup: ['last_good_backup_timestamp_seconds', 'When the last good backup ended; NaN without one'],
  free: ['disk_free_bytes', 'Free space on the disk of DATA_DIR'],
  given_up: ['mails_given_up', 'Mails that were given up in the last seven days and can be sent again'],
  members: ['members', 'Accounts of the community'],
} as const satisfies Partial<Record<keyof CommunityFigures, readonly [name: string, help: string]>>

export function createFigureReader(
  context: Pick<AppContext, 'db' | 'config'>,
  countMembers: () => Promise<number>,
) {
  let cached: { at: number; figures: Promise<CommunityFigures> } | undefined
  return () => {
    if (!cached || performance.now() - cached.at > CACHE_TIME)
      cached = { at: performance.now(), figures: readFigures(context, countMembers) }
    return cached.figures
  }
}

/** Reads each figure. One that cannot be read is NaN, so that the others are shown. */
async function readFigures(
  { db, config }: Pick<AppContext, 'db' | 'config'>,
  countMembers: () => Promise<number>,
): Promise<CommunityFigures> {
  const orNaN = (figure: Promise<number>) => figure.catch(() => Number.NaN)
  const counted = sql<number>`count(*)`.as('count')
  const jobs = db.selectFrom('jobs').select(counted).where('finished_at', 'is', null)
  const count = async (query: { executeTakeFirstOrThrow(): Promise<{ count: number }> }) =>
    Number((await query.executeTakeFirstOrThrow()).count)
  const weekAgo = new Date(Date.now() - WEEK).toISOString()
  const [last_backup = 0, free = 0, waiting = 0, failed = 0, given_up = 0, members = 0] = await Promise.all(
    [
      backupHistory.lastResults(db).then(({ good }) => Date.parse(good?.made_at ?? '') / 1000),
      readFreeSpace(config).then((space) => space.free),
      count(jobs.where('failed_at', 'is', null)),
      count(jobs.where('failed_at', '>', weekAgo)),
      countRetryable(db, 'mail'),
      countMembers(),
    ].map(orNaN),
  )
  return { last_backup, free, waiting, failed, given_up, members }
}
