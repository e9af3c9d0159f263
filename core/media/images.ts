import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import sharp, { type Metadata, type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { BilingualSentence } from '#core/contract.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'

// Switches off the cache of libvips, because each picture is decoded once, and a cache would only take
// memory.
sharp.cache(false)

const MAX_PIXELS = 50_000_000
/** The maximum width and height in pixels. An image with a line of millions of pixels would take minutes. */
const MAX_SIDE = 16_384
/** The most memory, in bytes, for decoding one image; in some formats this is less than MAX_PIXELS needs. */
const MAX_DECODED_BYTES = 450_000_000
/**
 * An image that needs more bytes than this to be decoded is large. The decoding queue runs only one large
 * image at a time.
 */
const LARGE_BYTES = 100_000_000
/**
 * The limit for the pixels of all frames together. Larger animations become still images, because a megapixel
 * takes tenths of a second.
 */
const MAX_ANIMATION_PIXELS = 16_000_000
const MAX_FRAMES = 1000
/** The maximum time, in seconds, to decode an uploaded file; for an animation, also to encode it. */
const TIMEOUT = 30
const QUALITY = 80

/**
 * A file that a client uploaded; its content is not checked yet. The functions of this file take it as an
 * image.
 */
export interface UploadedFileNameAndTempPath {
  field: string
  filename: string
  path: string
}

export interface PictureMetadata {
  /** The random name of the picture: 40 hexadecimal digits. Two uploads of the same file get two names. */
  name: string
  /** The widths of the picture's files, from narrow to wide. */
  widths: number[]
  /**
   * The size in pixels (`width`, `height`) of the picture's standard file, after the image was turned
   * upright.
   */
  width: number
  height: number
  placeholder: string
  animated: boolean
  bytes: number
  /** The picture whose stored files this one shows; undefined if it has files of its own. */
  source?: string
}

export interface PictureMetadataAndWebpFiles {
  picture: PictureMetadata
  files: { width: number; bytes: Buffer }[]
}

/**
 * The sizes of the files to make of an image. `widths`: one file for each width, in the proportions of the
 * image; clients that show only one file use that of the width `standard`. `squares`: one file for each side,
 * cut from the centre.
 */
export type ImageOutputSizes =
  | { widths: readonly number[]; standard: number }
  | { squares: readonly number[] }

type ImageType = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif' | 'heic'

/**
 * Returns the type of an image by the first 32 bytes of its file; null if it is none of these types. Uploads
 * in HEIC are detected too, because they are refused with a reason of their own.
 */
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

/** Properties that `checkImageAndReadAnimatedAndLargeFlags` reads from the header of an image. */
export interface ImageAnimatedAndLargeFlags {
  animated: boolean
  /** Whether the image is so large that only one such image may be decoded at a time. */
  isLarge: boolean
}

/**
 * Reads the header of a file. Throws 422 with the file's name and the reason if the image is not accepted.
 */
export async function checkImageAndReadAnimatedAndLargeFlags(
  upload: UploadedFileNameAndTempPath,
): Promise<ImageAnimatedAndLargeFlags> {
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
 * Returns how many bytes the decoders of libvips 8.18 need for each pixel, measured with 50 megapixels. Most
 * decode a few lines at a time. AVIF, GIF, WebP, interlaced PNG and progressive JPEG are in memory as a
 * whole.
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
 * Makes WebP files of an image, upright and without metadata. Throws 422 with the upload's name and the
 * reason if the image cannot be decoded. Before each file it checks `signal`, and throws the reason of an
 * abort.
 */
export async function convertImageToPictureMetadataAndWebpFiles(
  upload: UploadedFileNameAndTempPath,
  { animated }: ImageAnimatedAndLargeFlags,
  sizes: ImageOutputSizes,
  signal?: AbortSignal,
): Promise<PictureMetadataAndWebpFiles> {
  try {
    if ('squares' in sizes) return await makeSquares(upload.path, sizes.squares, signal)
    return await makeWidths(upload.path, sizes, animated, signal)
  } catch (error) {
    if (error instanceof HttpError) throw error
    const isSlow = error instanceof Error && error.message.startsWith('timeout')
    throw invalidFile(upload, isSlow ? reasons.slow : reasons.broken)
  }
}

/**
 * Opens an image. Fails on truncated and damaged data. Turns the image upright by its EXIF data, and drops
 * all metadata.
 */
const openUpright = (path: string, animated = false) =>
  sharp(path, { failOn: 'error', limitInputPixels: MAX_PIXELS, animated })
    .autoOrient()
    .toColourspace('srgb')
    .timeout({ seconds: TIMEOUT })

/**
 * The height of the box into which an image is scaled, as a multiple of the width of the box. The box is
 * high, so that a long screenshot stays legible.
 */
const MAX_HEIGHT_RATIO = 4
/** The maximum side of a WebP image, in pixels. */
const MAX_WEBP_SIDE = 16_383

/**
 * Decodes the first frame once, scaled down to `maxWidth`. `open` returns a new sharp instance with the
 * decoded pixels.
 */
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
  // Makes no animation of an image that is one pixel wide, because an animation needs a narrower still file
  // beside it.
  const animated = asAnimation && image.width > 1
  const standard = Math.min(sizes.standard, image.width)
  const widths = [...new Set(sizes.widths.map((width) => Math.min(width, image.width)))]
  // Adds a narrower still file if an animation would have none, because the image is small.
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
  files: PictureMetadataAndWebpFiles['files'],
  rest: Omit<PictureMetadata, 'name' | 'widths' | 'bytes'>,
): PictureMetadataAndWebpFiles {
  const name = randomBytes(20).toString('hex')
  const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0)
  return { picture: { ...rest, name, widths: files.map(({ width }) => width), bytes }, files }
}

/** Returns a ThumbHash (https://evanw.github.io/thumbhash/) in base64: about 28 characters. */
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
  side: {
    en: 'one of its sides has more than 16,384 pixels',
    ja: '縦または横が16,384画素を超えています',
  },
  bytes: {
    en: 'it takes too much memory to decode in this format; make it smaller or save it as JPEG',
    ja: 'この形式では処理に必要なメモリが多すぎます。縮小するか、JPEGで保存してください',
  },
  slow: {
    en: 'it took too long to decode; make it smaller or save it as JPEG',
    ja: '処理に時間がかかりすぎました。縮小するか、JPEGで保存してください',
  },
  broken: { en: 'it is damaged or not complete', ja: 'ファイルが壊れているか、途中で切れています' },
} satisfies Record<string, BilingualSentence>

function invalidFile({ field, filename }: UploadedFileNameAndTempPath, reason: BilingualSentence) {
  const name = filename || field
  return createInvalidFieldError(field, {
    en: `${name} was not accepted: ${reason.en}.`,
    ja: `「${name}」は追加できません。${reason.ja}。`,
  })
}
