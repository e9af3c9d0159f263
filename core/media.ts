import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream, mkdirSync } from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { Words } from '#core/contract.ts'
import { type Db, isStillReferred, type Migrations, now } from '#core/database.ts'
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
}

export const MOST_BYTES = 10 * 2 ** 20
const MOST_PIXELS = 50_000_000
/** All frames together: what moves longer than this stands still, for each megapixel costs tenths of a second. */
const MOST_MOVING_PIXELS = 16_000_000
/** Of work on one file, seconds: nobody holds up the others. */
const PATIENCE = 30
const QUALITY = 80

/** A file that came in, on its way: `path` is scratch and goes away with the request. At MOST_BYTES it was cut off. */
export interface Upload {
  field: string
  filename: string
  path: string
  bytes: number
}

export interface Picture {
  name: string
  widths: number[]
  /** Of the standard file, upright. */
  width: number
  height: number
  placeholder: string
  animated: boolean
  bytes: number
}

/** `wide`: in its own shape, in so many widths, of which `standard` is shown to those who ask for one; `square`: cut to the middle. */
export type Shape = { wide: readonly number[]; standard: number } | { square: readonly number[] }

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
  /** Forgets a picture that is shown no more; one that is still shown somewhere stays. */
  release(name: string): Promise<void>
  /**
   * Empties scratch, and lays aside (in DATA_DIR/orphans) the files that no row speaks of, left by a process that was killed.
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
    async release(name) {
      const row = await db
        .deleteFrom('media')
        .where('name', '=', name)
        .returning('widths')
        .executeTakeFirst()
        .catch((error: unknown) => {
          if (isStillReferred(error)) return undefined
          throw error
        })
      if (!row || expected.has(name)) return
      for (const width of row.widths.split(',')) await rm(fileOf(name, Number(width)), { force: true })
    },
    async sweep() {
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

// ── From an upload to files ─────────────────────────────────────────────────

type Kind = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'heic'

/** What a file is, by its first bytes; null for anything that is no picture of ours. Needs 32 bytes. */
function sniff(head: Buffer): Kind | null {
  const at = (start: number, text: string) => head.toString('latin1', start, start + text.length) === text
  if (at(0, '\xff\xd8\xff')) return 'jpeg'
  if (at(0, '\x89PNG\r\n\x1a\n')) return 'png'
  if (at(0, 'GIF87a') || at(0, 'GIF89a')) return 'gif'
  if (at(0, 'RIFF') && at(8, 'WEBP')) return 'webp'
  if (!at(4, 'ftyp')) return null
  const brands = head.toString('latin1', 8)
  return /avi[fs]/.test(brands) ? 'avif' : /hei[cmsx]|hev[cmsx]|mif1|msf1/.test(brands) ? 'heic' : null
}

async function headOf(path: string) {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(32), 0, 32, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

async function render(upload: Upload, shape: Shape): Promise<Picture & { files: [number, Buffer][] }> {
  const refuse = (why: Words) => unfit(upload, why)
  const kind = sniff(await headOf(upload.path))
  if (kind === 'heic') throw refuse(reasons.heic)
  if (!kind) throw refuse(reasons.kind)
  try {
    const about = await sharp(upload.path, { limitInputPixels: false }).metadata()
    const pages = about.pages ?? 1
    const frame = about.width * (about.pageHeight ?? about.height)
    if (frame > MOST_PIXELS) throw refuse(reasons.pixels)
    const animated = pages > 1 && (kind === 'gif' || kind === 'webp') && frame * pages <= MOST_MOVING_PIXELS
    return 'square' in shape ? await squares(upload.path, shape.square) : await wides(upload.path, shape, animated)
  } catch (error) {
    if (error instanceof Refuse) throw error
    throw refuse(reasons.broken)
  }
}

/** Aborts on truncated and damaged data; EXIF turns the picture upright, and no metadata is written. */
const upright = (path: string, animated = false) =>
  sharp(path, { failOn: 'error', limitInputPixels: MOST_PIXELS, animated }).autoOrient().toColourspace('srgb')

/** A long screenshot stays legible. */
const TALL = 4

/** The picture decoded once, at most `most` pixels wide. */
async function decoded(path: string, most: number) {
  const { data, info } = await upright(path)
    .resize({ width: most, height: most * TALL, fit: 'inside', withoutEnlargement: true })
    .raw({ depth: 'uchar' })
    .timeout({ seconds: PATIENCE })
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  return { again: () => sharp(data, { raw }), width: info.width, height: info.height }
}

async function wides(path: string, { wide, standard: wanted }: { wide: readonly number[]; standard: number }, animated: boolean) {
  const picture = await decoded(path, wide.at(-1)!)
  const standard = Math.min(wanted, picture.width)
  const widths = [...new Set(wide.map((target) => Math.min(target, picture.width)))]
  // What moves has something still beside it, however small it is.
  if (animated && widths.length === 1) widths.unshift(Math.ceil(standard / 2))
  const files: [number, Buffer][] = []
  for (const width of widths) {
    const moving = animated && width === standard
    const image = moving ? upright(path, true).timeout({ seconds: PATIENCE }) : picture.again()
    files.push([
      width,
      await image
        .resize({ width })
        .webp({ quality: QUALITY, ...(moving && { effort: 1 }) })
        .toBuffer(),
    ])
  }
  return finished(files, await placeholderOf(picture.again()), standard, Math.round((picture.height * standard) / picture.width), animated)
}

async function squares(path: string, sides: readonly number[]) {
  const picture = await decoded(path, 2048)
  const files: [number, Buffer][] = []
  for (const side of sides)
    files.push([side, await picture.again().resize({ width: side, height: side, fit: 'cover' }).webp({ quality: QUALITY }).toBuffer()])
  const largest = sides.at(-1)!
  return finished(files, await placeholderOf(picture.again()), largest, largest, false)
}

function finished(files: [number, Buffer][], placeholder: string, width: number, height: number, animated: boolean) {
  const hash = createHash('sha256')
  for (const [, bytes] of files) hash.update(bytes)
  const bytes = files.reduce((sum, [, file]) => sum + file.length, 0)
  return { name: hash.digest('hex').slice(0, 40), widths: files.map(([side]) => side), width, height, placeholder, animated, bytes, files }
}

/** ThumbHash (https://evanw.github.io/thumbhash/), base64: some 28 characters. */
async function placeholderOf(picture: Sharp) {
  const { data, info } = await picture
    .resize({ width: 100, height: 100, fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}

const reasons = {
  kind: { en: 'only JPEG, PNG, GIF, WebP and AVIF pictures can be shown', ja: '使える画像はJPEG・PNG・GIF・WebP・AVIFです' },
  heic: { en: 'HEIC pictures cannot be shown by browsers; save it as JPEG', ja: 'HEIC形式は表示できません。JPEGで保存してください' },
  pixels: { en: 'it has more than 50 megapixels', ja: '5,000万画素を超えています' },
  broken: { en: 'it is damaged or not complete', ja: 'ファイルが壊れているか、途中で切れています' },
} satisfies Record<string, Words>

function unfit({ field, filename }: Upload, why: Words) {
  const name = filename.slice(0, 100) || field
  const words = { en: `${name} was not accepted: ${why.en}.`, ja: `「${name}」は追加できません。${why.ja}。` }
  return new Refuse(422, words, { [field]: [words] })
}
