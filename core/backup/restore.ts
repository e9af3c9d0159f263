import { existsSync, mkdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  AT_ONCE,
  type BackupFacts,
  checkBackup,
  copyOnDisk,
  picturesOf,
  pourInto,
  sync,
  tallyOfFile,
  writeOnDisk,
} from '#core/backup/backup.ts'
import { carry, copyToFile, heldBy, refuseDamage, standing, type Tally, tally } from '#core/backup/copy.ts'
import { BadSetting } from '#core/config.ts'
import { lockDataFolder } from '#core/database/data-folder.ts'
import { type Db, type Migrations, now, type Tx } from '#core/database/database.ts'
import { readSqlite } from '#core/database/sqlite.ts'
import { readTransaction } from '#core/database/transaction.ts'
import { forEachLimit } from '#core/locks.ts'
import type { MediaStorage } from '#core/media/storage.ts'

/** Files in DATA_DIR that sign tokens and links. */
const SECRETS = ['secret', 'pusher-secret']
const DATABASE = ['engawa.db', 'engawa.db-wal', 'engawa.db-shm']

/** Where a community is to be: a folder and, where they are elsewhere, its database and its pictures. */
export interface Home {
  folder: string
  /** PostgreSQL, or null where the database is a file in the folder. */
  db: Db | null
  /** Pictures that are not in the folder; null where they are. */
  store: MediaStorage | null
}

/** The secrets that a folder holds. */
async function secretsIn(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of SECRETS)
    if (existsSync(join(folder, name))) found[name] = await readFile(join(folder, name), 'utf8')
  return found
}

/** Processes that share a database find the secrets in it: where it has the table for them, they go there too. */
async function putSecrets(tx: Tx, tables: Tally, secrets: Readonly<Record<string, string>>) {
  if (!('secrets' in tables)) return
  // The folder of the community that was saved; this one's is another.
  await tx.deleteFrom('secrets').where('name', '=', 'MEDIA_FOLDER').execute()
  for (const [file, text] of Object.entries(secrets)) {
    const row = { name: file.toUpperCase().replace('PUSHER-', 'PUSHER_APP_'), value: text.trim() }
    await tx
      .insertInto('secrets')
      .values(row)
      .onConflict((c) => c.column('name').doUpdateSet(row))
      .execute()
  }
}

const MOVED = 'moved'

/** Throws BadSetting where the community of a folder lives elsewhere since a move: what stayed there grows old. */
export function refuseMoved(folder: string) {
  if (existsSync(join(folder, MOVED)))
    throw new BadSetting(
      `DATA_DIR was moved: set DATABASE_URL, or remove ${join(folder, MOVED)} to go on with what stayed there.`,
    )
}

// ── Restore ─────────────────────────────────────────────────────────────────

const STAGE = 'restoring'
const PARTS = ['engawa.db', 'media', ...SECRETS]

/** Throws BadSetting where a restore into a folder was broken off: what is there is half of it. */
export function refuseHalfRestored(folder: string) {
  if (existsSync(join(folder, STAGE)))
    throw new BadSetting(
      `DATA_DIR holds a restore that was broken off: run \`engawa restore\` again, or remove ${join(folder, STAGE)}.`,
    )
}

/**
 * Puts a backup into a home where nobody lives or, with `overwrite`, in the place of what is there: that is laid aside in the folder,
 * and its name returned. Everything is compared before anything is changed. Broken off, it can be run again.
 */
export async function restore(place: string, home: Home, lists: readonly Migrations[], overwrite: boolean) {
  await checkBackup(place, lists)
  await mkdir(home.folder, { recursive: true, mode: 0o700 })
  const release = lockDataFolder(home.folder)
  try {
    const stage = join(home.folder, STAGE)
    const finished = await finish(home.folder)
    if (finished?.place === place) return { facts: await checkBackup(place, lists), aside: finished.aside }
    await refuseInhabited(place, home, lists, overwrite)
    const aside = join(home.folder, `before-restore-${now().replaceAll(':', '-')}`)
    const facts = await prepare(place, stage, home, lists, aside)
    await sync(stage)
    await finish(home.folder)
    if (!home.db) await rm(join(home.folder, MOVED), { force: true })
    return { facts, aside: existsSync(aside) ? aside : null }
  } finally {
    release()
  }
}

