import { sql } from 'kysely'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { createWasAdminAtTimeSql } from '#features/people/admins.ts'
import { unsuspendedMemberIdsSql } from '#features/people/deletion.ts'

const MAX_OWNED_GROUPS_AT_REPAIR = 20

/**
 * Gives a new owner to each group that a member owned and that now has no owner; part of a database
 * migration. Earlier versions chose no successor, so a group had no owner any more after its owner had left
 * or had deleted the account.
 *
 * A group that an admin created has no owner either, and stays so. The function treats a group as one that a
 * member owned if its history names an owner, or if it was created when members could create groups (since
 * the migration “chat groups 1”) by somebody who was no admin then. The new owner is chosen as in
 * group-owners.ts: the longest-standing member who is not suspended and owns fewer than 20 groups. The
 * function has its own SQL, because a migration must not change with the code.
 */
export async function giveOwnerlessGroupsAnOwnerInMigration(tx: Tx) {
  for (const { id } of await listLostGroups(tx)) {
    const owner = await findLongestStandingMember(tx, id)
    if (owner === undefined) continue
    await sql`update conversations set owner_id = ${owner} where id = ${id}`.execute(tx)
    await sql`insert into group_changes (conversation_id, kind, user_id, created_at)
      values (${id}, 'owner', ${owner}, ${currentIsoTime()})`.execute(tx)
  }
}

async function listLostGroups(tx: Tx) {
  const { rows } = await sql<{ id: number }>`select c.id from conversations c
    where c.pair is null and c.owner_id is null and (
      exists (select 1 from group_changes g where g.conversation_id = c.id and g.kind = 'owner')
      or (c.created_by is not null
        and c.created_at > (select done_at from migrations where name = 'chat groups 1')
        and not ${sql.raw(createWasAdminAtTimeSql('c.created_by', 'c.created_at'))}))
    order by c.id`.execute(tx)
  return rows
}

async function findLongestStandingMember(tx: Tx, group: number) {
  const { rows } = await sql<{ user_id: number }>`select m.user_id from conversation_members m
    where m.conversation_id = ${group} and m.user_id in (${sql.raw(unsuspendedMemberIdsSql)})
      and (select count(*) from conversations owned where owned.owner_id = m.user_id)
        < ${sql.lit(MAX_OWNED_GROUPS_AT_REPAIR)}
    order by m.created_at, m.user_id limit 1`.execute(tx)
  return rows[0]?.user_id
}
