import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { Sentence } from '#core/contract.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'

// Each picture is decoded once, so a cache would only take memory.
sharp.cache(false)

const MAX_PIXELS = 50_000_000
/** In pixels. An image with a line of millions of pixels would take minutes. */
const MAX_SIDE = 16_384
/** For one image; in some formats less than MAX_PIXELS needs. */
const MAX_DECODED_BYTES = 450_000_000
/** Beyond this an image is large, and the queue decodes only one such at a time. */
const LARGE_BYTES = 100_000_000
/** All frames together. Larger animations become still: a megapixel takes tenths of a second. */
const MAX_ANIMATION_PIXELS = 16_000_000
const MAX_FRAMES = 1000
/** Seconds to decode; for an animation, also to encode it. */
const TIMEOUT = 30
const QUALITY = 80

/** The content is not checked yet. */
export interface Upload {
  field: string
  filename: string
  path: string
}

export interface Picture {
  /** Random: 40 hexadecimal digits. Two uploads of the same file get two names. */
  name: string
  /** From narrow to wide. */
  widths: number[]
  /** Pixels of the standard file, after the image was turned upright. */
  width: number
  height: number
  placeholder: string
  animated: boolean
  bytes: number
  /** Undefined if the picture has files of its own. */
  source?: string
}

export interface ConvertedImage {
  picture: Picture
  files: { width: number; bytes: Buffer }[]
}

/**
 * `widths`: a file for each, in the proportions of the image; clients that show only one use `standard`.
 * `squares`: a file for each side, cut from the centre.
 */
export type ImageSizes = { widths: readonly number[]; standard: number } | { squares: readonly number[] }

type ImageType = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'heic'

/** By the first 32 bytes; null for other types. HEIC is detected to be refused with a reason of its own. */
function detectType(head: Buffer): ImageType | null {
  const at = (start: number, text: string) => head.toString('latin1', start, start + text.length) === text
  if (at(0, '\xff\xd8\xff')) return 'jpeg'
  if (at(0, '\x89PNG\r\n\x1a\n')) return 'png'
  if (at(0, 'GIF87a') || at(0, 'GIF89a')) return 'gif'
  if (at(0, 'RIFF') && at(8, 'WEBP')) return 'webp'
  if (!at(4, 'ftyp')) return null
  const brands = head.toString('latin1', 8)
  return /avi[fs]/.test(brands) ? 'avif' : /hei[cmsx]|hev[cmsx]|mif1|msf1/.test(brands) ? 'heic' : null
}

export interface ImageFlags {
  animated: boolean
  /** So large that only one such image may be decoded at a time. */
  isLarge: boolean
}

/** Reads the header. Throws 422 with the file's name and the reason if the image is not accepted. */
export async function checkImage(upload: Upload): Promise<ImageFlags> {
  const head = Buffer.concat(await createReadStream(upload.path, { end: 31 }).toArray())
  const type = detectType(head)
  if (type === 'heic') throw invalidFile(upload, reasons.heic)
  if (!type) throw invalidFile(upload, reasons.type)
  const metadata = await sharp(upload.path, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw invalidFile(upload, reasons.broken)
    })
  const { width, pages = 1, height = 0 } = { ...metadata, height: metadata.pageHeight ?? metadata.height }
  const pixels = width * height
  if (pixels > MAX_PIXELS) throw invalidFile(upload, reasons.pixels)
  if (Math.max(width, height) > MAX_SIDE) throw invalidFile(upload, reasons.side)
  const bytes = pixels * bytesPerPixel(type, metadata)
  if (bytes > MAX_DECODED_BYTES) throw invalidFile(upload, reasons.bytes)
  const animated =
    (type === 'gif' || type === 'webp') &&
    pages > 1 &&
    pages <= MAX_FRAMES &&
    pixels * pages <= MAX_ANIMATION_PIXELS &&
    height <= MAX_WEBP_SIDE
  return { animated, isLarge: (animated ? bytes * pages : bytes) > LARGE_BYTES }
}

/**
 * Measured with libvips 8.18 and 50 megapixels. Most decoders take a few lines at a time; AVIF, GIF, WebP,
 * interlaced PNG and progressive JPEG are in memory as a whole.
 */
function bytesPerPixel(type: ImageType, { depth, channels, isProgressive }: Metadata) {
  const isDeep = depth !== 'uchar'
  switch (type) {
    case 'avif':
      return isDeep ? 36 : 18
    case 'gif':
      return 6
    case 'webp':
      return 4
    case 'png':
      return isProgressive ? channels * (isDeep ? 2 : 1) : 1
    default:
      return isProgressive ? channels * 2 : 1
  }
}

/**
 * Upright and without metadata. Throws 422 with the upload's name and the reason if the image cannot be
 * decoded, and before each file the reason of an abort of `signal`.
 */
