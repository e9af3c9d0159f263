import { type SqlBool, sql } from 'kysely'
import { isoNow } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { type PagedResponse, paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as guardians from '#features/guardians/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import * as audiences from '#features/posts/audiences.ts'
import * as posts from '#features/posts/read.ts'
import { type AskingPost, MAX_WAITING } from './contract.ts'
import * as read from './read.ts'

/** Posts that the viewer may see and that wait for an answer of the viewer, or of a guarded child. */
const waitingQuery = ({ db, me, ...viewer }: MemberViewer) =>
  db
    .selectFrom('acknowledgement_recipients as r')
    .innerJoin('acknowledgement_requests as q', 'q.post_id', 'r.post_id')
    .select('r.post_id')
    .where(
      sql<SqlBool>`r.user_id in (select ${me.id} union all
        select c.child_id from (${guardians.childIds(db, me.id)}) c)`,
    )
    .where('q.ended_at', 'is', null)
    .where(({ eb, or }) => or([eb('q.until', 'is', null), eb('q.until', '>', isoNow())]))
    .where(
      sql<SqlBool>`not exists (select 1 from acknowledgements k
        where k.post_id = r.post_id and k.user_id = r.user_id)`,
    )
    .where(audiences.asks({ ...viewer, db, me }, 'r.post_id'))
    .groupBy('r.post_id')

/** Up to `MAX_WAITING`. */
export const countWaiting = async (viewer: MemberViewer) => ({
  count: (await waitingQuery(viewer).limit(MAX_WAITING).execute()).length,
})

/** The newest post first. */
export const waiting = async (viewer: MemberViewer, page: PageParams) =>
  toPage(viewer, await pageOf(waitingQuery(viewer), 'r.post_id', page, 'desc').execute(), page)

const requestsQuery = ({ db }: MemberViewer) =>
  db.selectFrom('acknowledgement_requests as q').select('q.post_id')

/** The newest post first. */
export async function asked(viewer: MemberViewer, page: PageParams) {
  const found = requestsQuery(viewer).where('q.user_id', '=', viewer.me.id)
  return toPage(viewer, await pageOf(found, 'q.post_id', page, 'desc').execute(), page)
}

/** All that the viewer may see, the newest post first. */
export async function all(viewer: MemberViewer, page: PageParams) {
  const found = requestsQuery(viewer).where(audiences.visible(viewer, 'q.post_id'))
  return toPage(viewer, await pageOf(found, 'q.post_id', page, 'desc').execute(), page)
}

async function toPage(
  viewer: MemberViewer,
  rows: { post_id: number }[],
  { limit }: PageParams,
): Promise<PagedResponse<AskingPost[]>> {
  const ids = rows.slice(0, limit).map(({ post_id }) => post_id)
  const [found, states] = await Promise.all([posts.revisions(viewer, ids), read.states(viewer, ids)])
  const byId = new Map(found.map(({ post }) => [post.id, post]))
  const toPost = ({ post_id }: { post_id: number }) => {
    const [post, state] = [byId.get(post_id), states.posts[post_id]]
    return post && state
      ? [{ id: post_id, body: post.body, user: post.user, created_at: post.created_at, state }]
      : []
  }
  return paged(
    rows,
    limit,
    (last) => ({ before: last.post_id }),
    (shown) => shown.flatMap(toPost),
  )
}
