import { initialPageData } from '#web/page-data.ts'

/**
 * The maximum size of a picture's file in MB (2^20 bytes), as it was set when the page was loaded. Admins
 * can change the limit later. The server checks the current limit.
 */
export const maxPictureMb = initialPageData.app.maxPictureMb ?? 10
const MAX_BYTES = maxPictureMb * 2 ** 20
/**
 * The other limits of the server for one picture, in pixels and in pixels of a side: see
 * core/media/images.ts.
 */
const MAX_PIXELS = 50e6
const MAX_SIDE = 16_384

/**
 * The first length, in pixels, that is tried for the longer side of a picture that is made smaller. Mobile
 * browsers draw no larger square canvas.
 */
const SHRUNK_SIDE = 4096
const QUALITY = 0.9

/**
 * Returns a picture as an upright bitmap, or null if the browser cannot read it. The caller has to close the
 * bitmap.
 */
const decodeImage = (file: Blob) => createImageBitmap(file).catch(() => null)

/** Returns whether the first bytes of a file are those of a HEIC picture, as iPhones make them. */
async function isHeic(file: Blob) {
  const head = new Uint8Array(await file.slice(4, 64).arrayBuffer())
  const text = String.fromCharCode(...head)
  return text.startsWith('ftyp') && /hei[cmsx]|hev[cmsx]|mif1|msf1/.test(text) && !/avi[fs]/.test(text)
}

/**
 * Returns a file that browsers and the server can read: a HEIC picture as WebP or JPEG, another picture as
 * it is. Returns null if the picture cannot be read, or if a HEIC picture cannot be made small enough.
 */
export async function convertToReadableImage(file: File): Promise<File | null> {
  const isConverted = await isHeic(file)
  const bitmap = (await decodeImage(file)) ?? (isConverted ? await decodeHeic(file) : null)
  if (!bitmap) return null
  try {
    const converted = isConverted ? await shrink(file, bitmap) : file
    return converted === 'too large' ? null : converted
  } finally {
    bitmap.close()
  }
}

/** Loads the decoder, and returns a HEIC picture as a bitmap. Returns null if loading or decoding fails. */
const decodeHeic = (file: Blob) =>
  import('#web/ui/heic.tsx').then(
    ({ decodeHeicPictureToBitmap: decode }) => decode(file),
    () => null,
  )

const write = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY))

/**
 * Returns the picture of a canvas as a WebP file, or as a JPEG file on a white background if the browser
 * cannot write WebP.
 */
export async function encodeCanvasAsWebpOrJpeg(canvas: HTMLCanvasElement): Promise<Blob | null> {
  const written = await write(canvas, 'image/webp')
  if (written?.type === 'image/webp') return written
  const context = canvas.getContext('2d')!
  context.globalCompositeOperation = 'destination-over'
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  return write(canvas, 'image/jpeg')
}

/** Returns a file name with the extension of the converted picture: `photo.heic` → `photo.webp`. */
export const replaceFileExtensionForConvertedImage = (name: string, { type }: Blob) =>
  `${name.replace(/\.\w+$/, '')}${type === 'image/webp' ? '.webp' : '.jpg'}`

/**
 * Returns whether a picture is animated. All GIFs count as animated; a WebP has a flag in its VP8X header.
 */
async function isAnimated(file: File) {
  const head = new Uint8Array(await file.slice(0, 21).arrayBuffer())
  const letters = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to))
  return letters(0, 4) === 'GIF8' || (letters(12, 16) === 'VP8X' && (head[20]! & 2) === 2)
}

/**
 * Draws a picture smaller and smaller until its file is small enough for the server, and returns that file.
 * Returns `too large` if even the smallest version is not small enough.
 */
async function shrink(file: File, bitmap: ImageBitmap) {
  for (let side = SHRUNK_SIDE; side >= 512; side /= 2) {
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    const context = canvas.getContext('2d')!
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const written = await encodeCanvasAsWebpOrJpeg(canvas)
    if (written && written.size <= MAX_BYTES)
      return new File([written], replaceFileExtensionForConvertedImage(file.name, written), {
        type: written.type,
      })
  }
  return 'too large'
}

/**
 * Returns a file that the server accepts, or the reason why there is none. Converts HEIC pictures, and makes
 * pictures above the limits smaller. Refuses animations above the limits, because they would become still.
 */
export async function preparePictureForUploadOrReturnReason(
  given: File,
): Promise<File | 'unreadable' | 'too large'> {
  const file = await convertToReadableImage(given)
  const bitmap = file && (await decodeImage(file))
  if (!bitmap) return 'unreadable'
  const { width, height } = bitmap
  try {
    if (file.size <= MAX_BYTES && width * height <= MAX_PIXELS && Math.max(width, height) <= MAX_SIDE)
      return file
    return (await isAnimated(file)) ? 'too large' : await shrink(file, bitmap)
  } finally {
    bitmap.close()
  }
}
