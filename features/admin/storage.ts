import { type RawBuilder, sql } from 'kysely'
import { sumKeptBackupFilesAndBytes } from '#core/backup/history.ts'
import type { AppContext } from '#core/context.ts'
import type { Db } from '#core/database/database.ts'
import { readDatabaseFacts } from '#core/database/facts.ts'
import type { FileOwnerAndSize, MemberFileKindAndSizeQueryBuilder } from '#core/statistics.ts'
import { buildUnfilteredPersonAndHandleRowsQuery } from '#features/people/accounts.ts'
import { toPersonFromRow } from '#features/people/read.ts'
import type { StorageUseByKindAndMember } from './health-contract.ts'

/**
 * The maximum number of members whom `readStorageUseByKindAndMember` lists as those whose files take the most
 * space.
 */
const MAX_MEMBERS = 10

/**
 * Returns the sizes of all kinds of stored data, the largest first, and the members whose files take the
 * most space. Reads the sizes from the database and does not look at the files, because there may be very
 * many.
 */
export async function readStorageUseByKindAndMember(
  { db, media }: Pick<AppContext, 'db' | 'media'>,
  stored: readonly MemberFileKindAndSizeQueryBuilder[],
): Promise<StorageUseByKindAndMember> {
  const { bytes } = await readDatabaseFacts(db)
  const kinds: StorageUseByKindAndMember['kinds'] = [
    { kind: 'database', bytes, files: null },
    { kind: 'backups', ...(await sumKeptBackupFilesAndBytes(db)) },
  ]
  for (const { kind, buildQuery } of stored) kinds.push({ kind, ...(await sumFiles(db, buildQuery())) })
  const largest = await listLargestOwners(
    db,
    stored.map(({ buildQuery }) => buildQuery()),
  )
  const ids = largest.map(({ user_id }) => user_id)
  const rows = ids.length
    ? await buildUnfilteredPersonAndHandleRowsQuery(db).where('users.id', 'in', ids).execute()
    : []
  const people = new Map(rows.map((row) => [row.id, toPersonFromRow(media, row)]))
  return {
    kinds: kinds.toSorted((a, b) => b.bytes - a.bytes),
    members: largest.flatMap(({ user_id, bytes }) => {
      const person = people.get(user_id)
      return person ? [{ person, bytes }] : []
    }),
  }
}

async function sumFiles(db: Db, files: RawBuilder<FileOwnerAndSize>) {
  const { rows } = await sql<{ bytes: number; files: number }>`
    select cast(coalesce(sum(bytes), 0) as bigint) as bytes, count(*) as files from (${files}) as stored
  `.execute(db)
  return rows[0]!
}

async function listLargestOwners(db: Db, queries: readonly RawBuilder<FileOwnerAndSize>[]) {
  if (!queries.length) return []
  const all = sql.join(queries, sql` union all `)
  const { rows } = await sql<{ user_id: number; bytes: number }>`
    select user_id, cast(sum(bytes) as bigint) as bytes from (${all}) as stored
    group by user_id order by sum(bytes) desc, user_id limit ${MAX_MEMBERS}`.execute(db)
  return rows
}
