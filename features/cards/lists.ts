import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, httpErrors } from '#core/http/errors.ts'
import { hashToken } from '#core/secrets/crypto.ts'
import * as channels from '#features/conversations/channels.ts'
import * as groupModel from '#features/groups/model.ts'
import { requireAdmin } from '#features/people/admins.ts'
import * as credentials from '#features/people/credentials.ts'
import { createAccount } from '#features/people/model.ts'
import { insertKnown } from '#features/people/new-members.ts'
import { unusableHash } from '#features/people/passwords.ts'
import * as securityLog from '#features/people/security-log.ts'
import * as logInCards from './cards.ts'
import type { CheckedRow, GivenRow, NewCard, NewCards } from './contract.ts'
import { type CheckedList, checkList, isAcceptable } from './list-checks.ts'
import type { UnusedCardRow } from './read.ts'
import * as read from './read.ts'

interface NewList {
  /** A random text for each list, by which the server recognizes a repeated request. */
  key: string
  title: string | null
  days: number
  rows: readonly GivenRow[]
}

type ListContext = MemberContext & { lang: Language }

/** The locks keep the realtime events of a group in the order of the commits. */
function withGroupLocks<T>(
  context: MemberContext,
  groups: readonly number[],
  work: () => Promise<T>,
): Promise<T> {
  const [first, ...others] = groups
  if (first === undefined) return work()
  return context.withLock(channels.group(first), () => withGroupLocks(context, others, work))
}

/**
 * Everything in one transaction. 422 if a row has an error. A repeated request creates nobody: it returns new
 * cards for members who have not logged in yet.
 */
export async function create(context: ListContext, list: NewList): Promise<NewCards> {
  const { groupIds } = await checkList(context, list.rows, context.lang)
  const locked = [...groupIds.values()].toSorted((a, b) => a - b)
  return withGroupLocks(context, locked, () =>
    transaction(context.db, async (tx) => {
      await requireAdmin(tx, context.me.id)
      // One transaction at a time creates accounts, so a repeated request finds the row of the first one.
      await credentials.lockAll(tx)
      const request_hash = hashToken(`${context.me.id} ${list.key}`)
      const sent = await tx
        .selectFrom('member_lists')
        .select('id')
        .where('request_hash', '=', request_hash)
        .executeTakeFirst()
      if (sent) return createNewCards(context, tx, await read.unusedCards(tx, sent.id), list.days)
      const checked = await checkList({ ...context, db: tx }, list.rows, context.lang)
      if (!isAcceptable(checked)) throw faultyListError()
      const { id } = await tx
        .insertInto('member_lists')
        .values({
          request_hash,
          title: list.title,
          created_by: context.me.id,
          created_at: isoNow(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return createMembers({ ...context, db: tx }, tx, { id, days: list.days, checked })
    }),
  )
}

const faultyListError = () =>
  fieldError('rows', {
    en: 'The list has errors, or somebody has changed something since the preview. Please check it again.',
    ja: '名簿に誤りがあるか、確認のあとに変更がありました。もう一度確認してください。',
  })

/** Returns the ids of all groups of the list by name. */
async function createMissingGroups(context: ListContext, { groups, groupIds }: CheckedList) {
  const ids = new Map(groupIds)
  for (const { name, is_new } of groups)
    if (is_new) ids.set(name, (await groupModel.create(context, name)).id)
  return ids
}

interface ListedMembers {
  id: number
  days: number
  checked: CheckedList
}

/** In the order of the rows. Returns the cards. */
async function createMembers(context: ListContext, tx: Tx, { id: list_id, days, checked }: ListedMembers) {
  const groupIds = await createMissingGroups(context, checked)
  const password_hash = await unusableHash()
  const cards: NewCard[] = []
  let expires_at = isoNow()
  for (const row of checked.rows) {
    const user_id = await createMember(context, tx, row, password_hash)
    const group_id = row.group === null ? null : groupIds.get(row.group)!
    if (group_id !== null) await groupModel.addMember(context, group_id, user_id)
    const { code, link, columns } = logInCards.createCode(context, days)
    await tx
      .insertInto('member_cards')
      .values({ user_id, list_id, group_id, used_at: null, ...columns })
      .execute()
    expires_at = columns.expires_at
    const { name, reading, handle, group } = row
    cards.push({ user_id, name, reading, handle: handle!, group, code, link })
  }
  return { cards, expires_at }
}

async function createMember(context: ListContext, tx: Tx, row: CheckedRow, password_hash: string) {
  const { name, reading, handle } = row
  const account = { name, reading, handle, email: null, password_hash, isFirstAdmin: false }
  const { id } = await createAccount(context, tx, account)
  // Ends the limits for new members at once, because the admin who wrote the list knows the member.
  await insertKnown(tx, id, context.me.id)
  await securityLog.record(tx, id, 'created_by_admin', { actor_id: context.me.id })
  return id
}

/** The old cards become invalid. Leaves out a member who has logged in since the caller read the list. */
async function createNewCards(
  context: MemberContext,
  tx: Tx,
  members: readonly UnusedCardRow[],
  days: number,
): Promise<NewCards> {
  const cards: NewCard[] = []
  let expires_at = isoNow()
  for (const member of members) {
    const { code, link, columns } = logInCards.createCode(context, days)
    const { numUpdatedRows } = await tx
      .updateTable('member_cards')
      .set(columns)
      .where('user_id', '=', member.user_id)
      .where('used_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) continue
    await securityLog.record(tx, member.user_id, 'card_created', { actor_id: context.me.id })
    expires_at = columns.expires_at
    cards.push({ ...member, code, link })
  }
  return { cards, expires_at }
}

/** Deletes the list of a member to which nobody else belongs. */
export async function removeWithMember(tx: Tx, user_id: number) {
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
  /** The list, or the member, whose unused cards are replaced. */
  id: number
  days: number
}

/** For all members who have not logged in yet. 404 if there is no such list. */
export const renew = (context: MemberContext, { id, days }: RenewedCards) =>
  transaction(context.db, async (tx) => {
    await credentials.lockAll(tx)
    await requireAdmin(tx, context.me.id)
    return createNewCards(context, tx, await read.unusedCards(tx, id), days)
  })

/** 404 if there is no such member, or if the member has no unused card. */
export const renewOne = (context: MemberContext, { id, days }: RenewedCards) =>
  transaction(context.db, async (tx) => {
    await credentials.lockAll(tx)
    await requireAdmin(tx, context.me.id)
    const created = await createNewCards(context, tx, await read.requireUnusedCard(tx, id), days)
    if (!created.cards.length) throw httpErrors.notFound()
    return created
  })
