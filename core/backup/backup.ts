import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { chmod, link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { backup as copyPages } from 'node:sqlite'
import * as v from 'valibot'
import {
  copyToFile,
  difference,
  heldBy,
  oneFile,
  refuseDamage,
  refuseDifference,
  type Tally,
  tally,
} from '#core/backup/copy.ts'
import { BadSetting } from '#core/config.ts'
import { lockDataFolder } from '#core/database/data-folder.ts'
import { type Db, type Migrations, now } from '#core/database/database.ts'
import { readSqlite } from '#core/database/sqlite.ts'
import { readTransaction } from '#core/database/transaction.ts'
import { parseJson } from '#core/json.ts'
import { forEachLimit } from '#core/locks.ts'
import type { MediaStorage } from '#core/media/storage.ts'

/*
 * A backup is a folder: engawa.db (SQLite, whatever it was made from), media/, the secrets, SHA256SUMS as sha256sum writes it
 * over all of these, and backup.json.
 */
const Facts = v.object({
  format: v.literal(1),
  version: v.string(),
  made_at: v.string(),
  made_from: v.picklist(['sqlite', 'postgres']),
  migrations: v.array(v.string()),
  tables: v.record(v.string(), v.object({ rows: v.number(), hash: v.string() })),
  pictures: v.object({ files: v.number(), bytes: v.number() }),
  /** Of pictures that the database speaks of, but that were not there when it was made. */
  missing: v.array(v.string()),
  /** SHA-256 of SHA256SUMS. */
  sums: v.string(),
})
export type BackupFacts = v.InferOutput<typeof Facts>
type Sums = ReadonlyMap<string, string>

export interface Origin {
  /** The file of a SQLite community, or the database of one on PostgreSQL. */
  database: { file: string } | { db: Db }
  store: MediaStorage
  /** Names and contents of what signs tokens and links. */
  secrets: Readonly<Record<string, string>>
  lists: readonly Migrations[]
  /** Of this program. */
  version: string
}

export interface Made {
  place: string
  bytes: number
  files: number
  rows: number
  missing: readonly string[]
}

const GOOD = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/
const UNFINISHED = '.unfinished-'
/** How many moments are tried for one of whose pictures none vanishes while it is fetched. */
const TRIES = 100
/** Pictures that are read and written at once: most of the time is waited for disks and networks. */
export const AT_ONCE = 8

/**
 * Makes a backup in a new folder of `folder`, named by the moment, and proves it: what would be restored is compared with what was saved,
 * and only then has the folder its name. Whatever is broken off or fails leaves none. Throws BadSetting where another is being made there.
 */
export async function makeBackup(origin: Origin, folder: string): Promise<Made> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = lockDataFolder(folder, { refusal: `A backup is being made in ${folder} already.` })
  try {
    await removeUnfinished(folder)
    const name = now().replaceAll(':', '-')
    const part = join(folder, UNFINISHED + name)
    try {
      const facts = await fill(part, origin, await latestIn(folder))
      await prove(part, origin.lists)
      await rename(part, join(folder, name))
      await sync(folder)
      const rows = Object.values(facts.tables).reduce((sum, table) => sum + table.rows, 0)
      const { size } = await stat(join(folder, name, 'engawa.db'))
      return {
        place: join(folder, name),
        bytes: facts.pictures.bytes + size,
        files: facts.pictures.files,
        rows,
        missing: facts.missing,
      }
    } catch (error) {
      await rm(part, { recursive: true, force: true }).catch(() => {}) // the next one removes it
      throw error
    }
  } finally {
    release()
  }
}

/** Removes a good backup; broken off, it is none any more. */
export async function removeBackup(place: string) {
  if (!existsSync(place)) return
  const going = join(dirname(place), `${UNFINISHED}${now().replaceAll(':', '-')}-old`)
  await rename(place, going)
  await rm(going, { recursive: true, force: true })
}

async function removeUnfinished(folder: string) {
  for (const name of await readdir(folder))
    if (name.startsWith(UNFINISHED)) await rm(join(folder, name), { recursive: true, force: true })
}

async function fill(part: string, origin: Origin, previous: string | null): Promise<BackupFacts> {
  await mkdir(join(part, 'media'), { recursive: true, mode: 0o700 })
  const pictures = openPictures(
    origin.store,
    part,
    previous ? { place: previous, sums: await readSums(previous).catch(() => new Map()) } : null,
  )
  const { sums } = pictures
  // Most of them now, so that few are left for the moment that is kept.
  await pictures.fetch(await atMoment(origin, picturesOf))
  const copied = await copyWithPictures(origin, part, pictures)
  for (const [name, text] of Object.entries(origin.secrets)) {
    await writeOnDisk(join(part, name), text)
    sums.set(name, sha256(text))
  }
  sums.set('engawa.db', await hashOf(join(part, 'engawa.db')))
  const text = [...sums].map(([name, hash]) => `${hash}  ${name}\n`).join('')
  await writeOnDisk(join(part, 'SHA256SUMS'), text)
  const facts: BackupFacts = {
    format: 1,
    version: origin.version,
    made_at: now(),
    made_from: 'db' in origin.database ? 'postgres' : 'sqlite',
    migrations: copied.migrations,
    tables: copied.tally,
    pictures: await weigh(join(part, 'media')),
    missing: copied.missing,
    sums: sha256(text),
  }
  await writeOnDisk(join(part, 'backup.json'), `${JSON.stringify(facts, null, 2)}\n`)
  for (const path of [join(part, 'media'), part]) await sync(path)
  return facts
}

