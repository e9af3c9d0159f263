import { sql } from 'kysely'
import type { PageParams } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { paged } from '#core/http/pagination.ts'
import { authorsSince, type Statistics } from '#core/statistics.ts'

/** Only groups have no pair. The index of those rows is a small part of the index of all conversations. */
const groups = (db: Db) => db.selectFrom('conversations as c').where('pair', 'is', null)

/** All groups for admins, the newest first. */
export async function allGroups(db: Db, { before, after, limit }: PageParams) {
  const rows = await groups(db)
    .select(['id', 'name', 'created_at'])
    .select((query) =>
      query
        .selectFrom('members')
        .select(sql<number>`count(*)`.as('count'))
        .whereRef('conversation_id', '=', 'c.id')
        .as('members_count'),
    )
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .$if(after !== undefined, (query) => query.where('id', '>', after!))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return paged(
    rows,
    limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(({ name, members_count, ...row }) => ({
        ...row,
        name: name!,
        members_count: members_count!,
      })),
  )
}

export const statistics: Statistics = {
  counts: (db) => groups(db).select(sql<number>`count(*)`.as('groups')).executeTakeFirstOrThrow(),
  authors: (since) => authorsSince('messages', since),
}
