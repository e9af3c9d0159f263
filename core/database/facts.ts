import { sql } from 'kysely'
import { type Db, isPostgres } from '#core/database/database.ts'

export interface DatabaseFacts {
  kind: 'SQLite' | 'PostgreSQL'
  version: string
  /** The size of all tables and indexes, in bytes. For SQLite this is the size of the file. */
  bytes: number
}

export async function readFacts(db: Db): Promise<DatabaseFacts> {
  const query = isPostgres(db)
    ? sql<{ version: string; bytes: number }>`
        select split_part(current_setting('server_version'), ' ', 1) as version,
          pg_database_size(current_database()) as bytes`
    : sql<{ version: string; bytes: number }>`
        select sqlite_version() as version, page_count * page_size as bytes
        from pragma_page_count(), pragma_page_size()`
  const { rows } = await query.execute(db)
  return { kind: isPostgres(db) ? 'PostgreSQL' : 'SQLite', ...rows[0]! }
}

/** Reads the clock of the database, in ms since 1970. SQLite uses the clock of this machine. */
export async function readTime(db: Db) {
  const query = isPostgres(db)
    ? sql<{ now: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`
    : sql<{ now: number }>`select unixepoch('now', 'subsec') * 1000 as now`
  const { rows } = await query.execute(db)
  return rows[0]!.now
}
