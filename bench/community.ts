import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrations } from '#app.ts'
import { migrate } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { chats, follows, lastRead, people, posts } from './community-rows.ts'
import { type Reader, readersOf, type Size } from './community-size.ts'

export interface Community {
  folder: string
  file: string
  size: Size
  readers: readonly Reader[]
  /** Whether this run made the community; false where an earlier run did. */
  isNew: boolean
}

/** Where communities, and what a run works on, are kept: on the file system that is measured. */
export function benchFolder() {
  const folder = process.env.BENCH_DIR ?? join(tmpdir(), 'engawa-bench')
  mkdirSync(folder, { recursive: true })
  return folder
}

/**
 * Says in a sentence how much disk space is missing for a community and for the copy that the bench writes
 * to. Null where there is enough.
 */
export function missingRoom({ members, posts, likes, messages, follows }: Size) {
  const needed = 2 * (posts * 330 + likes * 75 + messages * 350 + members * (follows * 60 + 3000))
  const { bavail, bsize } = statfsSync(benchFolder())
  const gigabytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GB`
  return needed < bavail * bsize
    ? null
    : `it takes ${gigabytes(needed)}, and ${benchFolder()} has ${gigabytes(bavail * bsize)}`
}

/**
 * Opens the community of a size, in a folder of its own. Makes it where it does not exist yet, which takes
 * seconds for each million rows.
 */
export async function community(size: Size, parent = join(benchFolder(), 'communities')): Promise<Community> {
  const version = versionOf()
  const folder = join(parent, `${Object.values(size).join('-')}-${version}`)
  const isNew = !existsSync(folder)
  if (isNew) {
    mkdirSync(parent, { recursive: true })
    const making = mkdtempSync(join(parent, 'making-'))
    await make(join(making, 'engawa.db'), size)
    renameSync(making, folder)
  }
  const file = join(folder, 'engawa.db')
  refreshSessions(file)
  return { folder, file, size, readers: readersOf(size), isNew }
}

/** Refreshes all sessions, so that none has ended and no answer renews a cookie. */
function refreshSessions(file: string) {
  const db = new DatabaseSync(file)
  const at = new Date().toISOString()
  db.prepare('update sessions set created_at = ?, refreshed_at = ?').run(at, at)
  db.close()
}

/** A hash of the code that makes communities, and of the migrations. */
function versionOf() {
  const hash = createHash('sha256').update(migrations.map(Object.keys).join())
  for (const name of ['community', 'community-rows', 'community-size', 'community-texts', 'random'])
    hash.update(readFileSync(join(import.meta.dirname, `${name}.ts`)))
  return hash.digest('hex').slice(0, 8)
}

async function make(file: string, size: Size) {
  const database = openSqlite(file)
  await migrate(database.db, migrations)
  await database.close()
  const db = new DatabaseSync(file)
  db.exec(
    `pragma journal_mode = off; pragma synchronous = off; pragma foreign_keys = off;
     pragma cache_size = -500000; pragma temp_store = memory; pragma threads = 2`,
  )
  const indexes = db
    .prepare("select name, sql from sqlite_master where type = 'index' and sql is not null")
    .all() as { name: string; sql: string }[]
  for (const { name } of indexes) db.exec(`drop index "${name}"`)
  for (const fill of [people, follows, posts, chats]) {
    db.exec('begin')
    fill(db, size)
    db.exec('commit')
  }
  for (const { sql } of indexes) db.exec(sql)
  lastRead(db)
  db.exec('pragma journal_mode = wal')
  db.close()
}
