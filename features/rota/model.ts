import { type AppContext, type MemberContext, withoutRoles } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import * as managers from '#features/events/managers.ts'
import * as events from '#features/events/read.ts'
import { dates, type FullDate, lock } from '#features/events/rows.ts'
import * as guardians from '#features/guardians/read.ts'
import { lockMembers } from '#features/people/blocks.ts'
import { isChildAccount } from '#features/people/children.ts'
import { announce, tell } from './broadcasts.ts'
import { MAX_JOBS } from './contract.ts'
import * as read from './read.ts'
import type { Job, Rota } from './schemas.ts'
import type { JobRow } from './tables.ts'

type Change = (tx: Tx, date: FullDate) => Promise<unknown>

/** The date is locked, so places are given one after the other. 404 unless the member sees the event. */
async function changeDate(context: MemberContext, id: number, change: Change): Promise<Rota> {
  await events.requireDate(context, id)
  return context.withLock(`rota ${id}`, () =>
    transaction(context.db, async (tx) => {
      const viewer = { ...context, db: tx }
      await lockMembers(tx, [context.me.id])
      await lock(tx, id)
      const date = await events.requireDate(viewer, id)
      if (read.isOver(date)) throw isOver()
      await change(tx, date)
      await announce(context, tx, date)
      return read.get(viewer, id)
    }),
  )
}

/** As `changeDate`. The job is read again once the date is locked. */
const changeJob = async (
  context: MemberContext,
  id: number,
  change: (tx: Tx, job: JobRow, date: FullDate) => Promise<unknown>,
) =>
  changeDate(context, (await read.requireJob(context.db, id)).date_id, async (tx, date) =>
    change(tx, await read.requireJob(tx, id), date),
  )

type What = Pick<Job, 'title' | 'places'>

export const add = (
  context: MemberContext,
  { id, kind, following, ...what }: What & { id: number; kind: Job['kind']; following: boolean },
) =>
  changeDate(context, id, async (tx, date) => {
    if (kind === 'task') await managers.require(context, tx, date)
    const chosen = kind === 'task' && following ? await comingDates(tx, date) : [date]
    for (const one of chosen) await requireRoom(tx, one.id)
    const added = chosen.map((one) => ({ ...what, kind, date_id: one.id, user_id: context.me.id }))
    await tx.insertInto('rota_jobs').values(added).execute()
    for (const one of chosen) if (one.id !== id) await announce(context, tx, one)
  })

/** This one and those after it that take place. */
const comingDates = (tx: Tx, { event_id, begins_at }: FullDate) =>
  dates(tx)
    .where('d.event_id', '=', event_id)
    .where('d.begins_at', '>=', begins_at)
    .where('d.cancelled_at', 'is', null)
    .execute()

