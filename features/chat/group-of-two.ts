import { sql } from 'kysely'
import { ContactNotAllowedError, runTransactionOrRequestContact } from '#core/contacts.ts'
import type { MemberContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import { lockAndRequireManagedGroup } from './group-managers.ts'

// A group of only two members who are kept apart (`contacts.apart`) would be a private chat by another name.

/**
 * Returns the id of the other member if the current member and one person who is kept apart from them are
 * the only two members of the group; otherwise undefined.
 */
export async function findOnlyOtherMemberKeptApart(
  { me, contacts }: MemberContext,
  tx: Tx,
  group: number,
): Promise<number | undefined> {
  const apart = contacts.apart(me.id)
  if (!apart) return undefined
  const { rows } = await sql<{ user_id: number }>`
    select m.user_id from conversation_members m
    join conversation_members mine on mine.conversation_id = m.conversation_id and mine.user_id = ${me.id}
    where m.conversation_id = ${group} and m.user_id in (${apart})
      and (select count(*) from conversation_members where conversation_id = ${group}) = 2`.execute(tx)
  return rows[0]?.user_id
}

/** Throws `ContactNotAllowedError` if `findOnlyOtherMemberKeptApart` finds somebody. */
export async function requireNotOnlyTwoKeptApart(context: MemberContext, tx: Tx, group: number) {
  const other = await findOnlyOtherMemberKeptApart(context, tx, group)
  if (other !== undefined) throw new ContactNotAllowedError(other)
}

type ManagedGroup = Awaited<ReturnType<typeof lockAndRequireManagedGroup>>

/**
 * Changes what a group shows its members, in a transaction and with the checks of
 * `lockAndRequireManagedGroup`. Throws 403, as a private message would, if the group is only of the current
 * member and a person who is kept apart from them.
 */
export const changeManagedGroup = <T>(
  context: SessionContext,
  group: number,
  change: (tx: Tx, row: ManagedGroup) => Promise<T>,
) =>
  runTransactionOrRequestContact(context, 'first_message', async (tx) => {
    const row = await lockAndRequireManagedGroup(context, tx, group)
    await requireNotOnlyTwoKeptApart(context, tx, group)
    return change(tx, row)
  })
