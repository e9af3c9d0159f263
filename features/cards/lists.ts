import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { hashToken } from '#core/crypto.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError, httpErrorFactories } from '#core/http/errors.ts'
import { toGroupChannelName } from '#features/chat/broadcasts.ts'
import { addGroupMemberWithoutRightsCheck, createGroup } from '#features/chat/groups.ts'
import { requireAdmin } from '#features/people/admins.ts'
import { acquireAccountsLock } from '#features/people/credentials.ts'
import { createAccount } from '#features/people/model.ts'
import { insertKnownMemberRowIfMissing } from '#features/people/new-members.ts'
import { createUnusablePasswordHash } from '#features/people/passwords.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { createLogInCardCodeLinkAndColumns } from './cards.ts'
import {
  checkMemberListAndSuggestHandles,
  isMemberListAcceptable,
  type MemberListCheckResultWithGroupIds,
} from './list-checks.ts'
import type {
  CheckedMemberListRow,
  CreatedLogInCardsAndExpiry,
  LogInCardWithCode,
  MemberListImportInputRow,
} from './list-contract.ts'
import {
  listMembersOfImportWithUnusedLogInCard,
  type RowOfMemberWithUnusedLogInCard,
  requireMemberWithUnusedLogInCardAsList,
} from './read.ts'

interface NewList {
  /**
   * A random text that the browser creates for each list of new members, so that the server recognizes a
   * repeated request.
   */
  key: string
  title: string | null
  days: number
  rows: readonly MemberListImportInputRow[]
}

type ListContext = MemberContext & { lang: Language }

/**
 * Runs `work` while it holds the locks of these groups, so that the realtime events of a group are sent in
 * the order of the commits. Returns the result of `work`.
 */
function withGroupLocks<T>(
  context: MemberContext,
  groups: readonly number[],
  work: () => Promise<T>,
): Promise<T> {
  const [first, ...others] = groups
  if (first === undefined) return work()
  return context.withLock(toGroupChannelName(first), () => withGroupLocks(context, others, work))
}

/**
 * Creates the members of an imported list, with their groups and log-in cards, in one transaction. Returns
 * the cards. Throws 422 if a row has an error. If the browser repeats the request, creates nobody: returns
 * new cards for the members who have not logged in yet.
 */