export async function convertImage(
  upload: Upload,
  { animated }: ImageFlags,
  sizes: ImageSizes,
  signal?: AbortSignal,
): Promise<ConvertedImage> {
  try {
    if ('squares' in sizes) return await makeSquares(upload.path, sizes.squares, signal)
    return await makeWidths(upload.path, sizes, animated, signal)
  } catch (error) {
    if (error instanceof HttpError) throw error
    const isSlow = error instanceof Error && error.message.startsWith('timeout')
    throw invalidFile(upload, isSlow ? reasons.slow : reasons.broken)
  }
}

/** Fails on truncated and damaged data. Upright by EXIF; all metadata is dropped. */
const openUpright = (path: string, animated = false) =>
  sharp(path, { failOn: 'error', limitInputPixels: MAX_PIXELS, animated })
    .autoOrient()
    .toColourspace('srgb')
    .timeout({ seconds: TIMEOUT })

/** Height of an image's box, as a multiple of its width: high, so that a long screenshot stays legible. */
const MAX_HEIGHT_RATIO = 4
/** In pixels. */
const MAX_WEBP_SIDE = 16_383

/** The first frame, decoded once. `open` returns a new sharp instance with the pixels. */
async function decode(path: string, maxWidth: number) {
  const { data, info } = await openUpright(path)
    .resize({ width: maxWidth, height: maxWidth * MAX_HEIGHT_RATIO, fit: 'inside', withoutEnlargement: true })
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return { open: () => sharp(data, { raw: { width, height, channels } }), width, height }
}

async function makeWidths(
  path: string,
  sizes: { widths: readonly number[]; standard: number },
  asAnimation: boolean,
  signal: AbortSignal | undefined,
) {
  const image = await decode(path, sizes.widths.at(-1)!)
  // An animation needs a narrower still file beside it.
  const animated = asAnimation && image.width > 1
  const standard = Math.min(sizes.standard, image.width)
  const widths = [...new Set(sizes.widths.map((width) => Math.min(width, image.width)))]
  // A small animation would have no still file.
  if (animated && widths.length === 1) widths.unshift(Math.ceil(standard / 2))
  const files = []
  for (const width of widths) {
    signal?.throwIfAborted()
    const moves = animated && width === standard
    const source = moves ? openUpright(path, true) : image.open()
    const webp = source.resize({ width }).webp({ quality: QUALITY, ...(moves && { effort: 1 }) })
    files.push({ width, bytes: await webp.toBuffer() })
  }
  const height = Math.round((image.height * standard) / image.width)
  const placeholder = await makePlaceholder(image.open())
  return processed(files, { width: standard, height, placeholder, animated })
}

async function makeSquares(path: string, sides: readonly number[], signal: AbortSignal | undefined) {
  const image = await decode(path, 2048)
  const files = []
  for (const width of sides) {
    signal?.throwIfAborted()
    const webp = image.open().resize({ width, height: width, fit: 'cover' }).webp({ quality: QUALITY })
    files.push({ width, bytes: await webp.toBuffer() })
  }
  const side = sides.at(-1)!
  const placeholder = await makePlaceholder(image.open())
  return processed(files, { width: side, height: side, placeholder, animated: false })
}

function processed(
  files: ConvertedImage['files'],
  rest: Omit<Picture, 'name' | 'widths' | 'bytes'>,
): ConvertedImage {
  const name = randomBytes(20).toString('hex')
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  return { picture: { ...rest, name, widths: files.map(({ width }) => width), bytes }, files }
}

/** ThumbHash (https://evanw.github.io/thumbhash/) in base64: about 28 characters. */
async function makePlaceholder(image: Sharp) {
  const { data, info } = await image
    .resize({ width: 100, height: 100, fit: 'inside' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}

const reasons = {
  type: {
    en: 'only JPEG, PNG, GIF, WebP and AVIF pictures can be shown',
    ja: '使える画像はJPEG、PNG、GIF、WebP、AVIFです',
  },
  heic: {
    en: 'HEIC pictures cannot be shown by browsers; save it as JPEG',
    ja: 'HEIC形式には対応していません。JPEGで保存してください',
  },
  pixels: { en: 'it has more than 50 megapixels', ja: '5,000万画素を超えています' },
  side: {
    en: 'one of its sides has more than 16,384 pixels',
    ja: '縦または横が16,384画素を超えています',
  },
  bytes: {
    en: 'it takes too much memory to decode in this format; make it smaller or save it as JPEG',
    ja: 'この大きさの画像は、この形式では処理できません。縮小するか、JPEGで保存してください',
  },
  slow: {
    en: 'it took too long to decode; make it smaller or save it as JPEG',
    ja: '処理に時間がかかりすぎました。縮小するか、JPEGで保存してください',
  },
  broken: { en: 'it is damaged or not complete', ja: 'ファイルが壊れているか、途中で切れています' },
} satisfies Record<string, Sentence>

function invalidFile({ field, filename }: Upload, reason: Sentence) {
  const name = filename || field
  return fieldError(field, {
    en: `${name} was not accepted: ${reason.en}.`,
    ja: `「${name}」は追加できません。${reason.ja}。`,
  })
}
