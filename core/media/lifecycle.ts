import { randomUUID } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyBaseLogger } from 'fastify'
import pLimit from 'p-limit'
import type { Localized } from '#core/contract.ts'
import { type Db, isForeignKeyViolation, type Migrations, now, transaction } from '#core/database/database.ts'
import { errors, HttpError } from '#core/http/errors.ts'
import type { Given, Picture, Shape } from '#core/media/images.ts'
import type { MediaStorage } from '#core/media/storage.ts'

/** Names a picture's files: `{name}-{width}.webp`, for widths separated by commas, narrow to wide. */
interface Files {
  name: string
  widths: string
}
export interface MediaTables {
  /** One row a picture that is kept, by the name of its own that its upload got. */
  media: Files & {
    width: number
    height: number
    placeholder: string
    animated: number
    bytes: number
    created_at: string
  }
  /** Pictures that something has stopped showing, until they are loose or something else is known to show them. */
  unshown_media: { name: string }
  /** Pictures without a row in `media` of which files may be in the store: before the first is written, and until the last is gone. */
  loose_media: Files & {
    /** When it became loose. */
    since: string
    /** 1 once its files are being removed: nothing can record it any more. */
    going: number
  }
}
declare module '#core/database/database.ts' {
  interface Tables extends MediaTables {}
}

export const migrations: Migrations = {
  'media 1': () => [
    `create table media (
      name text primary key, widths text not null, width integer not null, height integer not null,
      placeholder text not null, animated integer not null, bytes bigint not null, created_at text not null)`,
  ],
  'media 2': () => ['create table unshown_media (name text primary key)'],
  'media 3': () => [
    'create table loose_media (name text primary key, widths text not null, since text not null, going integer not null)',
  ],
}

export const MOST_BYTES = 10 * 2 ** 20
const MINUTE = 60_000
/** An upload that takes longer than this, ms, is given up. */
const LONGEST = 15 * MINUTE
const SWEPT_EVERY = 10 * MINUTE
const SCRATCH_LASTS = 24 * 60 * MINUTE
/** Pictures whose files are removed at once. */
const AT_ONCE = 8

/** A file that came in, on its way: `path` is scratch and goes away with the request. At MOST_BYTES it was cut off. */
export interface Upload extends Given {
  bytes: number
}

export interface Media {
  /** Streams an incoming file to scratch. */
  receive(field: string, filename: string, file: Readable): Promise<Upload>
  discard(uploads: readonly Upload[]): Promise<void>
  /**
   * Makes the pictures of the uploads (422 names the file that is none, 503 and 507 say that the store takes none), runs `work`
   * with them, and keeps those that it has recorded: of the others no file stays, whatever breaks off where.
   */
  keep<T>(uploads: readonly Upload[], shape: Shape, work: (pictures: Picture[]) => Promise<T>): Promise<T>
  /** Uploads that wait to be made into pictures. */
  waiting(): number
  /** Where a file of a picture is found by browsers. */
  url(name: string, width: number): string
  /** Forgets pictures that `unshow` has named; one that is still shown somewhere stays. What fails here is done by a sweep. */
  release(names: readonly string[]): Promise<void>
  /**
   * For the start: forgets what processes that were killed had no time to forget. A process that is alone also empties scratch, and lays
   * aside (in DATA_DIR/orphans) the files of its folder that no row speaks of. They come back when the database speaks of them again:
   * it may be the wrong one, or an older one, that was started. Every ten minutes what has been left since is forgotten as well.
   */
  sweep(): Promise<{ aside: number; back: number }>
  close(): Promise<void>
}

export interface MediaOptions {
  dataFolder: string
  /** Goes before the addresses of pictures. */
  origin: string
  /** No other process has this database and this store. */
  alone: boolean
}

