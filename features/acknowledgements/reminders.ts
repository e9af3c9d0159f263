import { sql } from 'kysely'
import * as auditLog from '#core/audit-log/audit-log.ts'
import { type AppContext, type MemberContext, withoutRoles } from '#core/context.ts'
import { isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { runInBatches } from '#features/notifications/batches.ts'
import { addMany, BATCH } from '#features/notifications/many.ts'
import * as visibility from '#features/people/visibility.ts'
import * as announcements from '#features/posts/announcements.ts'
import * as audiences from '#features/posts/audiences.ts'
import { postOfEvent } from '#features/posts/read-for-listeners.ts'
import { REMINDER_INTERVAL } from './contract.ts'
import * as read from './read.ts'
import { ended, lockOwn } from './requests.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    acknowledgement_reminder: { reminder: number }
  }
}

/**
 * Tells those who were asked and have not answered, except those who have muted the author. An urgent one is
 * not held by quiet hours, and the audit log names it. 403 for others than the author, after the end, in an
 * ended group, and within `REMINDER_INTERVAL` of the last one.
 */
export async function remind(context: MemberContext, id: number, isUrgent: boolean) {
  await transaction(context.db, async (tx) => {
    const request = await lockOwn(context, tx, id)
    await audiences.requireOpen(context, tx, id)
    if (!read.isOpen(request)) throw ended()
    if (await wasSentLately(tx, id)) throw tooEarly()
    const now = isoNow()
    await add(tx, { post_id: id, is_urgent: isUrgent ? 1 : 0, due_at: now, sent_at: now })
    const { me } = context
    if (isUrgent)
      await auditLog.record(tx, {
        ...{ action: 'urgent_reminder', subject: 'post', subject_id: id, actor_id: me.id },
        role: me.is_admin ? 'admin' : 'member',
      })
  })
}

/** At most three, in the order of time. */
export async function plan(tx: Tx, post_id: number, times: readonly string[]) {
  for (const due_at of times) await add(tx, { post_id, is_urgent: 0, due_at, sent_at: null })
}

async function add(
  tx: Tx,
  row: { post_id: number; is_urgent: 0 | 1; due_at: string; sent_at: string | null },
) {
  const { id: reminder } = await tx
    .insertInto('acknowledgement_reminders')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueueJob(tx, 'acknowledgement_reminder', { reminder }, { runAt: new Date(row.due_at) })
}

async function wasSentLately(tx: Tx, post: number) {
  const row = await tx
    .selectFrom('acknowledgement_reminders')
    .select('id')
    .where('post_id', '=', post)
    .where('sent_at', '>', new Date(Date.now() - REMINDER_INTERVAL).toISOString())
    .executeTakeFirst()
  return row !== undefined
}

type Reminder = NonNullable<Awaited<ReturnType<typeof begin>>>

/** The job. A planned reminder is left out after the end, and within `REMINDER_INTERVAL` of another. */
export async function send(context: AppContext, id: number, signal: AbortSignal) {
  const reminder = await transaction(context.db, (tx) => begin(context, tx, id))
  if (!reminder) return
  await runInBatches(context, signal, (tx, after) => remindNext(context, tx, reminder, after))
}

/** Locks the request: of two that are due at once, one is sent. Undefined if the author may no longer tell. */
async function begin(context: AppContext, tx: Tx, id: number) {
  if (isPostgres(tx))
    await sql`select post_id from acknowledgement_requests where post_id =
      (select post_id from acknowledgement_reminders where id = ${id}) for update`.execute(tx)
  const row = await tx
    .selectFrom('acknowledgement_reminders as m')
    .innerJoin('acknowledgement_requests as q', 'q.post_id', 'm.post_id')
    .select(['m.id', 'm.post_id', 'm.is_urgent', 'm.sent_at', 'q.user_id as author'])
    .where('m.id', '=', id)
    .executeTakeFirst()
  if (!row || row.sent_at !== null) return row
  if (await wasSentLately(tx, row.post_id)) return undefined
  const author = { ...withoutRoles(context, row.author), db: tx }
  if (!(await announcements.tellable(author, [row.post_id])).has(row.post_id)) return undefined
  if ((await postOfEvent(context, tx, { id: row.post_id }))?.isHidden !== false) return undefined
  await tx.updateTable('acknowledgement_reminders').set({ sent_at: isoNow() }).where('id', '=', id).execute()
  return row
}

/** Members with ids above `after`. Returns the highest of these ids; undefined if there are no more. */
async function remindNext(
  context: AppContext,
  tx: Tx,
  { id: source, post_id, author, is_urgent }: Reminder,
  after: number,
) {
  const viewer = { ...context, db: tx }
  const post = await postOfEvent(context, tx, { id: post_id })
  if (!post || post.isHidden || !(await read.isStillOpen(tx, post_id))) return undefined
  const members = await visibility.listShownTo(viewer, author, { after, limit: BATCH })
  if (!members.length) return undefined
  await addMany(context, tx, await read.waitingAmong(viewer, { id: post_id, author, members }), {
    ...{ kind: is_urgent ? 'urgent_reminder' : 'read_reminder', subject: post_id },
    ...{ actor: author, source },
  })
  return members.at(-1)
}

const tooEarly = () =>
  new HttpError(403, {
    en: 'The last reminder was sent less than twelve hours ago. Please wait a little.',
    ja: '前にお知らせしてから、まだ12時間たっていません。もう少しお待ちください。',
  })
