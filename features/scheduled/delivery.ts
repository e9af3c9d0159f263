import { sql } from 'kysely'
import { type AppContext, type MemberContext, withoutRoles } from '#core/context.ts'
import { isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError, httpErrors } from '#core/http/errors.ts'
import { JobPostponed } from '#core/jobs/postponed.ts'
import { filterProtected } from '#features/account/second-step-rule.ts'
import * as tasks from '#features/notifications/tasks.ts'
import * as people from '#features/people/read.ts'
import * as visibility from '#features/people/visibility.ts'
import { tellChange } from './broadcasts.ts'
import { parse, targetOf } from './content.ts'
import * as media from './media.ts'
import { deleteJobs, endTask, enqueue, findOwn, lockOwn } from './model.ts'
import { send } from './sending.ts'
import type { ScheduledTables } from './tables.ts'

type Row = Pick<ScheduledTables['scheduled'], 'kind' | 'target_id' | 'user_id' | 'as_admin' | 'due_at'> & {
  id: number
}

/** It was sent, removed, refused or given another time meanwhile. */
class Gone extends Error {}

/** In ms, after which it may be out of date: its author decides. For example, the server did not run. */
const OUTDATED = 86_400_000

/** The job. Tells the author once if it may not be sent. */
export async function sendInTime(context: AppContext, id: number, job: number) {
  const row = await context.db
    .selectFrom('scheduled')
    .select(['id', 'kind', 'target_id', 'user_id', 'as_admin', 'due_at', 'job_id'])
    .where('id', '=', id)
    .where('refusal', 'is', null)
    .executeTakeFirst()
  if (!row) return
  const late = Date.now() - Date.parse(row.due_at)
  if (late < 0) {
    // The clock has been set back. A job that is not its own is of a time before a change.
    if (row.job_id === job) throw new JobPostponed(-late)
    return
  }
  try {
    if (late > OUTDATED) throw tooLate()
    await sendRow(await authorOf(context, row), row, true)
  } catch (error) {
    if (error instanceof Gone) return
    if (!(error instanceof HttpError) || error.status >= 500) throw error
    const wait = waitOf(error)
    if (wait) throw new JobPostponed(wait)
    await refuse(context, row, error)
  }
}

/** By its author. Throws what sending it throws. 404 if it is gone. */
export async function sendNow(context: MemberContext, id: number) {
  const row = await transaction(context.db, (tx) => lockOwn(tx, context.me.id, id))
  await sendRow(context, row, false).catch((error: unknown) => {
    throw error instanceof Gone ? httpErrors.notFound() : error
  })
}

const sendRow = (context: MemberContext, row: Row, isInTime: boolean) =>
  send(context, {
    target: targetOf(row),
    at: isoNow(),
    take: (tx) => take(tx, row, isInTime),
    finish: (tx) => endTask(context, tx, row.id),
  })

/** Of two processes, one takes it: the row is deleted in the transaction that sends it. */
async function take(tx: Tx, { id, user_id, due_at }: Row, isInTime: boolean) {
  if (await visibility.isSuspended(tx, user_id)) throw suspended()
  const row = await findOwn(tx, user_id, id)
  if (!row || (isInTime && (row.refusal !== null || row.due_at !== due_at))) throw new Gone()
  const attachments = await media.release(tx, id)
  await deleteJobs(tx, [row])
  await tx.deleteFrom('scheduled').where('id', '=', id).execute()
  return { ...parse(row.content), ...attachments }
}

/**
 * With the rights of an admin if the author had them then and has them now, with a second step if the community
 * requires one, as in a session.
 */
async function authorOf(context: AppContext, { user_id, as_admin }: Row): Promise<MemberContext> {
  const { db, settings } = context
  const author = withoutRoles(context, user_id)
  const hasSecondStep = async () =>
    !settings.current().admins_need_second_step || (await filterProtected(db, [user_id])).has(user_id)
  const is_admin = as_admin === 1 && (await people.isAdmin(db, user_id)) && (await hasSecondStep())
  return { ...author, me: { ...author.me, is_admin } }
}

/** In ms: after such a wait, as of slow mode, it is tried again. */
const MAX_WAIT = 3600_000

/** 0 if another try makes no sense soon. */
function waitOf({ status, headers }: HttpError) {
  const wait = status === 429 ? 1000 * Number(headers['retry-after'] ?? 0) : 0
  return wait <= MAX_WAIT ? wait : 0
}

const refuse = (context: AppContext, { id, user_id, due_at }: Row, { messages, fields }: HttpError) =>
  transaction(context.db, async (tx) => {
    const reason = Object.values(fields ?? {})[0]?.[0] ?? messages
    const { numUpdatedRows } = await tx
      .updateTable('scheduled')
      .set({ refusal: JSON.stringify(reason) })
      .where('id', '=', id)
      .where('due_at', '=', due_at)
      .where('refusal', 'is', null)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) return
    await tasks.add(context, tx, [user_id], { kind: 'not_sent', source: id })
    await tellChange(context, tx, user_id)
  })

const suspended = () =>
  new HttpError(403, {
    en: 'Your account was suspended at that time.',
    ja: 'その時刻には、アカウントの利用が停止されていました。',
  })

const tooLate = () =>
  new HttpError(403, {
    en: 'The server could not send it in the day after its time.',
    ja: '予約した時刻から1日たっても、サーバーから送れませんでした。',
  })

const BATCH = 100

/**
 * Adds a job for what is over its time and has none, because its job was given up. Returns whether more of
 * them may be left.
 */
export const resume = ({ db }: Pick<AppContext, 'db'>) =>
  transaction(db, async (tx) => {
    const now = isoNow()
    const lost = await tx
      .selectFrom('scheduled')
      .select('id')
      .where('refusal', 'is', null)
      .where('due_at', '<=', now)
      .where(
        sql<boolean>`not exists (select 1 from jobs where jobs.id = scheduled.job_id
          and jobs.kind = 'send_scheduled' and finished_at is null and failed_at is null)`,
      )
      .limit(BATCH)
      .$if(isPostgres(tx), (query) => query.forUpdate().skipLocked())
      .execute()
    for (const { id } of lost) await enqueue(tx, id, now)
    return lost.length === BATCH
  })
