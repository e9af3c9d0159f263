import { type RawBuilder, sql } from 'kysely'
import * as backupHistory from '#core/backup/history.ts'
import type { MemberFilesQuery, OwnedFile } from '#core/community/statistics.ts'
import type { AppContext } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import { readFacts } from '#core/database/facts.ts'
import * as accounts from '#features/people/accounts.ts'
import * as persons from '#features/people/read.ts'
import type { StorageUse } from './contract.ts'

const MAX_MEMBERS = 10

/** The largest first. Sizes are read from the database, because there may be very many files. */
export async function getStorageUse(
  { db, media }: Pick<AppContext, 'db' | 'media'>,
  stored: readonly MemberFilesQuery[],
): Promise<StorageUse> {
  const { bytes } = await readFacts(db)
  const kinds: StorageUse['kinds'] = [
    { kind: 'database', bytes, files: null },
    { kind: 'backups', ...(await backupHistory.sumKept(db)) },
  ]
  for (const { kind, buildQuery } of stored) kinds.push({ kind, ...(await sumFiles(db, buildQuery())) })
  const largest = await listLargestOwners(
    db,
    stored.map(({ buildQuery }) => buildQuery()),
  )
  const ids = largest.map(({ user_id }) => user_id)
  const rows = ids.length ? await accounts.personRows(db).where('users.id', 'in', ids).execute() : []
  const people = new Map(rows.map((row) => [row.id, persons.fromRow(media, row)]))
  return {
    kinds: kinds.toSorted((a, b) => b.bytes - a.bytes),
    members: largest.flatMap(({ user_id, bytes }) => {
      const person = people.get(user_id)
      return person ? [{ person, bytes }] : []
    }),
  }
}

async function sumFiles(db: Db, files: RawBuilder<OwnedFile>) {
  const { rows } = await sql<{ bytes: number; files: number }>`
    select cast(coalesce(sum(bytes), 0) as bigint) as bytes, count(*) as files from (${files}) as stored
  `.execute(db)
  return rows[0]!
}

async function listLargestOwners(db: Db, queries: readonly RawBuilder<OwnedFile>[]) {
  if (!queries.length) return []
  const all = sql.join(queries, sql` union all `)
  const { rows } = await sql<{ user_id: number; bytes: number }>`
    select user_id, cast(sum(bytes) as bigint) as bytes from (${all}) as stored
    group by user_id order by sum(bytes) desc, user_id limit ${MAX_MEMBERS}`.execute(db)
  return rows
}