/** Pictures in `store`, and what is on its way in DATA_DIR/scratch. */
export function openMedia(
  db: Db,
  store: MediaStorage,
  { dataFolder, origin, alone }: MediaOptions,
  log: FastifyBaseLogger,
): Media {
  const scratch = join(dataFolder, 'scratch')
  const orphans = join(dataFolder, 'orphans')
  mkdirSync(scratch, { recursive: true })
  const limit = pLimit(2)

  /** All or none: those that were being written when one failed are waited for. */
  async function write(name: string, files: readonly [number, Buffer][]) {
    const written = await Promise.allSettled(
      files.map(([width, bytes]) => store.write(fileOf(name, width), bytes)),
    )
    for (const one of written) if (one.status === 'rejected') throw one.reason
  }

  const removeFiles = (name: string, widths: string) =>
    Promise.all(widths.split(',').map((width) => store.remove(fileOf(name, Number(width)))))

  /**
   * Removes the files of a picture, unless it is not loose any more; says which. Who records it at this moment is waited for. Its row
   * stays where a file that was sent may still arrive: a sweep comes again.
   */
  async function clear(name: string, mayArrive = false) {
    const loose = db.updateTable('loose_media').set({ going: 1 }).where('name', '=', name)
    const row = await loose.returning('widths').executeTakeFirst()
    if (!row) return false
    await removeFiles(name, row.widths)
    if (!mayArrive) await db.deleteFrom('loose_media').where('name', '=', name).execute()
    return true
  }

  /** The database says what was recorded, even where its answer to the commit was lost. Where it does not answer, a sweep asks it. */
  async function settle(picture: Picture, { failed, mayArrive }: { failed: boolean; mayArrive: boolean }) {
    const { name, widths } = filesOf(picture)
    // What took so long that a sweep forgot it has left files behind the sweep.
    if (!(await clear(name, mayArrive)) && failed && !(await isKept(db, name)))
      await removeFiles(name, widths)
  }

  /** The picture's row becomes a loose one. False where it is still shown, or gone. */
  const loosen = (name: string) =>
    transaction(db, async (tx) => {
      await tx.deleteFrom('unshown_media').where('name', '=', name).execute()
      const row = await tx
        .deleteFrom('media')
        .where('name', '=', name)
        .returning(['name', 'widths'])
        .executeTakeFirst()
      const loose = row && { ...row, since: now(), going: 1 }
      if (loose) await tx.insertInto('loose_media').values(loose).execute()
      return loose !== undefined
    })

  async function forget(name: string) {
    const isLoose = await loosen(name).catch(async (error: unknown) => {
      if (!isForeignKeyViolation(error)) throw error
      await db.deleteFrom('unshown_media').where('name', '=', name).execute()
      return false
    })
    if (isLoose) await clear(name)
  }

  async function tidy({ everything }: { everything: boolean }) {
    const unshown = await db.selectFrom('unshown_media').select('name').execute()
    await inBatches(unshown, ({ name }) => forget(name))
    const long = new Date(Date.now() - LONGEST).toISOString()
    const loose = await db.selectFrom('loose_media').select(['name', 'since']).execute()
    // What a killed process had sent to a bucket may arrive after it.
    const mayArrive = (since: string) => since >= long && store.folder === null
    const due = everything ? loose : loose.filter(({ since }) => since < long)
    await inBatches(due, ({ name, since }) => clear(name, mayArrive(since)))
    await emptyScratch(scratch, everything ? -Infinity : SCRATCH_LASTS)
  }

  let tidying = Promise.resolve()
  const tidied = (how: { everything: boolean }) => {
    tidying = tidying.then(() =>
      tidy(how).catch((error: unknown) =>
        log.warn(
          { err: error },
          'Pictures that nothing shows could not be removed; tried again in ten minutes',
        ),
      ),
    )
    return tidying
  }
  const timer = setInterval(() => tidied({ everything: false }), SWEPT_EVERY).unref()

  return {
    waiting: () => limit.pendingCount,
    url: (name, width) => `${origin}/media/${fileOf(name, width)}`,
    async receive(field, filename, file) {
      const path = join(scratch, randomUUID())
      const out = createWriteStream(path)
      await pipeline(file, out).catch(async (error: unknown) => {
        await rm(path, { force: true })
        throw error
      })
      return { field, filename, path, bytes: out.bytesWritten }
    },
    async discard(uploads) {
      for (const { path } of uploads) await rm(path, { force: true })
    },
    async keep(uploads, shape, work) {
      if (!uploads.length) return work([])
      const pictures: Picture[] = []
      const wrong: HttpError[] = []
      let [failed, mayArrive] = [true, false]
      // Its library takes a tenth of a second and twelve megabytes to load, which a process without uploads never pays.
      const { render } = await import('#core/media/images.ts')
      try {
        for (const upload of uploads) {
          const made = await limit(() => render(upload, shape)).catch((error: unknown) => {
            if (!(error instanceof HttpError)) throw error
            wrong.push(error)
          })
          if (!made || wrong.length) continue
          const { files, ...picture } = made
          const loose = { ...filesOf(picture), since: now(), going: 0 }
          await db.insertInto('loose_media').values(loose).execute()
          pictures.push(picture)
          mayArrive = true
          await write(picture.name, files)
          mayArrive = false
        }
        if (wrong.length) throw together(wrong)
        const result = await work(pictures)
        failed = false
        return result
      } finally {
        await Promise.all(pictures.map((picture) => settle(picture, { failed, mayArrive }))).catch(() => {})
      }
    },
    async release(names) {
      // What showed them is gone already: a failure is nobody's business, and the rows say what is left to do.
      await inBatches(names, forget).catch(() => {})
    },
    async sweep() {
      await tidied({ everything: alone })
      return alone && store.folder ? layAside(db, store.folder, orphans) : { aside: 0, back: 0 }
    },
    async close() {
      clearInterval(timer)
      await tidying
    },
  }
}

