import type { MemberContext } from '#core/context.ts'
import { pageOf } from '#core/database/keyset.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'

// For the archive of a member's data.

/** Of the member, also those that a guardian gave. The newest post first. */
export async function answers({ db, me }: MemberContext, page: PageParams) {
  const found = db
    .selectFrom('acknowledgements')
    .select(['post_id', 'by_id', 'created_at'])
    .where('user_id', '=', me.id)
  return toPage(await pageOf(found, 'post_id', page, 'desc').execute(), page)
}

/** The newest post first. */
export async function requests({ db, me }: MemberContext, page: PageParams) {
  const found = db
    .selectFrom('acknowledgement_requests')
    .select(['post_id', 'created_at', 'until', 'ended_at'])
    .where('user_id', '=', me.id)
  return toPage(await pageOf(found, 'post_id', page, 'desc').execute(), page)
}

const toPage = <Row extends { post_id: number }>(rows: Row[], { limit }: PageParams) =>
  paged(
    rows,
    limit,
    (last) => ({ before: last.post_id }),
    (shown) => shown,
  )

export async function countAll({ db, me }: MemberContext) {
  const counts = await Promise.all(
    (['acknowledgements', 'acknowledgement_requests'] as const).map((table) =>
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('count'))
        .where('user_id', '=', me.id)
        .executeTakeFirstOrThrow(),
    ),
  )
  return counts.reduce((sum, { count }) => sum + Number(count), 0)
}