export async function createMembersAndLogInCardsFromList(
  context: ListContext,
  list: NewList,
): Promise<CreatedLogInCardsAndExpiry> {
  const { groupIds } = await checkMemberListAndSuggestHandles(context, list.rows, context.lang)
  const locked = [...groupIds.values()].toSorted((a, b) => a - b)
  return withGroupLocks(context, locked, () =>
    transaction(context.db, async (tx) => {
      await requireAdmin(tx, context.me.id)
      // The lock lets only one transaction at a time create accounts. So if a browser sends the same list
      // twice, the second request finds the row that the first one has inserted.
      await acquireAccountsLock(tx)
      const request_hash = hashToken(`${context.me.id} ${list.key}`)
      const sent = await tx
        .selectFrom('member_lists')
        .select('id')
        .where('request_hash', '=', request_hash)
        .executeTakeFirst()
      if (sent)
        return createNewCards(
          context,
          tx,
          await listMembersOfImportWithUnusedLogInCard(tx, sent.id),
          list.days,
        )
      const checked = await checkMemberListAndSuggestHandles({ ...context, db: tx }, list.rows, context.lang)
      if (!isMemberListAcceptable(checked)) throw faultyListError()
      const { id } = await tx
        .insertInto('member_lists')
        .values({
          request_hash,
          title: list.title,
          created_by: context.me.id,
          created_at: currentIsoTime(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return createMembers({ ...context, db: tx }, tx, { id, days: list.days, checked })
    }),
  )
}

const faultyListError = () =>
  createInvalidFieldError('rows', {
    en: 'The list has errors, or somebody has changed something since the preview. Please check it again.',
    ja: '名簿に誤りがあるか、確認のあとに変更がありました。もう一度確認してください。',
  })

/**
 * Creates those groups of a list that do not exist yet. Returns a map from the names of all groups of the
 * list to their ids.
 */
async function createMissingGroups(
  context: ListContext,
  { groups, groupIds }: MemberListCheckResultWithGroupIds,
) {
  const ids = new Map(groupIds)
  for (const { name, is_new } of groups) if (is_new) ids.set(name, (await createGroup(context, name)).id)
  return ids
}

interface ListedMembers {
  /** The id of the imported list to which the new members belong. */
  id: number
  days: number
  checked: MemberListCheckResultWithGroupIds
}

/**
 * Creates the accounts of the members of a list in the order of its rows, adds the members to their groups,
 * and makes their log-in cards. Returns the cards.
 */
async function createMembers(context: ListContext, tx: Tx, { id: list_id, days, checked }: ListedMembers) {
  const groupIds = await createMissingGroups(context, checked)
  const password_hash = await createUnusablePasswordHash()
  const cards: LogInCardWithCode[] = []
  let expires_at = currentIsoTime()
  for (const row of checked.rows) {
    const user_id = await createMember(context, tx, row, password_hash)
    const group_id = row.group === null ? null : groupIds.get(row.group)!
    if (group_id !== null) await addGroupMemberWithoutRightsCheck(context, group_id, user_id)
    const { code, link, columns } = createLogInCardCodeLinkAndColumns(context, days)
    await tx
      .insertInto('member_cards')
      .values({ user_id, list_id, group_id, used_at: null, ...columns })
      .execute()
    expires_at = columns.expires_at
    cards.push({ user_id, name: row.name, handle: row.handle!, group: row.group, code, link })
  }
  return { cards, expires_at }
}

async function createMember(context: ListContext, tx: Tx, row: CheckedMemberListRow, password_hash: string) {
  const account = { name: row.name, handle: row.handle, email: null, password_hash, isFirstAdmin: false }
  const { id } = await createAccount(context, tx, account)
  // Ends the limits for new members at once, because the admin who wrote the list knows the member.
  await insertKnownMemberRowIfMissing(tx, id, context.me.id)
  await recordSecurityEvent(tx, id, 'created_by_admin', { actor_id: context.me.id })
  return id
}

/**
 * Creates new log-in cards for members who have not logged in yet, and returns them. The old cards become
 * invalid. Leaves out a member who has logged in since the caller read the list.
 */
async function createNewCards(
  context: MemberContext,
  tx: Tx,
  members: readonly RowOfMemberWithUnusedLogInCard[],
  days: number,
): Promise<CreatedLogInCardsAndExpiry> {
  const cards: LogInCardWithCode[] = []
  let expires_at = currentIsoTime()
  for (const member of members) {
    const { code, link, columns } = createLogInCardCodeLinkAndColumns(context, days)
    const { numUpdatedRows } = await tx
      .updateTable('member_cards')
      .set(columns)
      .where('user_id', '=', member.user_id)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) continue
    await recordSecurityEvent(tx, member.user_id, 'card_created', { actor_id: context.me.id })
    expires_at = columns.expires_at
    cards.push({ ...member, code, link })
  }
  return { cards, expires_at }
}

/** Deletes the imported list to which a member belongs, if nobody else belongs to the list. */
export async function deleteMemberListImportOfLastMember(tx: Tx, user_id: number) {
  await tx
    .deleteFrom('member_lists')
    .where('id', 'in', (query) =>
      query.selectFrom('member_cards').select('list_id').where('user_id', '=', user_id),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('member_cards')
            .select('user_id')
            .whereRef('member_cards.list_id', '=', 'member_lists.id')
            .where('user_id', '!=', user_id),
        ),
      ),
    )
    .execute()
}

interface RenewedCards {
  /** The id of the imported list, or of the member, whose unused log-in cards are replaced by new ones. */
  id: number
  days: number
}

/**
 * Creates new log-in cards for all members of an imported list who have not logged in yet, and returns them.
 * Throws 404 if there is no such list.
 */
export const replaceUnusedLogInCardsOfMemberList = (context: MemberContext, { id, days }: RenewedCards) =>
  transaction(context.db, async (tx) => {
    await acquireAccountsLock(tx)
    await requireAdmin(tx, context.me.id)
    return createNewCards(context, tx, await listMembersOfImportWithUnusedLogInCard(tx, id), days)
  })

/**
 * Creates a new log-in card for a member who has not logged in yet, and returns it. Throws 404 if there is no
 * such member, or if the member has no unused card.
 */
export const replaceUnusedLogInCardOfMember = (context: MemberContext, { id, days }: RenewedCards) =>
  transaction(context.db, async (tx) => {
    await acquireAccountsLock(tx)
    await requireAdmin(tx, context.me.id)
    const created = await createNewCards(
      context,
      tx,
      await requireMemberWithUnusedLogInCardAsList(tx, id),
      days,
    )
    if (!created.cards.length) throw httpErrorFactories.notFound()
    return created
  })
