import { randomUUID } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Words } from '#core/contract.ts'
import { type Db, isStillReferred, type Migrations, now } from '#core/database.ts'
import { type Given, type Picture, render, type Shape } from '#core/pictures.ts'
import { atATime } from '#core/queue.ts'
import { Refuse } from '#core/words.ts'

export interface MediaTables {
  /** One row a picture that is kept, whoever shows it; its files are `{name}-{width}.webp`. */
  media: {
    name: string
    /** Widths of its files, narrow to wide, separated by commas. */
    widths: string
    width: number
    height: number
    placeholder: string
    animated: number
    bytes: number
    created_at: string
  }
  /** Pictures that something has stopped showing, until their files are gone or something else is known to show them. */
  unshown_media: { name: string }
}
declare module '#core/database.ts' {
  interface Tables extends MediaTables {}
}

export const migrations: Migrations = {
  'media 1': () => [
    `create table media (
      name text primary key, widths text not null, width integer not null, height integer not null,
      placeholder text not null, animated integer not null, bytes bigint not null, created_at text not null)`,
  ],
  'media 2': () => ['create table unshown_media (name text primary key)'],
}

export const MOST_BYTES = 10 * 2 ** 20
/** A file that came in, on its way: `path` is scratch and goes away with the request. At MOST_BYTES it was cut off. */
export interface Upload extends Given {
  bytes: number
}

export interface Media {
  folder: string
  /** Streams an incoming file to scratch. */
  receive(field: string, filename: string, file: Readable): Promise<Upload>
  discard(uploads: readonly Upload[]): Promise<void>
  /**
   * Makes the pictures of the uploads (422 names the file that is none), runs `work` with them, and keeps them
   * if it succeeds: where `work` throws, no file stays that no row speaks of.
   */
  keep<T>(uploads: readonly Upload[], shape: Shape, work: (pictures: Picture[]) => Promise<T>): Promise<T>
  /** Where a file of a picture is found by browsers. */
  url(name: string, width: number): string
  /** Forgets pictures that `unshow` has named; one that is still shown somewhere stays. What fails here is done at the next start. */
  release(names: readonly string[]): Promise<void>
  /**
   * Forgets what a process that was killed had no time to forget, empties scratch, and lays aside (in DATA_DIR/orphans) the files that no row speaks of.
   * They come back when the database speaks of them again: it may be the wrong one, or an older one, that was started.
   */
  sweep(): Promise<{ aside: number; back: number }>
}

/** Pictures in `folder`/media; `origin` goes before their addresses. */
export function openMedia(db: Db, dataFolder: string, origin: string): Media {
  const folder = join(dataFolder, 'media')
  const scratch = join(dataFolder, 'scratch')
  const orphans = join(dataFolder, 'orphans')
  for (const path of [folder, scratch, orphans]) mkdirSync(path, { recursive: true })
  const inTurn = atATime(2)
  /** Pictures that a request is about to keep, and by how many. */
  const expected = new Map<string, number>()

  const fileOf = (name: string, width: number) => join(folder, `${name}-${width}.webp`)

  async function settle(pictures: readonly Picture[]) {
    for (const { name, widths } of pictures) {
      const others = expected.get(name)! - 1
      if (others) expected.set(name, others)
      else expected.delete(name)
      if (!others && !(await isKept(db, name)) && !expected.has(name))
        for (const width of widths) await rm(fileOf(name, width), { force: true })
    }
  }

  async function forget(name: string) {
    const row = await db
      .deleteFrom('media')
      .where('name', '=', name)
      .returning('widths')
      .executeTakeFirst()
      .catch((error: unknown) => {
        if (isStillReferred(error)) return undefined
        throw error
      })
    if (row && !expected.has(name)) for (const width of row.widths.split(',')) await rm(fileOf(name, Number(width)), { force: true })
    await db.deleteFrom('unshown_media').where('name', '=', name).execute()
  }

  return {
    folder,
    url: (name, width) => `${origin}/media/${name}-${width}.webp`,
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
      try {
        const wrong: Refuse[] = []
        for (const upload of uploads) {
          const made = await inTurn(() => render(upload, shape)).catch((error: unknown) => {
            if (!(error instanceof Refuse)) throw error
            wrong.push(error)
          })
          if (!made || wrong.length) continue
          const { files, ...picture } = made
          pictures.push(picture)
          expected.set(picture.name, (expected.get(picture.name) ?? 0) + 1)
          for (const [width, bytes] of files) await writeWhole(fileOf(picture.name, width), bytes, join(scratch, randomUUID()))
        }
        if (wrong.length) throw together(wrong)
        await onDisk(folder)
        return await work(pictures)
      } finally {
        await settle(pictures)
      }
    },
    async release(names) {
      // What showed them is gone already: a failure is nobody's business, and the row says what is left to do.
      for (const name of names) await forget(name).catch(() => {})
    },
    async sweep() {
      for (const { name } of await db.selectFrom('unshown_media').select('name').execute()) await forget(name)
      for (const file of await readdir(scratch)) await rm(join(scratch, file), { force: true })
      const kept = new Set((await db.selectFrom('media').select('name').execute()).map((row) => row.name))
      const isKept = (file: string) => kept.has(file.slice(0, file.lastIndexOf('-')))
      const aside = (await readdir(folder)).filter((file) => !isKept(file))
      const back = (await readdir(orphans)).filter(isKept)
      for (const file of aside) await rename(join(folder, file), join(orphans, file))
      for (const file of back) await rename(join(orphans, file), join(folder, file))
      return { aside: aside.length, back: back.length }
    },
  }
}

/** Writes the row of a picture, in the transaction of the row that shows it. */
export const record = (tx: Db, { widths, animated, ...picture }: Picture) =>
  tx
    .insertInto('media')
    .values({ ...picture, widths: widths.join(','), animated: Number(animated), created_at: now() })
    // Written again as it is, so that nobody can release it before this transaction is over.
    .onConflict((c) => c.column('name').doUpdateSet({ name: picture.name }))
    .execute()

/** Says, in the transaction that stops showing them, which pictures may now be shown by nothing. */
export const unshow = async (tx: Db, names: readonly string[]) => {
  if (!names.length) return
  await tx
    .insertInto('unshown_media')
    .values([...new Set(names)].map((name) => ({ name })))
    .onConflict((c) => c.doNothing())
    .execute()
}

const isKept = async (db: Db, name: string) =>
  (await db.selectFrom('media').select('name').where('name', '=', name).executeTakeFirst()) !== undefined

/** All that is wrong at once, so that nobody has to try again for each. */
function together(wrong: readonly Refuse[]) {
  const fields: Record<string, Words[]> = {}
  for (const { fields: some = {} } of wrong)
    for (const [field, list] of Object.entries(some)) fields[field] = [...(fields[field] ?? []), ...list]
  return new Refuse(422, wrong[0]!.words, fields)
}

/** A file appears whole and on disk, or not at all. */
async function writeWhole(file: string, bytes: Buffer, scratch: string) {
  try {
    const handle = await open(scratch, 'w')
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(scratch, file)
  } catch (error) {
    await rm(scratch, { force: true })
    throw error
  }
}

/** A name is in its folder for good once the folder itself is on disk. */
async function onDisk(folder: string) {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}
