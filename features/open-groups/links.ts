import type { MemberContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { hashToken, randomToken } from '#core/secrets/crypto.ts'
import { lockManagedGroup } from '#features/groups/managers.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import { LINK_DAYS } from './contract.ts'
import * as read from './read.ts'
import * as requests from './requests.ts'

// Whoever has the link of a group is invited by who made it: they join without asking, also a group that is in no
// list. The database has only the hash of its token.

export const create = (context: SessionContext, group_id: number) =>
  transaction(context.db, async (tx) => {
    await lockManagedGroup(context, tx, group_id)
    const token = randomToken()
    const created_at = isoNow()
    const expires_at = new Date(Date.now() + LINK_DAYS * 24 * 3600_000).toISOString()
    const row = { token_hash: hashToken(token), created_by: context.me.id, created_at, expires_at }
    await tx
      .insertInto('group_links')
      .values({ group_id, ...row })
      .onConflict((conflict) => conflict.column('group_id').doUpdateSet(row))
      .execute()
    return { token, expires_at }
  })

export const end = (context: SessionContext, group: number) =>
  transaction(context.db, async (tx) => {
    await lockManagedGroup(context, tx, group)
    await remove(tx, group)
  })

/** Also when another member owns the group: the link was made with a right that its maker has lost. */
export const remove = (tx: Tx, group: number) =>
  tx.deleteFrom('group_links').where('group_id', '=', group).execute()

/** 404 if it cannot be used (any more). */
export async function groupOf(db: Db, token: string) {
  const row = await db
    .selectFrom('group_links')
    .select('group_id')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', isoNow())
    .executeTakeFirst()
  if (!row) throw notUsable()
  return row.group_id
}

/** 404 also if the viewer may not see the owner of the group. */
export async function open(viewer: MemberContext, token: string) {
  const group = await read.findLinked(viewer, await groupOf(viewer.db, token))
  if (!group) throw notUsable()
  return group
}

/** The caller holds the lock of the group. */
export const join = (context: MemberContext, group: number, token: string) =>
  requests.join(context, group, async (tx) => {
    if ((await groupOf(tx, token)) !== group) throw notUsable()
  })

const notUsable = () =>
  new HttpError(404, {
    en: 'This link cannot be used any more. Please ask for a new one.',
    ja: 'このリンクは使えなくなりました。新しいリンクをもらってください。',
  })
