import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { currentIsoTime, type Db } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { buildAllGroupsQuery } from '#features/chat/read-groups.ts'
import { buildUnfilteredPersonAndHandleRowsQuery } from '#features/people/accounts.ts'
import { buildUnfilteredPersonRowsQuery, toPersonFromRow } from '#features/people/read.ts'
import { buildLogInCardMakerStillAdminCondition } from './cards.ts'
import type { MemberListImportSummary, MemberWithLogInCardState } from './list-contract.ts'

/**
 * Returns one page of the imported lists of new members, the newest list first. Each list has the number of
 * its members, and the number of those who have used their card, or for whom the operator has set a password.
 */
export async function listMemberListImports(viewer: MemberContext, page: PaginationParameters) {
  const found = viewer.db
    .selectFrom('member_lists')
    .leftJoin(buildUnfilteredPersonRowsQuery(viewer).as('creator'), 'creator.id', 'member_lists.created_by')
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
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'member_lists.id', page, 'desc').execute()
  type Row = (typeof rows)[number]
  const toList = ({ creator_id, name, image, shared_handle, ...list }: Row): MemberListImportSummary => ({
    ...list,
    members: Number(list.members),
    arrived: Number(list.arrived),
    created_by:
      creator_id === null
        ? null
        : toPersonFromRow(viewer.media, { id: creator_id, name: name!, image, shared_handle }),
  })
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) => shown.map(toList),
  )
}

/** Throws 404 if there is no imported list of new members with this id. */
async function requireList(db: Db, id: number) {
  const list = await db.selectFrom('member_lists').select('id').where('id', '=', id).executeTakeFirst()
  if (!list) throw httpErrorFactories.notFound()
}

const cardsQuery = (db: Db) =>
  db
    .selectFrom('member_cards')
    .innerJoin(buildUnfilteredPersonAndHandleRowsQuery(db).as('member'), 'member.id', 'member_cards.user_id')

/**
 * Returns one page of the members of an imported list, ordered by the ids of the members. Each member has the
 * state of the log-in card: when it was used, when it expires, and whether it can still be used. Throws 404
 * if there is no such list.
 */
export async function listMembersWithLogInCardStateOfImport(
  { db, media }: MemberContext,
  { id, ...page }: PaginationParameters & { id: number },
) {
  await requireList(db, id)
  const found = cardsQuery(db)
    .select(['member.id', 'member.name', 'member.handle', 'member.image', 'member.shared_handle'])
    .select([
      'member_cards.used_at',
      'member_cards.expires_at',
      buildLogInCardMakerStillAdminCondition().as('is_maker_admin'),
    ])
    .where('member_cards.list_id', '=', id)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'member_cards.user_id', page).execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown): MemberWithLogInCardState[] =>
      shown.map(({ is_maker_admin, ...row }) => ({
        ...toPersonFromRow(media, row),
        is_open: Boolean(is_maker_admin) && row.used_at === null && row.expires_at > currentIsoTime(),
      })),
  )
}

/**
 * Builds the query for the members who have not used their log-in card, ordered by id. Selects what the
 * printed card shows: the name, the handle and the name of the group.
 */
const buildMembersWithUnusedCardQuery = (db: Db) =>
  cardsQuery(db)
    .leftJoin(
      buildAllGroupsQuery(db).select(['c.id', 'c.name']).as('group'),
      'group.id',
      'member_cards.group_id',
    )
    .select(['member.id as user_id', 'member.name', 'member.handle', 'group.name as group'])
    .where('member_cards.used_at', 'is', null)
    .orderBy('member_cards.user_id')

export type RowOfMemberWithUnusedLogInCard = Awaited<
  ReturnType<ReturnType<typeof buildMembersWithUnusedCardQuery>['execute']>
>[number]

/**
 * Returns the members of an imported list who have not used their log-in card. Throws 404 if there is no such
 * list.
 */
export async function listMembersOfImportWithUnusedLogInCard(db: Db, list: number) {
  await requireList(db, list)
  return buildMembersWithUnusedCardQuery(db).where('member_cards.list_id', '=', list).execute()
}

/**
 * Returns an array with the one member who has this id. Throws 404 if there is no such member, or if the
 * member has no unused log-in card.
 */
export async function requireMemberWithUnusedLogInCardAsList(db: Db, id: number) {
  const found = await buildMembersWithUnusedCardQuery(db).where('member_cards.user_id', '=', id).execute()
  if (!found.length) throw httpErrorFactories.notFound()
  return found
}

// ── A member's own data ─────────────────────────────────────────────────────

/**
 * The maximum number of imported lists that the archive of a member's data contains. If there are more, the
 * archive contains the newest ones.
 */
const MAX_EXPORTED = 1000

/** Returns the lists of new members that the viewer has imported, without the members of the lists. */
export const listOwnMemberListImportsForExport = ({ db, me }: MemberContext) =>
  db
    .selectFrom('member_lists')
    .select(['id', 'title', 'created_at'])
    .where('created_by', '=', me.id)
    .orderBy('id', 'desc')
    .limit(MAX_EXPORTED)
    .execute()

/** Returns an array with the log-in card of the viewer, or an empty array if the viewer has none. */
export const listOwnLogInCardForExport = ({ db, me }: MemberContext) =>
  db
    .selectFrom('member_cards')
    .select(['created_at', 'expires_at', 'used_at'])
    .where('user_id', '=', me.id)
    .execute()
