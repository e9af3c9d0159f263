import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { Localized } from '#core/contract.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'

const MAX_PIXELS = 50_000_000
/**
 * The limit for the pixels of all frames together. Larger animations become still images, because a megapixel
 * takes tenths of a second.
 */
const MAX_ANIMATION_PIXELS = 16_000_000
/** Seconds to decode, or to encode, one file. */
const TIMEOUT = 30
const QUALITY = 80

/** A file that a client sent as an image; it may be anything. */
export interface UploadedFile {
  field: string
  filename: string
  path: string
}

export interface Picture {
  /** 40 random hexadecimal digits. Two uploads of the same file get two names. */
  name: string
  /** Widths of the files, narrow to wide. */
  widths: number[]
  /** Width and height of the standard file, upright. */
  width: number
  height: number
  placeholder: string
  animated: boolean
  bytes: number
}

export interface ProcessedImage {
  picture: Picture
  files: { width: number; bytes: Buffer }[]
}

/**
 * The files to make of an image: one for each of `widths`, in its own proportions, of which `standard` is for
 * clients that show only one; or one for each of `squares`, cut from the centre.
 */
export type ImageSizes = { widths: readonly number[]; standard: number } | { squares: readonly number[] }

type ImageType = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'heic'

/** Tells the type by the first 32 bytes of a file; null where the type is not supported. */
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

/** Makes WebP files of an image, upright and without metadata. Throws 422 with its name and the reason. */
export async function processImage(upload: UploadedFile, sizes: ImageSizes): Promise<ProcessedImage> {
  const head = Buffer.concat(await createReadStream(upload.path, { end: 31 }).toArray())
  const type = detectType(head)
  if (type === 'heic') throw invalidFile(upload, reasons.heic)
  if (!type) throw invalidFile(upload, reasons.type)
  try {
    const { pages = 1, ...size } = await sharp(upload.path, { limitInputPixels: false }).metadata()
    const pixels = size.width * (size.pageHeight ?? size.height)
    if (pixels > MAX_PIXELS) throw invalidFile(upload, reasons.pixels)
    if ('squares' in sizes) return await makeSquares(upload.path, sizes.squares)
    const animated =
      pages > 1 && (type === 'gif' || type === 'webp') && pixels * pages <= MAX_ANIMATION_PIXELS
    return await makeWidths(upload.path, sizes, animated)
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw invalidFile(upload, reasons.broken)
  }
}

/** Fails on truncated and damaged data. Turns the image upright by its EXIF data, and drops all metadata. */
const openUpright = (path: string, animated = false) =>
  sharp(path, { failOn: 'error', limitInputPixels: MAX_PIXELS, animated })
    .autoOrient()
    .toColourspace('srgb')
    .timeout({ seconds: TIMEOUT })

/** How much higher than wide an image may become, so that a long screenshot stays legible. */
const MAX_HEIGHT_RATIO = 4

/** Decodes the first frame once, scaled down to `maxWidth`. `open` starts from these pixels. */
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
  animated: boolean,
) {
  const image = await decode(path, sizes.widths.at(-1)!)
  const standard = Math.min(sizes.standard, image.width)
  const widths = [...new Set(sizes.widths.map((width) => Math.min(width, image.width)))]
  // Beside an animation there is always a still file, however small the image is.
  if (animated && widths.length === 1) widths.unshift(Math.ceil(standard / 2))
  const files = []
  for (const width of widths) {
    const moves = animated && width === standard
    const source = moves ? openUpright(path, true) : image.open()
    const webp = source.resize({ width }).webp({ quality: QUALITY, ...(moves && { effort: 1 }) })
    files.push({ width, bytes: await webp.toBuffer() })
  }
  const height = Math.round((image.height * standard) / image.width)
  const placeholder = await makePlaceholder(image.open())
  return processed(files, { width: standard, height, placeholder, animated })
}

async function makeSquares(path: string, sides: readonly number[]) {
  const image = await decode(path, 2048)
  const files = []
  for (const width of sides) {
    const webp = image.open().resize({ width, height: width, fit: 'cover' }).webp({ quality: QUALITY })
    files.push({ width, bytes: await webp.toBuffer() })
  }
  const side = sides.at(-1)!
  const placeholder = await makePlaceholder(image.open())
  return processed(files, { width: side, height: side, placeholder, animated: false })
}

function processed(
  files: ProcessedImage['files'],
  rest: Omit<Picture, 'name' | 'widths' | 'bytes'>,
): ProcessedImage {
  const name = randomBytes(20).toString('hex')
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  return { picture: { ...rest, name, widths: files.map(({ width }) => width), bytes }, files }
}

/** A ThumbHash (https://evanw.github.io/thumbhash/) in base64: about 28 characters. */
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
    ja: 'HEIC形式は表示できません。JPEGで保存してください',
  },
  pixels: { en: 'it has more than 50 megapixels', ja: '5,000万画素を超えています' },
  broken: { en: 'it is damaged or not complete', ja: 'ファイルが壊れているか、途中で切れています' },
} satisfies Record<string, Localized>

function invalidFile({ field, filename }: UploadedFile, reason: Localized) {
  const name = filename.slice(0, 100) || field
  return fieldError(field, {
    en: `${name} was not accepted: ${reason.en}.`,
    ja: `「${name}」は追加できません。${reason.ja}。`,
  })
}