/** From here on the restore is finished, and not begun anew. What fails before leaves the folder as it was. */
async function prepare(
  place: string,
  stage: string,
  home: Home,
  lists: readonly Migrations[],
  aside: string,
) {
  try {
    const facts = await fillStage(place, stage, home, lists)
    if (home.db) await takeDatabase(place, home.db, lists, aside)
    await writeOnDisk(join(stage, 'ready.part'), JSON.stringify({ place, aside }))
    await rename(join(stage, 'ready.part'), join(stage, 'ready'))
    return facts
  } catch (error) {
    await rm(stage, { recursive: true, force: true })
    throw error
  }
}

/** All parts that go into the folder, whole and compared, in a place beside. Pictures that go elsewhere are there afterwards. */
async function fillStage(
  place: string,
  stage: string,
  home: Home,
  lists: readonly Migrations[],
): Promise<BackupFacts> {
  await rm(stage, { recursive: true, force: true })
  await mkdir(stage, { mode: 0o700 })
  const store = home.store ?? stagedStore(stage)
  const there = await sizesIn(store)
  const facts = await pourInto(place, lists, {
    picture: async (name, bytes) => {
      if (there.get(name) !== bytes.length) await store.write(name, bytes)
    },
    secret: async (name, text) => {
      if (SECRETS.includes(name)) await writeOnDisk(join(stage, name), text)
    },
    database: async (file) => {
      if (home.db) return tallyOfFile(file, lists)
      const copy = join(stage, 'engawa.db')
      await copyOnDisk(file, copy)
      refuseDamage(copy)
      return tallyOfFile(copy, lists)
    },
  })
  if (!home.store) await sync(join(stage, 'media'))
  return facts
}

/** Files that nobody sees before they are all there: their folder is brought to disk once, in the end. */
function stagedStore(stage: string): Pick<MediaStorage, 'write' | 'list'> {
  const media = join(stage, 'media')
  mkdirSync(media)
  return {
    write: (name, bytes) => writeOnDisk(join(media, name), bytes),
    async *list() {},
  }
}

/** In one transaction; what the database held before is copied to `aside` first. */
async function takeDatabase(place: string, db: Db, lists: readonly Migrations[], aside: string) {
  const source = readSqlite(join(place, 'engawa.db'))
  try {
    const { tables } = await heldBy(source.db, lists)
    const stands = await standing(db, lists, await tally(source.db, tables))
    if (stands === 'same') return
    if (stands === 'other') {
      await mkdir(aside, { recursive: true, mode: 0o700 })
      await readTransaction(db, (tx) => copyToFile(tx, lists, join(aside, 'engawa.db')))
    }
    const secrets = await secretsIn(place)
    await carry(source.db, db, lists, (tx, copied) => putSecrets(tx, copied, secrets))
  } finally {
    await source.close()
  }
}

/** Moves what is ready into the folder, and what was there aside: the part that may not be left half done, and can be done again. */
async function finish(folder: string): Promise<{ place: string; aside: string } | null> {
  const stage = join(folder, STAGE)
  const text = await readFile(join(stage, 'ready'), 'utf8').catch(() => null)
  if (text === null) return null
  const { place, aside } = JSON.parse(text) as { place: string; aside: string }
  const parts = (await readdir(stage)).filter((name) => PARTS.includes(name))
  for (const part of parts) {
    const old = part === 'engawa.db' ? DATABASE : [part]
    for (const name of old.filter((name) => existsSync(join(folder, name)))) {
      await mkdir(aside, { recursive: true, mode: 0o700 })
      await rename(join(folder, name), join(aside, name))
    }
    await rename(join(stage, part), join(folder, part))
  }
  await sync(folder)
  await rm(stage, { recursive: true })
  return { place, aside }
}

