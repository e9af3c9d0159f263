import { sql } from 'kysely'
import { type MemberContext, withoutRoles } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import * as managers from '#features/events/managers.ts'
import * as events from '#features/events/read.ts'
import { type FullDate, hasBegun } from '#features/events/rows.ts'
import * as guardians from '#features/guardians/read.ts'
import { notApart } from '#features/people/apart.ts'
import * as people from '#features/people/read.ts'
import { visiblePostIds } from '#features/posts/read.ts'
import type { Rota } from './schemas.ts'

export const isOver = (date: FullDate) => date.cancelled_at !== null || hasBegun(date)

/** 404 unless the viewer sees the event. */
export async function get(viewer: MemberContext, id: number): Promise<Rota> {
  const date = await events.requireDate(viewer, id)
  const canPlan = await managers.mayManage(viewer, viewer.db, date)
  const [jobs, joined] = await Promise.all([jobsOf(viewer, id), peopleOf(viewer, id)])
  return {
    jobs: jobs.map(({ id: job, kind, title, places, taken, driver, name, image, shared_handle }) => ({
      ...{ id: job, kind, title, places, taken: Number(taken) },
      user:
        kind === 'car'
          ? people.fromRow(viewer.media, { id: driver!, name: name!, image, shared_handle })
          : null,
      can_change: canPlan || (kind === 'car' && driver === viewer.me.id),
      people: joined.get(job) ?? [],
    })),
    can_plan: canPlan,
    is_over: isOver(date),
    repeats: date.rule !== null,
    children: await childrenOf(viewer, date.post_id),
  }
}

/** Without cars of people whom the viewer may not see. */
const jobsOf = (viewer: MemberContext, date: number) =>
  viewer.db
    .selectFrom('rota_jobs as j')
    .leftJoin(people.rows(viewer).as('u'), 'u.id', 'j.user_id')
    .select(['j.id', 'j.kind', 'j.title', 'j.places', 'u.id as driver'])
    .select(['u.name', 'u.image', 'u.shared_handle'])
    .select(sql<number>`(select count(*) from rota_people p where p.job_id = j.id)`.as('taken'))
    .where('j.date_id', '=', date)
    .where(({ eb, or, and }) =>
      or([eb('j.kind', '=', 'task'), and([eb('u.id', 'is not', null), notApart(viewer, 'j.user_id')])]),
    )
    .orderBy('j.id')
    .execute()

/** By job. */
async function peopleOf(viewer: MemberContext, date: number) {
  const rows = await viewer.db
    .selectFrom('rota_people as p')
    .innerJoin('rota_jobs as j', 'j.id', 'p.job_id')
    .innerJoin(people.rows(viewer).as('u'), 'u.id', 'p.user_id')
    .select(['p.job_id', 'p.guardian_id', 'u.id', 'u.name', 'u.image', 'u.shared_handle'])
    .where('j.date_id', '=', date)
    .where(notApart(viewer, 'p.user_id'))
    .orderBy('p.joined_at')
    .orderBy('p.user_id')
    .execute()
  const byJob = Map.groupBy(rows, ({ job_id }) => job_id)
  return new Map(
    [...byJob].map(([job, all]) => [
      job,
      all.map(({ guardian_id, job_id: _, ...user }) => ({
        user: people.fromRow(viewer.media, user),
        by_guardian: guardian_id !== null,
      })),
    ]),
  )
}

/** Those of the viewer who see the post. */
async function childrenOf(viewer: MemberContext, post: number) {
  const children = await guardians.listChildren(viewer)
  const seen = await Promise.all(children.map(({ id }) => visiblePostIds(withoutRoles(viewer, id), [post])))
  return children
    .filter((_, at) => seen[at]!.length > 0)
    .map(({ id, name, profile_image }) => ({ id, name, profile_image }))
}

/** 404 if there is none. */
export async function requireJob(db: Db, id: number) {
  const row = await db.selectFrom('rota_jobs').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

export const notFound = () =>
  new HttpError(404, {
    en: 'This task or car is not there any more.',
    ja: 'この当番や車は、もうありません。',
  })
