import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { allMigrations } from '#app.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import * as rows from './rows.ts'
import { feedReaders, type Reader, type Size } from './sizes.ts'

export interface Community {
  folder: string
  file: string
  size: Size
  readers: readonly Reader[]
  /** Whether this run has made it. */
  isNew: boolean
}

/** The folder for communities and their copies, whose file system is measured. */
export function benchFolder() {
  const folder = process.env.BENCH_DIR ?? join(tmpdir(), 'engawa-bench')
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Says how much space a community and a copy of it need, if the disk does not have it. */
export function missingSpace({ members, posts, likes, messages, follows, notifications }: Size) {
  const bytes = posts * 330 + likes * 75 + messages * 350 + notifications * 200
  const needed = 2 * (bytes + members * (follows * 60 + 3000))
  const { bavail, bsize } = statfsSync(benchFolder())
  const gigabytes = (count: number) => `${(count / 2 ** 30).toFixed(1)} GB`
  return needed < bavail * bsize
    ? null
    : `it takes ${gigabytes(needed)}, and ${benchFolder()} has ${gigabytes(bavail * bsize)}`
}

/** Opens the community of a size, or makes it, which takes a few seconds for each million rows. */
export async function openCommunity(
  size: Size,
  parent = join(benchFolder(), 'communities'),
): Promise<Community> {
  const folder = join(parent, `${Object.values(size).join('-')}-${version()}`)
  const isNew = !existsSync(folder)
  if (isNew) {
    mkdirSync(parent, { recursive: true })
    const making = mkdtempSync(join(parent, 'making-'))
    await make(join(making, 'engawa.db'), size)
    renameSync(making, folder)
  }
  const file = join(folder, 'engawa.db')
  refreshSessions(file)
  return { folder, file, size, readers: feedReaders(size), isNew }
}

/** No session is expired, and no answer renews a cookie. */
function refreshSessions(file: string) {
  const db = new DatabaseSync(file)
  const at = new Date().toISOString()
  db.prepare('update sessions set created_at = ?, refreshed_at = ?').run(at, at)
  db.close()
}

/** A new migration, or a change of the code that makes communities, makes new ones. */
function version() {
  const hash = createHash('sha256').update(allMigrations.map(Object.keys).join())
  for (const name of ['community', 'rows', 'sizes', 'random'])
    hash.update(readFileSync(join(import.meta.dirname, `${name}.ts`)))
  return hash.digest('hex').slice(0, 8)
}

async function make(file: string, size: Size) {
  const database = openSqlite(file)
  await runMigrations(database.db, allMigrations)
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
  for (const insert of [
    rows.insertUsers,
    rows.insertFollows,
    rows.insertPosts,
    rows.insertChats,
    rows.insertNotifications,
  ]) {
    db.exec('begin')
    insert(db, size)
    db.exec('commit')
  }
  for (const { sql } of indexes) db.exec(sql)
  rows.setReadMarks(db)
  db.exec('pragma journal_mode = wal')
  db.close()
}
