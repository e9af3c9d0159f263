import { sql } from 'kysely'
import { isoNow, type Tx } from '#core/database/database.ts'
import { wasAdminSql } from '#features/people/admins.ts'
import { activeIdsSql } from '#features/people/deletion.ts'

const MAX_OWNED = 20

/**
 * Earlier versions chose no successor, so a group had no owner after its owner had left or deleted the
 * account. A group that an admin created has no owner either, and stays so: this repairs only groups whose
 * history names an owner, or that were created since “chat groups 1” by somebody who was no admin then. The
 * new owner is chosen as in owners.ts. The SQL is its own, because a migration must not change with the
 * code.
 */
export async function repairOwners(tx: Tx) {
  for (const { id } of await listLostGroups(tx)) {
    const owner = await findNewOwner(tx, id)
    if (owner === undefined) continue
    await sql`update conversations set owner_id = ${owner} where id = ${id}`.execute(tx)
    await sql`insert into group_changes (conversation_id, kind, user_id, created_at)
      values (${id}, 'owner', ${owner}, ${isoNow()})`.execute(tx)
  }
}

async function listLostGroups(tx: Tx) {
  const { rows } = await sql<{ id: number }>`select c.id from conversations c
    where c.pair is null and c.owner_id is null and (
      exists (select 1 from group_changes g where g.conversation_id = c.id and g.kind = 'owner')
      or (c.created_by is not null
        and c.created_at > (select done_at from migrations where name = 'chat groups 1')
        and not ${sql.raw(wasAdminSql('c.created_by', 'c.created_at'))}))
    order by c.id`.execute(tx)
  return rows
}

async function findNewOwner(tx: Tx, group: number) {
  const { rows } = await sql<{ user_id: number }>`select m.user_id from conversation_members m
    where m.conversation_id = ${group} and m.user_id in (${sql.raw(activeIdsSql)})
      and (select count(*) from conversations owned where owned.owner_id = m.user_id)
        < ${sql.lit(MAX_OWNED)}
    order by m.created_at, m.user_id limit 1`.execute(tx)
  return rows[0]?.user_id
}