async function requireRoom(tx: Tx, date: number) {
  const { count } = await tx
    .selectFrom('rota_jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('date_id', '=', date)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_JOBS) throw tooMany()
}

export const change = (context: MemberContext, { id, title, places }: What & { id: number }) =>
  changeJob(context, id, async (tx, job, date) => {
    await requireChange(context, tx, job, date)
    if ((await peopleOf(tx, id)).length > places) throw areTaken()
    await tx.updateTable('rota_jobs').set({ title, places }).where('id', '=', id).execute()
  })

export const remove = (context: MemberContext, id: number) =>
  changeJob(context, id, async (tx, job, date) => {
    await requireChange(context, tx, job, date)
    await tell(context, tx, date, { job: id, actor: context.me.id })
    await tx.deleteFrom('rota_jobs').where('id', '=', id).execute()
  })

export const join = (context: MemberContext, id: number, child = context.me.id) =>
  changeJob(context, id, async (tx, job, date) => {
    const { me } = context
    if (child === me.id) await requireOwnRide(tx, job, me.id)
    else await guardians.requireGuardian({ ...context, db: tx }, child)
    await events.requireDate({ ...withoutRoles(context, child), db: tx }, date.id)
    await requireVisible(context, tx, job)
    const people = await peopleOf(tx, id)
    if (people.some(({ user_id }) => user_id === child)) return
    if (people.length >= job.places) throw isFull(job)
    if (job.kind === 'car') await leaveCars(tx, job.date_id, child)
    const guardian_id = child === me.id ? null : me.id
    await tx
      .insertInto('rota_people')
      .values({ job_id: id, user_id: child, guardian_id, joined_at: isoNow() })
      .execute()
  })

export const leave = (context: MemberContext, id: number, user = context.me.id) =>
  changeJob(context, id, async (tx, job, date) => {
    if (user !== context.me.id && !(await isChild(context, tx, user))) {
      await requireChange(context, tx, job, date)
      await tell(context, tx, date, { job: id, user, actor: context.me.id })
    }
    await tx.deleteFrom('rota_people').where('job_id', '=', id).where('user_id', '=', user).execute()
  })

/** A guardian decides with whom a child rides. */
async function requireOwnRide(tx: Tx, { kind }: JobRow, member: number) {
  if (kind === 'car' && (await isChildAccount(tx, member))) throw askGuardian()
}

/** Who sits in a car of the date leaves it for another one. */
const leaveCars = (tx: Tx, date: number, user: number) =>
  tx
    .deleteFrom('rota_people')
    .where('user_id', '=', user)
    .where('job_id', 'in', (eb) =>
      eb.selectFrom('rota_jobs').select('id').where('date_id', '=', date).where('kind', '=', 'car'),
    )
    .execute()

const peopleOf = (tx: Tx, job: number) =>
  tx.selectFrom('rota_people').select('user_id').where('job_id', '=', job).execute()

const isChild = async ({ me }: MemberContext, tx: Tx, user: number) =>
  (await guardians.childIds(tx, me.id).execute()).some(({ child_id }) => child_id === user)

/** 404 for a job of somebody whom the member may not see. */
async function requireVisible(context: MemberContext, tx: Tx, job: JobRow) {
  const { jobs } = await read.get({ ...context, db: tx }, job.date_id)
  if (!jobs.some(({ id }) => id === job.id)) throw read.notFound()
}

/** 403 except for those who manage the event, and who drives the car. */
async function requireChange(context: MemberContext, tx: Tx, { kind, user_id }: JobRow, date: FullDate) {
  if (kind !== 'car' || user_id !== context.me.id) await managers.require(context, tx, date)
}

interface Left {
  member: number
  /** Only events of posts for this group, or by this author. */
  group?: number
  author?: number
}

/** The member may not see these events any more: what is to come goes on without them and their cars. */
export async function giveBack(context: AppContext, tx: Tx, { member, group, author }: Left) {
  const concerned = await dates(tx)
    .innerJoin('rota_jobs as j', 'j.date_id', 'd.id')
    .leftJoin('rota_people as p', (on) => on.onRef('p.job_id', '=', 'j.id').on('p.user_id', '=', member))
    .where('d.begins_at', '>', isoNow())
    .where(({ or, eb }) => or([eb('p.user_id', '=', member), eb('j.user_id', '=', member)]))
    .$if(group !== undefined, (query) => query.where('e.group_id', '=', group!))
    .$if(author !== undefined, (query) => query.where('e.user_id', '=', author!))
    .orderBy('d.id')
    .execute()
  for (const id of new Set(concerned.map((date) => date.id))) {
    const date = await lock(tx, id)
    if (date) await leaveDate(context, tx, date, member)
  }
}

async function leaveDate(context: AppContext, tx: Tx, date: FullDate, member: number) {
  const jobs = await tx
    .selectFrom('rota_jobs')
    .select(['id', 'kind', 'user_id'])
    .where('date_id', '=', date.id)
    .execute()
  for (const { id, kind, user_id } of jobs) {
    if (kind !== 'car' || user_id !== member) continue
    await tell(context, tx, date, { job: id, actor: date.user_id })
    await tx.deleteFrom('rota_jobs').where('id', '=', id).execute()
  }
  await tx
    .deleteFrom('rota_people')
    .where('user_id', '=', member)
    .where('job_id', 'in', (eb) => eb.selectFrom('rota_jobs').select('id').where('date_id', '=', date.id))
    .execute()
  await announce(context, tx, date)
}

const isOver = () =>
  new HttpError(403, {
    en: 'This event was cancelled or has begun, so nothing can be changed any more.',
    ja: '中止になったか、もう始まった予定なので、変更できません。',
  })
const askGuardian = () =>
  new HttpError(403, {
    en: 'Please ask your guardian, who can choose a car for you.',
    ja: '乗る車は、保護者の人に選んでもらってください。',
  })
const isFull = ({ kind }: JobRow) =>
  new HttpError(
    403,
    kind === 'car'
      ? { en: 'This car is full.', ja: 'この車は満席です。' }
      : { en: 'There are enough people for this.', ja: 'この当番は、もう人数がそろっています。' },
  )
const areTaken = () =>
  fieldError('places', {
    en: 'More people have joined already.',
    ja: 'すでに、それより多くの人が入っています。',
  })
const tooMany = () =>
  fieldError('title', {
    en: `There can be ${MAX_JOBS} tasks and cars.`,
    ja: `当番と車は、合わせて${MAX_JOBS}件までです。`,
  })
