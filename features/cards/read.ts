import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { type Db, isoNow } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { httpErrors } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as readGroups from '#features/groups/read.ts'
import * as accounts from '#features/people/accounts.ts'
import * as people from '#features/people/read.ts'
import * as logInCards from './cards.ts'
import type { ListedCard, ListSummary } from './contract.ts'

/** The newest list first, with the numbers of its members and of those who have arrived. */
export async function lists(viewer: MemberContext, page: PageParams) {
  const found = viewer.db
    .selectFrom('member_lists')
    .leftJoin(people.unfiltered(viewer).as('creator'), 'creator.id', 'member_lists.created_by')
    .select(['member_lists.id', 'member_lists.title', 'member_lists.created_at'])
    .select(['creator.id as creator_id', 'creator.name', 'creator.image', 'creator.shared_handle'])
    .select((list) => [
      list
        .selectFrom('member_cards')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('member_cards.list_id', '=', 'member_lists.id')
        .as('members'),
      list
        .selectFrom('member_cards')
        .select(sql<number>`count(used_at)`.as('count'))
        .whereRef('member_cards.list_id', '=', 'member_lists.id')
        .as('arrived'),
    ])
  const rows = await pageOf(found, 'member_lists.id', page, 'desc').execute()
  type Row = (typeof rows)[number]
  const toList = ({ creator_id, name, image, shared_handle, ...list }: Row): ListSummary => ({
    ...list,
    members: Number(list.members),
    arrived: Number(list.arrived),
    created_by:
      creator_id === null
        ? null
        : people.fromRow(viewer.media, { id: creator_id, name: name!, image, shared_handle }),
  })
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) => shown.map(toList),
  )
}

/** 404 if there is no such list. */
async function requireList(db: Db, id: number) {
  const list = await db.selectFrom('member_lists').select('id').where('id', '=', id).executeTakeFirst()
  if (!list) throw httpErrors.notFound()
}

const cardsQuery = (db: Db) =>
  db
    .selectFrom('member_cards')
    .innerJoin(accounts.personRows(db).as('member'), 'member.id', 'member_cards.user_id')

/** Ordered by id. 404 if there is no such list. */
export async function members({ db, media }: MemberContext, { id, ...page }: PageParams & { id: number }) {
  await requireList(db, id)
  const found = cardsQuery(db)
    .select(['member.id', 'member.name', 'member.reading', 'member.handle', 'member.image'])
    .select([
      'member.shared_handle',
      'member_cards.used_at',
      'member_cards.expires_at',
      logInCards.madeByAdmin().as('is_maker_admin'),
    ])
    .where('member_cards.list_id', '=', id)
  const rows = await pageOf(found, 'member_cards.user_id', page).execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown): ListedCard[] =>
      shown.map(({ is_maker_admin, ...row }) => ({
        ...people.fromRow(media, row),
        is_open: Boolean(is_maker_admin) && row.used_at === null && row.expires_at > isoNow(),
      })),
  )
}

/** Ordered by id, with what the printed card shows: the name, its reading, the handle and the group. */
const unusedQuery = (db: Db) =>
  cardsQuery(db)
    .leftJoin(
      readGroups.allQuery(db).select(['c.id', 'c.name']).as('group'),
      'group.id',
      'member_cards.group_id',
    )
    .select(['member.id as user_id', 'member.name', 'member.reading', 'member.handle', 'group.name as group'])
    .where('member_cards.used_at', 'is', null)
    .orderBy('member_cards.user_id')

export type UnusedCardRow = Awaited<ReturnType<ReturnType<typeof unusedQuery>['execute']>>[number]

/** 404 if there is no such list. */
export async function unusedCards(db: Db, list: number) {
  await requireList(db, list)
  return unusedQuery(db).where('member_cards.list_id', '=', list).execute()
}

/** An array of one. 404 if there is no such member, or no unused card. */
export async function requireUnusedCard(db: Db, id: number) {
  const found = await unusedQuery(db).where('member_cards.user_id', '=', id).execute()
  if (!found.length) throw httpErrors.notFound()
  return found
}

/** If there are more lists, the archive has the newest ones. */
const MAX_EXPORTED = 1000

export const ownLists = ({ db, me }: MemberContext) =>
  db
    .selectFrom('member_lists')
    .select(['id', 'title', 'created_at'])
    .where('created_by', '=', me.id)
    .orderBy('id', 'desc')
    .limit(MAX_EXPORTED)
    .execute()

/** One or none. */
export const ownCard = ({ db, me }: MemberContext) =>
  db
    .selectFrom('member_cards')
    .select(['created_at', 'expires_at', 'used_at'])
    .where('user_id', '=', me.id)
    .execute()
