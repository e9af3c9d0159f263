import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { hashToken } from '#core/crypto.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError, httpErrors } from '#core/http/errors.ts'
import { toGroupChannelName } from '#features/chat/broadcasts.ts'
import { addGroupMemberWithoutRightsCheck, createGroup } from '#features/chat/groups.ts'
import { requireAdmin } from '#features/people/admins.ts'
import { acquireAccountsLock } from '#features/people/credentials.ts'
import { createAccount } from '#features/people/model.ts'
import { recordThatMemberIsKnown } from '#features/people/new-members.ts'
import { createUnusablePasswordHash } from '#features/people/passwords.ts'
import { recordSecurityEvent } from '#features/people/security-log.ts'
import { createLogInCardCodeLinkAndColumns } from './cards.ts'
import {
  type CheckedMemberList,
  checkMemberListAndSuggestHandles,
  isMemberListAcceptable,
} from './list-checks.ts'
import type {
  CheckedMemberListRow,
  CreatedLogInCards,
  LogInCardWithCode,
  MemberListImportInputRow,
} from './list-contract.ts'
import {
  listMembersOfImportWithUnusedLogInCard,
  type MemberWithUnusedLogInCard,
  requireMemberWithUnusedLogInCardAsList,
} from './read.ts'

interface NewList {
  /**
   * A random text that the browser creates for each list, so that the server recognizes a repeated request.
   */
  key: string
  title: string | null
  days: number
  rows: readonly MemberListImportInputRow[]
}

type ListContext = MemberContext & { lang: Language }

/**
 * Runs `work` under the locks of these groups, so that the events of the groups are sent in the order of the
 * commits.
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
 * Creates the members of a list, with their groups and cards, in one transaction. Throws 422 if a row has an
 * error. If this browser has sent the list before, creates nobody: returns new cards for those who have not
 * logged in yet.
 */
export async function createMembersAndLogInCardsFromList(
  context: ListContext,
  list: NewList,
): Promise<CreatedLogInCards> {
  const { groupIds } = await checkMemberListAndSuggestHandles(context, list.rows, context.lang)
  const locked = [...groupIds.values()].toSorted((a, b) => a - b)
  return withGroupLocks(context, locked, () =>
    transaction(context.db, async (tx) => {
      await requireAdmin(tx, context.me.id)
      // Lets one transaction at a time create accounts. So if a browser sends the same list twice, the second
      // request finds the row that the first one has inserted.
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

/** Returns the ids of the groups of a list by name, after it has created the missing ones. */
async function createMissingGroups(context: ListContext, { groups, groupIds }: CheckedMemberList) {
  const ids = new Map(groupIds)
  for (const { name, is_new } of groups) if (is_new) ids.set(name, (await createGroup(context, name)).id)
  return ids
}

interface ListedMembers {
  /** The id of the list. */
  id: number
  days: number
  checked: CheckedMemberList
}

/** Creates the accounts of a list in its order, adds them to their groups, and makes their cards. */
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
  // The admin who wrote the list knows the member, so the limits for new members do not apply.
  await recordThatMemberIsKnown(tx, id, context.me.id)
  await recordSecurityEvent(tx, id, 'created_by_admin', { actor_id: context.me.id })
  return id
}

/**
 * Makes new cards for members who have not logged in yet. Their old cards end. Leaves out a member who has
 * logged in since the caller read the list.
 */
async function createNewCards(
  context: MemberContext,
  tx: Tx,
  members: readonly MemberWithUnusedLogInCard[],
  days: number,
): Promise<CreatedLogInCards> {
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

/** Deletes the list of new members to which a member belongs, if the member is the last one of it. */
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
  /** The id of the list, or of the member. */
  id: number
  days: number
}

/**
 * Makes new cards for all members of a list who have not logged in yet. Throws 404 if there is no such list.
 */
export const renewUnusedLogInCardsOfMemberList = (context: MemberContext, { id, days }: RenewedCards) =>
  transaction(context.db, async (tx) => {
    await acquireAccountsLock(tx)
    await requireAdmin(tx, context.me.id)
    return createNewCards(context, tx, await listMembersOfImportWithUnusedLogInCard(tx, id), days)
  })

/**
 * Makes a new card for a member who has not logged in yet. Throws 404 if there is no such member, or if the
 * member has no unused card.
 */
export const renewUnusedLogInCardOfMember = (context: MemberContext, { id, days }: RenewedCards) =>
  transaction(context.db, async (tx) => {
    await acquireAccountsLock(tx)
    await requireAdmin(tx, context.me.id)
    const created = await createNewCards(
      context,
      tx,
      await requireMemberWithUnusedLogInCardAsList(tx, id),
      days,
    )
    if (!created.cards.length) throw httpErrors.notFound()
    return created
  })
