import { type SqlBool, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { type Db, idIn, isoNow } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { toPerson } from '#features/conversations/rows.ts'
import * as guardians from '#features/guardians/read.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer, ViewerContext } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import * as announcements from '#features/posts/announcements.ts'
import * as audiences from '#features/posts/audiences.ts'
import * as posts from '#features/posts/read.ts'
import type {
  AcknowledgementCounts,
  AcknowledgementState,
  AcknowledgementStates,
  Reader,
  ReaderState,
} from './contract.ts'

interface RequestRow {
  post_id: number
  user_id: number
  until: string | null
  ended_at: string | null
  changed_at: string | null
}

/** For the viewer. */
interface AskedRow extends RequestRow {
  read_at: string | null
  is_guardian: unknown
}

export const isOpen = ({ until, ended_at }: Pick<RequestRow, 'until' | 'ended_at'>) =>
  ended_at === null && (until === null || until > isoNow())

const requests = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('acknowledgement_requests')
    .select(['post_id', 'user_id', 'until', 'ended_at', 'changed_at'])
    .where('post_id', 'in', ids)

/** Null for posts that ask for nothing, or that the viewer may not see. */
export async function states(viewer: ViewerContext, ids: readonly number[]): Promise<AcknowledgementStates> {
  if (!visibility.isMember(viewer) || !ids.length) return { posts: {} }
  const none = Object.fromEntries(ids.map((id) => [id, null]))
  // SQL text, because it runs for each page of posts, and a builder takes more processor time.
  const { rows: asking } = await sql<AskedRow>`
    select q.post_id, q.user_id, q.until, q.ended_at, q.changed_at, k.created_at as read_at,
      ${guardians.guardsAnyone(viewer.me.id)} as is_guardian
    from acknowledgement_requests q
      left join acknowledgements k on k.post_id = q.post_id and k.user_id = ${viewer.me.id}
    where ${idIn(viewer.db, 'q.post_id', ids)}`.execute(viewer.db)
  if (!asking.length) return { posts: none }
  const visible = new Set(
    await posts.visiblePostIds(
      viewer,
      asking.map(({ post_id }) => post_id),
    ),
  )
  const shown = asking.filter(({ post_id }) => visible.has(post_id))
  return { posts: { ...none, ...Object.fromEntries(await toStates(viewer, shown)) } }
}

async function toStates(viewer: MemberViewer, rows: readonly AskedRow[]) {
  const { db, me } = viewer
  const ids = rows.map(({ post_id }) => post_id)
  if (!ids.length) return new Map<number, AcknowledgementState>()
  const children = rows[0]!.is_guardian ? await guardians.listChildren(viewer) : []
  const childIds = children.map(({ id }) => id)
  const written = rows.filter(({ user_id }) => user_id === me.id).map(({ post_id }) => post_id)
  const ownIds = written.length ? [...(await announcements.tellable(viewer, written))] : []
  const [answers, asked, counts, reminded] = await Promise.all([
    listAnswers(db, ids, childIds),
    listAsked(db, ids, childIds),
    count(viewer, me.id, ownIds),
    listReminded(db, ownIds),
  ])
  return new Map(
    rows.map((row): [number, AcknowledgementState] => {
      const { post_id, until, changed_at } = row
      const answersOf = (member: number) => answers.get(`${post_id} ${member}`) ?? null
      const ownCounts = counts.get(post_id)
      const is_own = row.user_id === me.id
      return [
        post_id,
        {
          ...{ until, is_open: isOpen(row), is_own, read_at: row.read_at },
          children: children
            .filter(({ id }) => asked.has(`${post_id} ${id}`))
            .map(({ id, name }) => ({ id, name, read_at: answersOf(id) })),
          ...(ownCounts && { counts: ownCounts, reminded_at: reminded.get(post_id) ?? null }),
          ...(is_own && changed_at !== null && isOpen(row) && { is_changed: true }),
        },
      ]
    }),
  )
}

/** By post and member, such as `3 7`. */
async function listAnswers(db: Db, ids: readonly number[], members: readonly number[]) {
  if (!members.length) return new Map<string, string>()
  const rows = await db
    .selectFrom('acknowledgements')
    .select(['post_id', 'user_id', 'created_at'])
    .where('post_id', 'in', ids)
    .where('user_id', 'in', members)
    .execute()
  return new Map(rows.map(({ post_id, user_id, created_at }) => [`${post_id} ${user_id}`, created_at]))
}

async function listAsked(db: Db, ids: readonly number[], members: readonly number[]) {
  if (!members.length) return new Set<string>()
  const rows = await db
    .selectFrom('acknowledgement_recipients')
    .select(['post_id', 'user_id'])
    .where('post_id', 'in', ids)
    .where('user_id', 'in', members)
    .execute()
  return new Set(rows.map(({ post_id, user_id }) => `${post_id} ${user_id}`))
}

/** The last reminder of each post that had one. */
async function listReminded(db: Db, ids: readonly number[]) {
  if (!ids.length) return new Map<number, string>()
  const rows = await db
    .selectFrom('acknowledgement_reminders')
    .select(({ fn }) => ['post_id', fn.max('sent_at').as('sent_at')])
    .where('post_id', 'in', ids)
    .where('sent_at', 'is not', null)
    .groupBy('post_id')
    .execute()
  return new Map(rows.map(({ post_id, sent_at }) => [post_id, sent_at!]))
}

type AudienceContext = Pick<AppContext, 'db' | 'groups' | 'contacts'>

/** `a` are those who may see the post now, `r` those of them who were asked, `k` their answers. */
async function audienceQuery(context: AudienceContext, author: number, ids: readonly number[]) {
  const audience = await audiences.readersQuery(context, author, ids)
  return context.db
    .selectFrom(sql<{ post_id: number; user_id: number }>`(${audience})`.as<'a'>('a'))
    .leftJoin('acknowledgement_recipients as r', (join) =>
      join.onRef('r.post_id', '=', 'a.post_id').onRef('r.user_id', '=', 'a.user_id'),
    )
    .leftJoin('acknowledgements as k', (join) =>
      join.onRef('k.post_id', '=', 'a.post_id').onRef('k.user_id', '=', 'a.user_id'),
    )
}

async function count(context: AudienceContext, author: number, ids: readonly number[]) {
  const counts = new Map<number, AcknowledgementCounts>()
  if (!ids.length) return counts
  const none = { asked: 0, read: 0, later: 0, later_read: 0 }
  for (const id of ids) counts.set(id, none)
  const found = await audienceQuery(context, author, ids)
  const rows = await found
    .select('a.post_id')
    .select(({ fn }) => [fn.countAll().as('all'), fn.count('r.user_id').as('asked')])
    .select(({ fn }) => fn.count('k.user_id').as('answers'))
    .select(
      sql<number>`count(case when r.user_id is not null and k.user_id is not null then 1 end)`.as('read'),
    )
    .groupBy('a.post_id')
    .execute()
  for (const row of rows) {
    const [all, asked, answers, read] = [row.all, row.asked, row.answers, row.read].map(Number)
    counts.set(row.post_id, {
      asked: asked!,
      read: read!,
      later: all! - asked!,
      later_read: answers! - read!,
    })
  }
  return counts
}

/** Whether the member may see the post now, and is not its author. */
export async function isInAudience(
  context: AudienceContext,
  { author, id, member }: { author: number; id: number; member: number },
) {
  const audience = await audiences.readersQuery(context, author, [id])
  const { rows } = await sql`select 1 from (${audience}) a where a.user_id = ${member}`.execute(context.db)
  return rows.length > 0
}

const conditions: Record<ReaderState, ReturnType<typeof sql<SqlBool>>> = {
  read: sql`r.user_id is not null and k.user_id is not null`,
  waiting: sql`r.user_id is not null and k.user_id is null`,
  later: sql`r.user_id is null`,
}

/** Those of these members who were asked and have not answered. */
export async function waitingAmong(
  context: AudienceContext,
  { id, author, members }: { id: number; author: number; members: readonly number[] },
) {
  const rows = await (await audienceQuery(context, author, [id]))
    .select('a.user_id')
    .where(conditions.waiting)
    .where('a.user_id', 'in', members)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

export async function isStillOpen(db: Db, id: number) {
  const row = await requests(db, [id]).executeTakeFirst()
  return row !== undefined && isOpen(row)
}

/** 404 if the viewer may not see the post, or it asks for nothing; 403 for others than the author and admins. */
export async function readers(
  viewer: MemberViewer & { me: { is_admin: boolean } },
  { id, state, ...page }: PageParams & { id: number; state: ReaderState },
) {
  const { author } = await requireRequest(viewer, id)
  if (!viewer.me.is_admin) await requireAuthor(viewer, id, author)
  const found = (await audienceQuery(viewer, author, [id]))
    .innerJoin(people.rows(viewer).as('u'), 'u.id', 'a.user_id')
    .leftJoin(people.rows(viewer).as('g'), 'g.id', 'k.by_id')
    .select(['u.id', 'u.name', 'u.image', 'u.shared_handle', 'k.created_at as read_at'])
    .select(['g.id as g_id', 'g.name as g_name', 'g.image as g_image', 'g.shared_handle as g_handle'])
    .where(conditions[state])
  const rows = await pageOf(found, 'u.id', page).execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) =>
      shown.map(
        ({ read_at, g_id, g_name, g_image, g_handle, ...person }): Reader => ({
          user: people.fromRow(viewer.media, person),
          read_at,
          by: toPerson(viewer.media, g_id, g_name, g_image, g_handle),
        }),
      ),
  )
}

/** 404 if the viewer may not see the post, or it asks for nothing. */
export async function requireRequest(viewer: MemberViewer, id: number) {
  const row = await requests(viewer.db, [id]).executeTakeFirst()
  if (!row || !(await posts.isVisible(viewer, id))) throw posts.notFound()
  return { ...row, author: row.user_id }
}

/** 403 for others than the author, and for an author who may no longer tell the audience, as a former owner. */
export async function requireAuthor(viewer: MemberViewer, id: number, author: number) {
  if (author !== viewer.me.id) throw notAuthor()
  if (!(await announcements.tellable(viewer, [id])).has(id)) throw announcements.notTeller()
}

const notAuthor = () =>
  new HttpError(403, {
    en: 'Only the author of the post can do this.',
    ja: 'これは、投稿した本人だけができます。',
  })