/** Writes the row of a picture, in the transaction of the row that shows it. 503 where it came too late: its files are being removed. */
export async function record(tx: Db, { animated, ...picture }: Picture) {
  const { name } = picture
  const { numDeletedRows } = await tx
    .deleteFrom('loose_media')
    .where('name', '=', name)
    .where('going', '=', 0)
    .executeTakeFirst()
  if (!numDeletedRows) throw errors.notStored()
  await tx
    .insertInto('media')
    .values({ ...picture, ...filesOf(picture), animated: Number(animated), created_at: now() })
    .execute()
}

/** Says, in the transaction that stops showing them, which pictures may now be shown by nothing. */
export const detach = async (tx: Db, names: readonly string[]) => {
  if (!names.length) return
  await tx
    .insertInto('unshown_media')
    .values([...new Set(names)].map((name) => ({ name })))
    .onConflict((c) => c.doNothing())
    .execute()
}

const isKept = async (db: Db, name: string) =>
  (await db.selectFrom('media').select('name').where('name', '=', name).executeTakeFirst()) !== undefined

const fileOf = (name: string, width: number) => `${name}-${width}.webp`
const filesOf = ({ name, widths }: Pick<Picture, 'name' | 'widths'>): Files => ({
  name,
  widths: widths.join(','),
})

async function inBatches<T>(all: readonly T[], work: (one: T) => Promise<unknown>) {
  for (let at = 0; at < all.length; at += AT_ONCE) await Promise.all(all.slice(at, at + AT_ONCE).map(work))
}

/** `age` in ms: what is younger may be on its way. */
async function emptyScratch(scratch: string, age: number) {
  for (const name of await readdir(scratch)) {
    const about = await stat(join(scratch, name)).catch(() => null)
    if (about && about.mtimeMs <= Date.now() - age) await rm(join(scratch, name), { force: true })
  }
}

async function layAside(db: Db, folder: string, orphans: string) {
  mkdirSync(orphans, { recursive: true })
  const kept = new Set((await db.selectFrom('media').select('name').execute()).map((row) => row.name))
  const isKept = (file: string) => kept.has(file.slice(0, file.lastIndexOf('-')))
  const aside = (await readdir(folder)).filter((file) => !isKept(file))
  const back = (await readdir(orphans)).filter(isKept)
  for (const file of aside) await rename(join(folder, file), join(orphans, file))
  for (const file of back) await rename(join(orphans, file), join(folder, file))
  return { aside: aside.length, back: back.length }
}

/** All that is wrong at once, so that nobody has to try again for each. */
function together(wrong: readonly HttpError[]) {
  const fields: Record<string, Localized[]> = {}
  for (const { fields: some = {} } of wrong)
    for (const [field, list] of Object.entries(some)) fields[field] = [...(fields[field] ?? []), ...list]
  return new HttpError(422, wrong[0]!.words, fields)
}
