import './events.ts'
import { type AppContext, createMemberContextWithoutRoles } from '#core/context.ts'
import { currentIsoTime, type Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { readConversationUnreadCountsAndMutes } from '#features/chat/read-conversations.ts'
import { listNotifications } from '#features/notifications/read.ts'
import {
  findEndOfCurrentQuietHoursOfMember,
  readSwitchedOffNotificationKinds,
} from '#features/notifications/settings.ts'
import { listInactiveMemberIdsWithVerifiedEmail } from '#features/people/accounts.ts'
import { DEFAULT_DIGEST_FREQUENCY, readDigestFrequency } from './settings.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /**
     * The job that sends a digest by mail. Its payload is the key of the row in the table `digests`, which
     * exists before the job.
     */
    digest_mail: DigestMemberIdAndPeriod
  }
}

/** The primary key of the table `digests`: the member's id, and the period such as `weekly 2968`. */
export interface DigestMemberIdAndPeriod {
  user: number
  period: string
}

const DAY = 24 * 3600_000
/**
 * For each digest frequency, the length of one period in ms, and the time in ms without a visit after which a
 * member counts as away. The time of a visit is stored once a day, so `absence` is a day longer than the
 * period.
 */
const periods = {
  daily: { length: DAY, absence: 2 * DAY },
  weekly: { length: 7 * DAY, absence: 8 * DAY },
} as const
type Period = keyof typeof periods

/** The maximum number of inactive members that one query reads. */
const BATCH = 200
/** The maximum age in ms of the notifications that a digest describes. */
const MAX_AGE = 30 * DAY
/** The number of days after which a row of the table `digests` is deleted. It is longer than every period. */
const DAYS_KEPT = 60
/** The maximum number of notifications that a digest describes. The mail says how many more there are. */
const MAX_LISTED = 10
/** The maximum number of the newest notifications that are read to prepare a digest. */
const MAX_READ = 50

const toPeriodName = (frequency: Period) =>
  `${frequency} ${Math.floor(Date.now() / periods[frequency].length)}`
const toAwaySince = (frequency: Period) => new Date(Date.now() - periods[frequency].absence).toISOString()

/**
 * Adds a digest, and the job that mails it, for each member who is away, has a verified address, is not
 * suspended, wants digests, has got none in this period, has something new to read, and has no quiet hours
 * now. Without SMTP_URL it adds no digests, because the mails would only be written to a folder.
 */
export async function enqueueDueDigests(context: AppContext) {
  const { db, config, log } = context
  if (!config.SMTP_URL) return
  for (const frequency of ['daily', 'weekly'] as const) {
    const period = toPeriodName(frequency)
    const since = toAwaySince(frequency)
    for (let after = 0; ; ) {
      const ids = await listInactiveMemberIdsWithVerifiedEmail(db, { since, after, limit: BATCH })
      for (const user of await keepDue(db, ids, frequency, period))
        await enqueueDigest(context, { user, period }).catch((error: unknown) =>
          log.warn({ err: error, user }, 'A digest could not be prepared; tried again in an hour'),
        )
      if (ids.length < BATCH) break
      after = ids.at(-1)!
    }
  }
}

/**
 * Returns those of the given members who want digests of this frequency and do not yet have a digest of this
 * period.
 */
async function keepDue(db: Db, ids: readonly number[], frequency: Period, period: string) {
  if (!ids.length) return []
  const [chosen, done] = await Promise.all([
    db.selectFrom('digest_settings').selectAll().where('user_id', 'in', ids).execute(),
    db
      .selectFrom('digests')
      .select('user_id')
      .where('user_id', 'in', ids)
      .where('period', '=', period)
      .execute(),
  ])
  const frequencies = new Map(chosen.map((row) => [row.user_id, row.frequency]))
  const finished = new Set(done.map(({ user_id }) => user_id))
  return ids.filter(
    (id) => (frequencies.get(id) ?? DEFAULT_DIGEST_FREQUENCY) === frequency && !finished.has(id),
  )
}

/**
 * Stores the digest of a member and the job that mails it in one transaction, unless the member already has a
 * digest of this period. Does nothing if there is nothing new for the member, or during the member's quiet
 * hours: the next hourly run tries again.
 */
async function enqueueDigest(context: AppContext, digest: DigestMemberIdAndPeriod) {
  const { user, period } = digest
  if (await findEndOfCurrentQuietHoursOfMember(context, user)) return
  const content = await readNewNotificationsAndUnreadCountsForDigest(context, digest)
  if (!content) return
  await transaction(context.db, async (tx) => {
    const row = {
      user_id: user,
      period,
      created_at: currentIsoTime(),
      unread_messages: content.messages,
      sending_since: null,
      sent_at: null,
    }
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('digests')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    // Adds no job if another process has stored the same digest since this one looked.
    if (!numInsertedOrUpdatedRows) return
    await enqueueJob(tx, 'digest_mail', digest)
    await context.emit(tx, 'digest.queued', { user_id: user })
  })
}

/**
 * Returns whether the digest should still be sent: the member still wants digests of this frequency, is still
 * away, is not suspended, and has a verified email address.
 */
export async function isDigestStillDue({ db }: AppContext, { user, period }: DigestMemberIdAndPeriod) {
  const frequency = period.split(' ')[0] as Period
  if ((await readDigestFrequency(db, user)) !== frequency) return false
  const since = toAwaySince(frequency)
  const [away] = await listInactiveMemberIdsWithVerifiedEmail(db, { since, after: user - 1, limit: 1 })
  return away === user
}

/**
 * Reads the content of the digest of `period`: what is new since the member's digest of an earlier period, at
 * most of the last 30 days. Returns undefined if there are neither new unread notifications nor more unread
 * messages than at the time of that earlier digest.
 */
export async function readNewNotificationsAndUnreadCountsForDigest(
  context: AppContext,
  { user, period }: DigestMemberIdAndPeriod,
) {
  const { db } = context
  const viewer = createMemberContextWithoutRoles(context, user)
  const last = await db
    .selectFrom('digests')
    .select(['created_at', 'unread_messages'])
    .where('user_id', '=', user)
    .where('period', '!=', period)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const oldest = new Date(Date.now() - MAX_AGE).toISOString()
  const off = await readSwitchedOffNotificationKinds(db, user, 'mail')
  const { body } = await listNotifications(viewer, { limit: MAX_READ })
  const fresh = body.filter(
    ({ kind, is_read, updated_at }) =>
      !is_read &&
      kind !== 'server' &&
      !off.has(kind) &&
      updated_at > (last?.created_at ?? oldest) &&
      updated_at > oldest,
  )
  const unread = await readConversationUnreadCountsAndMutes(viewer)
  const counts = off.has('message') ? [] : [...Object.values(unread.private), ...Object.values(unread.groups)]
  const messages = counts.reduce((sum, count) => sum + count, 0)
  if (!fresh.length && messages <= (last?.unread_messages ?? 0)) return undefined
  return {
    notifications: fresh.slice(0, MAX_LISTED),
    more: Math.max(0, fresh.length - MAX_LISTED),
    messages,
    chats: counts.length,
  }
}

/** Deletes the rows of the table `digests` that are older than `DAYS_KEPT` days. */
export const deleteOldDigests = (db: Db) =>
  transaction(db, (tx) =>
    tx
      .deleteFrom('digests')
      .where('created_at', '<', new Date(Date.now() - DAYS_KEPT * DAY).toISOString())
      .execute(),
  )