// ── The database ────────────────────────────────────────────────────────────

/** Runs `work` on the database as it is at one moment, while others write. */
function atMoment<T>(
  { database, lists }: Origin,
  work: (db: Db, copy: (file: string) => Promise<Copied>) => Promise<T>,
): Promise<T> {
  if ('db' in database)
    return readTransaction(database.db, (tx) => work(tx, (file) => copyToFile(tx, lists, file)))
  const source = readSqlite(database.file)
  return work(source.db, (file) => copySqlite(source, file, lists)).finally(source.close)
}

interface Copied {
  migrations: string[]
  tally: Tally
}

/**
 * Copies the database as it is at a moment all of whose pictures could be fetched. Where somebody deletes one in between, another moment is taken;
 * one that is not there at two moments, though both speak of it, is lost, and named as missing.
 */
async function copyWithPictures(
  origin: Origin,
  part: string,
  pictures: Pictures,
): Promise<Copied & { missing: string[] }> {
  const copy = join(part, 'engawa.db')
  let before: readonly string[] = []
  for (let tries = 1; ; tries++) {
    const copied = await atMoment(origin, async (db, copyTo) => {
      const missing = await pictures.fetch(await picturesOf(db))
      if (tries < TRIES && missing.some((name) => !before.includes(name))) {
        before = missing
        return null
      }
      return { ...(await copyTo(copy)), missing }
    })
    if (!copied) continue
    await chmod(copy, 0o600)
    await sync(copy)
    return copied
  }
}

/** By pages, out of the open read transaction of `source`: what others write meanwhile is in neither. */
async function copySqlite(
  source: ReturnType<typeof readSqlite>,
  copy: string,
  lists: readonly Migrations[],
): Promise<Copied> {
  await copyPages(source.sqlite, copy, { rate: 1000 })
  oneFile(copy)
  const { migrations, tables } = await heldBy(source.db, lists)
  const expected = await tally(source.db, tables)
  refuseDifference(expected, await tallyOfFile(copy, lists))
  return { migrations, tally: expected }
}

export async function tallyOfFile(file: string, lists: readonly Migrations[]) {
  const { db, close } = readSqlite(file)
  try {
    return await tally(db, (await heldBy(db, lists)).tables)
  } finally {
    await close()
  }
}

/** Names of the files of all pictures that a database speaks of. */
export async function picturesOf(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('media').select(['name', 'widths']).orderBy('name').execute()
  return rows.flatMap(({ name, widths }) => widths.split(',').map((width) => `${name}-${width}.webp`))
}

// ── Pictures ────────────────────────────────────────────────────────────────

interface Pictures {
  /** The names in the backup, with their hashes; these are pictures, others come later. */
  sums: Map<string, string>
  /** Fetches those of `wanted` that are not in the backup, and removes others from it. Returns the names of those that are not there. */
  fetch(wanted: readonly string[]): Promise<string[]>
}

function openPictures(
  store: MediaStorage,
  part: string,
  previous: { place: string; sums: Sums } | null,
): Pictures {
  const sums = new Map<string, string>()

  async function take(name: string) {
    const key = `media/${name}`
    const hash = previous?.sums.get(key)
    // What a name stands for never changes: a picture that is lost or rotten in the community lives on in its backups.
    const linked = hash !== undefined && (await relink(previous!.place, part, key, hash))
    return linked || fetchOne(store, name, join(part, key))
  }

  return {
    sums,
    async fetch(names) {
      const wanted = new Set(names)
      const missing: string[] = []
      await forEachLimit(wanted, AT_ONCE, async (name) => {
        if (sums.has(`media/${name}`)) return
        const hash = await take(name)
        if (hash) sums.set(`media/${name}`, hash)
        else missing.push(name)
      })
      for (const key of [...sums.keys()].filter((key) => !wanted.has(key.slice('media/'.length)))) {
        await rm(join(part, key), { force: true })
        sums.delete(key)
      }
      return missing.sort()
    },
  }
}

async function fetchOne(store: MediaStorage, name: string, path: string) {
  const bytes = await store.read(name)
  if (!bytes) return null
  await writeOnDisk(path, bytes)
  return sha256(bytes)
}

/** One file for both backups, where that of the previous one is still what it was; false where it is not. */
async function relink(previous: string, part: string, key: string, hash: string): Promise<string | false> {
  const from = join(previous, key)
  const found = await readFile(from).catch(() => null)
  if (!found || sha256(found) !== hash) return false
  return link(from, join(part, key)).then(
    () => hash,
    () => false as const, // a disk that knows no links
  )
}

