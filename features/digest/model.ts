import './events.ts'
import { type AppContext, withoutRoles } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type Db, isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { getUnread } from '#features/conversations/unread.ts'
import { instantKinds } from '#features/notifications/contract.ts'
import * as ownNotifications from '#features/notifications/read.ts'
import * as notificationSettings from '#features/notifications/settings.ts'
import * as accounts from '#features/people/accounts.ts'
import * as digestSettings from './settings.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** The key of the row in `digests`, which exists before the job. */
    digest_mail: DigestKey
  }
}

/** The primary key of `digests`. `period` is such as `weekly 2968`. */
export interface DigestKey {
  user: number
  period: string
}

const DAY = 24 * 3600_000
/** In ms. `absence` is a day longer than the period, because visits are stored once a day. */
const periods = {
  daily: { length: DAY, absence: 2 * DAY },
  weekly: { length: 7 * DAY, absence: 8 * DAY },
} as const
type Period = keyof typeof periods

/** Inactive members that one query reads. */
const BATCH = 200
/** In ms, of notifications in a digest. */
const MAX_AGE = 30 * DAY
/** Longer than every period. */
const DAYS_KEPT = 60
/** The newest notifications that are read to find out whether something is new. */
const MAX_READ = 50
/** Of each part. The mail says how many more there are. */
const MAX_LISTED = 5

const toPeriodName = (frequency: Period) =>
  `${frequency} ${Math.floor(Date.now() / periods[frequency].length)}`
const toAwaySince = (frequency: Period) => new Date(Date.now() - periods[frequency].absence).toISOString()

/**
 * Only for members who are away, have a verified address, are not suspended, want digests, got none in this
 * period, have something new, and no quiet hours now. Without SMTP_URL there are none: they would only be
 * written to a folder.
 */
export async function enqueueDue(context: AppContext) {
  const { db, config, log } = context
  if (!config.SMTP_URL) return
  for (const frequency of ['daily', 'weekly'] as const) {
    const period = toPeriodName(frequency)
    const since = toAwaySince(frequency)
    for (let after = 0; ; ) {
      const ids = await accounts.listAway(db, { since, after, limit: BATCH })
      for (const user of await keepDue(db, ids, frequency, period))
        await enqueueDigest(context, { user, period }).catch((error: unknown) =>
          log.warn({ err: error, user }, 'A digest could not be prepared; tried again in an hour'),
        )
      if (ids.length < BATCH) break
      after = ids.at(-1)!
    }
  }
}

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
    (id) => (frequencies.get(id) ?? digestSettings.DEFAULT_FREQUENCY) === frequency && !finished.has(id),
  )
}

/** Nothing if there is one, nothing is new, or it is a quiet hour: the next hourly run tries again. */
async function enqueueDigest(context: AppContext, digest: DigestKey) {
  const { user, period } = digest
  if (await notificationSettings.findQuietEnd(context, user)) return
  const content = await getNews(context, digest)
  if (!content) return
  await transaction(context.db, async (tx) => {
    const row = {
      user_id: user,
      period,
      created_at: isoNow(),
      unread_messages: content.messages,
      sending_since: null,
      sent_at: null,
    }
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('digests')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    // Another process has stored the same digest since this one looked.
    if (!numInsertedOrUpdatedRows) return
    await enqueueJob(tx, 'digest_mail', digest)
    await context.emit(tx, 'digest.queued', { user_id: user })
  })
}

/** True if the member wants this frequency, is away and not suspended, and has a verified address. */
export async function isStillDue({ db }: AppContext, { user, period }: DigestKey) {
  const frequency = period.split(' ')[0] as Period
  if ((await digestSettings.getFrequency(db, user)) !== frequency) return false
  const since = toAwaySince(frequency)
  const [away] = await accounts.listAway(db, { since, after: user - 1, limit: 1 })
  return away === user
}

/**
 * Since the digest of an earlier period, at most 30 days. Undefined if there are neither new unread
 * notifications nor more unread messages than at that digest.
 */
export async function getNews(context: AppContext, { user, period }: DigestKey) {
  const { db } = context
  const viewer = withoutRoles(context, user)
  const last = await db
    .selectFrom('digests')
    .select(['created_at', 'unread_messages'])
    .where('user_id', '=', user)
    .where('period', '!=', period)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const oldest = new Date(Date.now() - MAX_AGE).toISOString()
  const since = last && last.created_at > oldest ? last.created_at : oldest
  const off = await notificationSettings.getOffKinds(db, user, 'mail')
  const { body } = await ownNotifications.list(viewer, { limit: MAX_READ })
  const isNew = body.some(
    ({ kind, is_read, updated_at }) =>
      !is_read && !instantKinds.includes(kind) && !off.has(kind) && updated_at > since,
  )
  const unread = await getUnread(viewer)
  const counts = off.has('message') ? [] : [...Object.values(unread.private), ...Object.values(unread.groups)]
  const messages = counts.reduce((sum, count) => sum + count, 0)
  if (!isNew && messages <= (last?.unread_messages ?? 0)) return undefined
  return { since, messages, chats: counts.length }
}

/** As on the page of what is new since the last visit. Without chats if the member wants no mails about them. */
export async function listSections(context: AppContext, user: number, lang: Language, since: string) {
  const viewer = { ...withoutRoles(context, user), lang }
  const off = await notificationSettings.getOffKinds(context.db, user, 'mail')
  const sections = await context.news(viewer, { since, unread_since: since, by_mail: true }, MAX_LISTED)
  if (!off.has('message')) return sections
  return sections.map((section) => ({
    ...section,
    entries: section.entries.filter(({ count }) => count === undefined),
  }))
}

export const deleteOldDigests = (db: Db) =>
  transaction(db, (tx) =>
    tx
      .deleteFrom('digests')
      .where('created_at', '<', new Date(Date.now() - DAYS_KEPT * DAY).toISOString())
      .execute(),
  )
