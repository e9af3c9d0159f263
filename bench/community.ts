import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { allMigrations } from '#app.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import {
  insertBenchChatsAndMessages,
  insertBenchFollows,
  insertBenchNotifications,
  insertBenchPostsAndLikes,
  insertBenchUsersAndSessions,
  setBenchReadMarks,
} from './community-rows.ts'
import {
  type BenchCommunitySize,
  type BenchFeedReaderIdAndFolloweeCount,
  listBenchFeedReaders,
} from './community-size.ts'

export interface BenchCommunity {
  folder: string
  file: string
  size: BenchCommunitySize
  readers: readonly BenchFeedReaderIdAndFolloweeCount[]
  /** True if this run of the bench has created the community, false if an earlier run has. */
  isNew: boolean
}

/**
 * Creates the folder (BENCH_DIR) for communities and temporary files if it does not exist, and returns its
 * path. The bench measures the file system of this folder.
 */
export function ensureBenchRootFolder() {
  const folder = process.env.BENCH_DIR ?? join(tmpdir(), 'engawa-bench')
  mkdirSync(folder, { recursive: true })
  return folder
}

/**
 * Returns null if the disk has enough space for a bench community and a copy of it. Otherwise returns a text
 * that says how much space they need.
 */
export function describeMissingDiskSpaceForBench({
  members,
  posts,
  likes,
  messages,
  follows,
  notifications,
}: BenchCommunitySize) {
  const rows = posts * 330 + likes * 75 + messages * 350 + notifications * 200
  const needed = 2 * (rows + members * (follows * 60 + 3000))
  const { bavail, bsize } = statfsSync(ensureBenchRootFolder())
  const gigabytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GB`
  return needed < bavail * bsize
    ? null
    : `it takes ${gigabytes(needed)}, and ${ensureBenchRootFolder()} has ${gigabytes(bavail * bsize)}`
}

/**
 * Returns the bench community of a size. Each size has its own folder. Creates the community if it does not
 * exist yet, which takes a few seconds for each million rows.
 */
export async function findOrCreateBenchCommunity(
  size: BenchCommunitySize,
  parent = join(ensureBenchRootFolder(), 'communities'),
): Promise<BenchCommunity> {
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
  return { folder, file, size, readers: listBenchFeedReaders(size), isNew }
}

/** Sets the times of all sessions to now, so that none is expired and no response renews a cookie. */
function refreshSessions(file: string) {
  const db = new DatabaseSync(file)
  const at = new Date().toISOString()
  db.prepare('update sessions set created_at = ?, refreshed_at = ?').run(at, at)
  db.close()
}

/**
 * Returns a hash of the names of the migrations and of the code that creates bench communities. A new
 * migration or a change of this code makes the bench create new communities.
 */
function versionOf() {
  const hash = createHash('sha256').update(allMigrations.map(Object.keys).join())
  for (const name of ['community', 'community-rows', 'community-size', 'community-texts', 'random'])
    hash.update(readFileSync(join(import.meta.dirname, `${name}.ts`)))
  return hash.digest('hex').slice(0, 8)
}

async function make(file: string, size: BenchCommunitySize) {
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
  for (const fill of [
    insertBenchUsersAndSessions,
    insertBenchFollows,
    insertBenchPostsAndLikes,
    insertBenchChatsAndMessages,
    insertBenchNotifications,
  ]) {
    db.exec('begin')
    fill(db, size)
    db.exec('commit')
  }
  for (const { sql } of indexes) db.exec(sql)
  setBenchReadMarks(db)
  db.exec('pragma journal_mode = wal')
  db.close()
}
