import { sql } from 'kysely'
import * as auditLog from '#core/audit-log/audit-log.ts'
import type { AppContext, MemberContext } from '#core/context.ts'
import { type Db, hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { enqueueJob, enqueueJobs } from '#core/jobs/jobs.ts'
import * as chats from '#features/conversations/read.ts'
import { rollCallKinds } from '#features/notifications/contract.ts'
import * as notifier from '#features/notifications/model.ts'
import { allMemberIds } from '#features/people/deletion.ts'
import { notExample } from '#features/people/examples.ts'
import * as visibility from '#features/people/visibility.ts'
import { announce, kindOf } from './answers.ts'
import * as help from './help.ts'
import * as managers from './managers.ts'
import { firstOf } from './positions.ts'
import { requireManaged } from './read.ts'
import './telling.ts'

interface NewRollCall {
  title: string
  is_drill: boolean
  /** Null: everybody. */
  group_id: number | null
}

/** Returns its id. The members are told by a job. */
export const start = (context: MemberContext, { title, is_drill, group_id }: NewRollCall) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    await managers.requireMayAsk({ ...context, db: tx }, group_id)
    if (!me.is_admin) await limitOwner(tx, me.id)
    const call = { title, is_drill: is_drill ? (1 as const) : (0 as const), group_id }
    const row = await tx
      .insertInto('roll_calls')
      .values({ ...call, started_by: me.id, started_at: isoNow(), ended_at: null })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!row) throw createRunningError()
    await sql`insert into roll_call_members (roll_call_id, user_id, position)
      select cast(${row.id} as bigint), m.id, m.id + cast(${firstOf('none')} as bigint)
      from (${membersToAsk(tx, group_id)}) m`.execute(tx)
    await enqueueJob(tx, 'tell_roll_call', { roll_call: row.id })
    if (!is_drill)
      await auditLog.record(tx, {
        ...{ action: 'roll_call_started', actor_id: me.id, subject_id: group_id },
        subject: group_id === null ? 'settings' : 'group',
        role: me.is_admin ? 'admin' : 'member',
      })
    return row.id
  })

/** Of an owner of groups. Admins have no limit. */
const MAX_PER_DAY = 5

/** 429 beyond the limit: a roll call rings at night, too. */
async function limitOwner(tx: Tx, owner: number) {
  const { count } = await tx
    .selectFrom('roll_calls')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('started_by', '=', owner)
    .where('started_at', '>', new Date(Date.now() - 86_400_000).toISOString())
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_PER_DAY)
    throw new HttpError(429, {
      en: `You can start ${MAX_PER_DAY} roll calls a day.`,
      ja: `安否確認を始められるのは、1日に${MAX_PER_DAY}回までです。`,
    })
}

/** Neither suspended members nor invented ones. */
const membersToAsk = (db: Db, group: number | null) =>
  allMemberIds(db)
    .where(visibility.notSuspended('users.id'))
    .where(notExample('users.id'))
    .$if(group !== null, (query) => query.where(sql<boolean>`users.id in (${chats.memberIdsQuery(group!)})`))

const createRunningError = () =>
  new HttpError(409, {
    en: 'A roll call is running already. End it first.',
    ja: '安否確認をすでに行っています。先に、それを終了してください。',
  })

export const end = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const { ended_at } = await requireManaged({ ...context, db: tx }, id)
    if (ended_at === null) await endOpen(context, tx, [id])
  })

async function endOpen(context: AppContext, tx: Tx, ids: readonly number[]) {
  const ended_at = isoNow()
  const ended = await tx
    .updateTable('roll_calls')
    .set({ ended_at })
    .where('id', 'in', ids)
    .where('ended_at', 'is', null)
    .returning(['id', 'is_drill'])
    .execute()
  await enqueueJobs(tx, 'end_roll_call', ended.flatMap(tellings))
  for (const { id } of ended) announce(context, tx, id, { user_id: null, state: null, ended_at })
}

/** The notifications that end with it. */
const tellings = (call: { id: number; is_drill: number }) =>
  ([kindOf(call), 'roll_call_help'] as const).map((kind) => ({ roll_call: call.id, kind }))

/** In a group that was left. */
export async function removeMember(context: AppContext, tx: Tx, group: number, user: number) {
  const left = await tx
    .deleteFrom('roll_call_members')
    .where('user_id', '=', user)
    .where('roll_call_id', 'in', openOf(tx, group).select('id'))
    .returning('roll_call_id')
    .execute()
  for (const { roll_call_id: subject } of left) {
    for (const kind of rollCallKinds) await notifier.deleteAbout(context, tx, { kind, subject, user })
    await help.end(context, tx, subject, user)
    announce(context, tx, subject, { user_id: null, state: null })
  }
}

const openOf = (tx: Tx, group: number) =>
  tx.selectFrom('roll_calls').where('group_id', '=', group).where('ended_at', 'is', null)

/** A former owner's window with the board hears nothing more. */
export async function recheckWatchers({ realtime }: AppContext, tx: Tx, group: number) {
  if (!(await hasMatchingRow(openOf(tx, group).select('id')))) return
  const members = await chats.listMemberIds(tx, group)
  tx.afterCommit(() => {
    for (const member of members) realtime.recheckGuards(member)
  })
}

/** With the group. */
export async function removeOfGroup(tx: Tx, group: number) {
  const deleted = await tx
    .deleteFrom('roll_calls')
    .where('group_id', '=', group)
    .returning(['id', 'is_drill'])
    .execute()
  await enqueueJobs(tx, 'end_roll_call', deleted.flatMap(tellings))
}

const DAY = 24 * 3600_000
/** One that nobody ends would keep its links valid. */
const DAYS_OPEN = 14
/** After the end: it says who needed help, and where. */
const DAYS_KEPT = 365
/** Roll calls that one clean-up ends or deletes. */
const BATCH = 20

const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString()

export const cleanUp = (context: AppContext) =>
  transaction(context.db, async (tx) => {
    const forgotten = await tx
      .selectFrom('roll_calls')
      .select('id')
      .where('ended_at', 'is', null)
      .where('started_at', '<', daysAgo(DAYS_OPEN))
      .limit(BATCH)
      .execute()
    if (forgotten.length)
      await endOpen(
        context,
        tx,
        forgotten.map(({ id }) => id),
      )
    const old = tx
      .selectFrom('roll_calls')
      .select('id')
      .where('ended_at', '<', daysAgo(DAYS_KEPT))
      .limit(BATCH)
    await tx.deleteFrom('roll_calls').where('id', 'in', old).execute()
  })