async function refuseInhabited(place: string, home: Home, lists: readonly Migrations[], overwrite: boolean) {
  if (overwrite) return
  const media = join(home.folder, 'media')
  const inFolder = [...DATABASE, ...SECRETS].find((name) => existsSync(join(home.folder, name)))
  const pictures = !home.store && existsSync(media) && (await readdir(media)).length > 0
  if (inFolder || pictures)
    throw new BadSetting(
      `DATA_DIR is not empty: ${home.folder} holds ${inFolder ?? 'media'}. With --overwrite, what is there is moved aside first.`,
    )
  const source = readSqlite(join(place, 'engawa.db'))
  try {
    const wanted = await tally(source.db, (await heldBy(source.db, lists)).tables)
    if (home.db && (await standing(home.db, lists, wanted)) === 'other')
      throw new BadSetting(
        'DATABASE_URL holds a community already. With --overwrite, this one takes its place.',
      )
    if (!home.store) return
    const known = new Set(await picturesOf(source.db))
    for await (const { name } of home.store.list())
      if (!known.has(name))
        throw new BadSetting(
          'MEDIA_URL holds other pictures already. With --overwrite, these go beside them.',
        )
  } finally {
    await source.close()
  }
}

async function sizesIn(store: Pick<MediaStorage, 'list'>) {
  const sizes = new Map<string, number>()
  for await (const { name, bytes } of store.list()) sizes.set(name, bytes)
  return sizes
}

// ── Move ────────────────────────────────────────────────────────────────────

export interface Moved {
  rows: number
  /** Pictures that this run carried, and those that were there from one before. */
  carried: number
  there: number
  missing: readonly string[]
}

/**
 * Carries the SQLite community of `folder` to `db` and, where its pictures are to be elsewhere as well, from `from` to `to`. The folder stays as it is.
 * The rows are one step and each picture is one, so that it goes on where it was broken off. Throws BadSetting where somebody else lives there.
 */
export async function move(
  folder: string,
  db: Db,
  lists: readonly Migrations[],
  pictures: { from: MediaStorage; to: MediaStorage } | null,
): Promise<Moved> {
  const release = lockDataFolder(folder)
  try {
    refuseHalfRestored(folder)
    const source = readSqlite(join(folder, 'engawa.db'))
    try {
      const wanted = await tally(source.db, (await heldBy(source.db, lists)).tables)
      const stands = await standing(db, lists, wanted)
      if (stands === 'other')
        throw new BadSetting('DATABASE_URL holds another community: name a database where nobody lives yet.')
      const moved = pictures
        ? await carryPictures(await picturesOf(source.db), pictures)
        : { carried: 0, there: 0, missing: [] }
      const secrets = await secretsIn(folder)
      if (stands === 'none')
        await carry(source.db, db, lists, (tx, copied) => putSecrets(tx, copied, secrets))
      await writeOnDisk(join(folder, MOVED), Buffer.from('This community lives on PostgreSQL now.\n'))
      return { rows: Object.values(wanted).reduce((sum, { rows }) => sum + rows, 0), ...moved }
    } finally {
      await source.close()
    }
  } finally {
    release()
  }
}

async function carryPictures(
  names: readonly string[],
  { from, to }: { from: MediaStorage; to: MediaStorage },
) {
  const sizes = await sizesIn(to)
  const missing: string[] = []
  let carried = 0
  await forEachLimit(names, AT_ONCE, async (name) => {
    const bytes = await from.read(name)
    if (!bytes) missing.push(name)
    else if (sizes.get(name) !== bytes.length) {
      await to.write(name, bytes)
      if (!(await to.read(name))?.equals(bytes))
        throw new Error(`The picture ${name} is not at its new place what it was.`)
      carried++
    }
  })
  return { carried, there: names.length - carried - missing.length, missing }
}
