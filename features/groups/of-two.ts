import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { ContactNotAllowed, withContact } from '#core/feature/contacts.ts'
import type { SessionContext } from '#features/people/session-confirmation.ts'
import { lockManagedGroup } from './managers.ts'

// A group of only two members who are kept apart (`contacts.apart`) would be a private chat by another name.

/** The other member, if the group has only the current member and a person who is kept apart from them. */
export async function findKeptApart(
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

export async function requireNotApart(context: MemberContext, tx: Tx, group: number) {
  const other = await findKeptApart(context, tx, group)
  if (other !== undefined) throw new ContactNotAllowed(other)
}

type ManagedGroup = Awaited<ReturnType<typeof lockManagedGroup>>

/**
 * With the checks of `lockManagedGroup`. 403, as for a private message, in a group of two kept
 * apart.
 */
export const changeGroup = <T>(
  context: SessionContext,
  group: number,
  change: (tx: Tx, row: ManagedGroup) => Promise<T>,
) =>
  withContact(context, 'first_message', async (tx) => {
    const row = await lockManagedGroup(context, tx, group)
    await requireNotApart(context, tx, group)
    return change(tx, row)
  })
