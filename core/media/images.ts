import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { Localized } from '#core/contract.ts'
import { HttpError } from '#core/http/errors.ts'

const MOST_PIXELS = 50_000_000
/** All frames together: what moves longer than this stands still, for each megapixel costs tenths of a second. */
const MOST_MOVING_PIXELS = 16_000_000
/** Of work on one file, seconds: nobody holds up the others. */
const PATIENCE = 30
const QUALITY = 80

/** A file that is said to be a picture. */
export interface Given {
  field: string
  filename: string
  path: string
}

export interface Picture {
  /** 40 hexadecimal digits by chance: two uploads share nothing, whatever they show. */
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

/** The files of a picture, as WebP, turned upright and without metadata. Throws 422 with the name of the file and the reason. */
export async function render(upload: Given, shape: Shape): Promise<Picture & { files: [number, Buffer][] }> {
  const refuse = (why: Localized) => unfit(upload, why)
  const kind = sniff(await headOf(upload.path))
  if (kind === 'heic') throw refuse(reasons.heic)
  if (!kind) throw refuse(reasons.kind)
  try {
    const about = await sharp(upload.path, { limitInputPixels: false }).metadata()
    const pages = about.pages ?? 1
    const frame = about.width * (about.pageHeight ?? about.height)
    if (frame > MOST_PIXELS) throw refuse(reasons.pixels)
    const animated = pages > 1 && (kind === 'gif' || kind === 'webp') && frame * pages <= MOST_MOVING_PIXELS
    return 'square' in shape
      ? await squares(upload.path, shape.square)
      : await wides(upload.path, shape, animated)
  } catch (error) {
    if (error instanceof HttpError) throw error
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

async function wides(
  path: string,
  { wide, standard: wanted }: { wide: readonly number[]; standard: number },
  animated: boolean,
) {
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
  return finished(
    files,
    await placeholderOf(picture.again()),
    standard,
    Math.round((picture.height * standard) / picture.width),
    animated,
  )
}

async function squares(path: string, sides: readonly number[]) {
  const picture = await decoded(path, 2048)
  const files: [number, Buffer][] = []
  for (const side of sides)
    files.push([
      side,
      await picture
        .again()
        .resize({ width: side, height: side, fit: 'cover' })
        .webp({ quality: QUALITY })
        .toBuffer(),
    ])
  const largest = sides.at(-1)!
  return finished(files, await placeholderOf(picture.again()), largest, largest, false)
}

function finished(
  files: [number, Buffer][],
  placeholder: string,
  width: number,
  height: number,
  animated: boolean,
) {
  const bytes = files.reduce((sum, [, file]) => sum + file.length, 0)
  const name = randomBytes(20).toString('hex')
  return { name, widths: files.map(([side]) => side), width, height, placeholder, animated, bytes, files }
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
  kind: {
    en: 'only JPEG, PNG, GIF, WebP and AVIF pictures can be shown',
    ja: '使える画像はJPEG、PNG、GIF、WebP、AVIFです',
  },
  heic: {
    en: 'HEIC pictures cannot be shown by browsers; save it as JPEG',
    ja: 'HEIC形式は表示できません。JPEGで保存してください',
  },
  pixels: { en: 'it has more than 50 megapixels', ja: '5,000万画素を超えています' },
  broken: { en: 'it is damaged or not complete', ja: 'ファイルが壊れているか、途中で切れています' },
} satisfies Record<string, Localized>

function unfit({ field, filename }: Given, why: Localized) {
  const name = filename.slice(0, 100) || field
  const words = { en: `${name} was not accepted: ${why.en}.`, ja: `「${name}」は追加できません。${why.ja}。` }
  return new HttpError(422, words, { [field]: [words] })
}