async function weigh(folder: string) {
  let [files, bytes] = [0, 0]
  for (const name of await readdir(folder)) {
    files++
    bytes += (await stat(join(folder, name))).size
  }
  return { files, bytes }
}

// ── Reading one ─────────────────────────────────────────────────────────────

/** What restoring puts its parts into. */
export interface Destination {
  /** Puts a file of the backup where the database is to be. */
  database(file: string): Promise<Tally>
  picture(name: string, bytes: Buffer): Promise<void>
  secret(name: string, text: string): Promise<void>
}

/** Reads the facts of a backup. Throws BadSetting where it is none, or is of a newer version. */
async function readBackup(
  place: string,
  lists: readonly Migrations[],
): Promise<{ facts: BackupFacts; sums: Sums }> {
  const text = await readFile(join(place, 'backup.json'), 'utf8').catch(() => {
    throw new BadSetting(`${place} is no backup: it has no backup.json.`)
  })
  const facts = parsed(text)
  if (!facts) throw damaged(place, 'backup.json')
  const known = new Set(lists.flatMap((list) => Object.keys(list)))
  if (facts.migrations.some((name) => !known.has(name)))
    throw new BadSetting(
      `The backup ${place} was made by a newer version (${facts.version}): update Engawa first.`,
    )
  const sums = await readFile(join(place, 'SHA256SUMS'), 'utf8').catch(() => '')
  if (sha256(sums) !== facts.sums) throw damaged(place, 'SHA256SUMS')
  return { facts, sums: await readSums(place) }
}

const damaged = (place: string, name: string) => new BadSetting(`The backup ${place} is damaged: ${name}.`)

function parsed(text: string) {
  const given = v.safeParse(Facts, parseJson(text))
  return given.success ? given.output : null
}

/** Puts all of a backup into `destination`, each file compared on its way. Throws BadSetting, naming the file that is damaged. */
export async function pourInto(
  place: string,
  lists: readonly Migrations[],
  destination: Destination,
): Promise<BackupFacts> {
  const { facts, sums } = await readBackup(place, lists)
  await forEachLimit(sums, AT_ONCE, async ([name, hash]) => {
    if (name === 'engawa.db') return
    const bytes = await readFile(join(place, name)).catch(() => null)
    if (!bytes || sha256(bytes) !== hash) throw damaged(place, name)
    if (name.startsWith('media/')) await destination.picture(name.slice('media/'.length), bytes)
    else await destination.secret(name, bytes.toString('utf8'))
  })
  if ((await hashOf(join(place, 'engawa.db')).catch(() => null)) !== sums.get('engawa.db'))
    throw damaged(place, 'engawa.db')
  const found = await destination.database(join(place, 'engawa.db'))
  // The file is what it was: then it is the facts that are not.
  if (difference(facts.tables, found)) throw damaged(place, 'backup.json')
  return facts
}

/** Throws BadSetting, naming the file, where one is not what it was. */
export async function checkBackup(place: string, lists: readonly Migrations[]): Promise<BackupFacts> {
  const { facts, sums } = await readBackup(place, lists)
  for (const [name, hash] of sums)
    if ((await hashOf(join(place, name)).catch(() => null)) !== hash) throw damaged(place, name)
  return facts
}

/** Restores it beside itself, the pictures no further than into memory: they would come a third time on this disk. */
async function prove(part: string, lists: readonly Migrations[]) {
  const scratch = join(part, 'restored.db')
  let [files, bytes] = [0, 0]
  const facts = await pourInto(part, lists, {
    database: async (file) => {
      await copyOnDisk(file, scratch)
      refuseDamage(scratch)
      return tallyOfFile(scratch, lists)
    },
    picture: async (_, picture) => {
      files++
      bytes += picture.length
    },
    secret: async () => {},
  })
  if (files !== facts.pictures.files || bytes !== facts.pictures.bytes)
    throw new Error('The backup does not hold the pictures that it names.')
  await rm(scratch)
}

async function latestIn(folder: string) {
  const names = (await readdir(folder)).filter((name) => GOOD.test(name)).sort()
  return names.length ? join(folder, names.at(-1)!) : null
}

async function readSums(place: string): Promise<Sums> {
  const lines = (await readFile(join(place, 'SHA256SUMS'), 'utf8')).split('\n').filter(Boolean)
  const sums = new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)] as const))
  const strange = [...sums.keys()].find(
    (name) => !/^(engawa\.db|[a-z]+(-[a-z]+)*|media\/[\w-]+\.webp)$/.test(name),
  )
  if (strange !== undefined) throw damaged(place, 'SHA256SUMS')
  return sums
}

// ── Files ───────────────────────────────────────────────────────────────────

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

async function hashOf(file: string) {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Writes a file that nobody else on this machine may read. */
export async function writeOnDisk(path: string, content: string | Buffer) {
  await writeFile(path, content, { mode: 0o600, flush: true })
}

export async function copyOnDisk(from: string, to: string) {
  await writeFile(to, createReadStream(from), { mode: 0o600, flush: true })
}

/** A file is there for good once it and its folder are on disk. */
export async function sync(path: string) {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}
