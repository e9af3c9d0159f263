import { pageData } from '#web/page-data.ts'

/** MB (2^20 bytes), as set when the page was loaded. The server checks the current limit. */
export const maxPictureMb = pageData.app.maxPictureMb ?? 10
const MAX_BYTES = maxPictureMb * 2 ** 20
/** The server's other limits for one picture: see core/media/images.ts. */
const MAX_PIXELS = 50e6
const MAX_SIDE = 16_384

/** Pixels of the longer side that are tried first. Mobile browsers draw no larger square canvas. */
const SHRUNK_SIDE = 4096
const QUALITY = 0.9

/** Upright; null if the browser cannot read it. The caller has to close the bitmap. */
const decodeImage = (file: Blob) => createImageBitmap(file).catch(() => null)

/** By the first bytes; iPhones make such pictures. */
async function isHeic(file: Blob) {
  const head = new Uint8Array(await file.slice(4, 64).arrayBuffer())
  const text = String.fromCharCode(...head)
  return text.startsWith('ftyp') && /hei[cmsx]|hev[cmsx]|mif1|msf1/.test(text) && !/avi[fs]/.test(text)
}

/** HEIC becomes WebP or JPEG, others stay. Null if it cannot be read, or HEIC cannot be made small enough. */
export async function makeReadable(file: File): Promise<File | null> {
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

/** Null if loading or decoding fails. */
const decodeHeic = (file: Blob) =>
  import('#web/ui/heic.tsx').then(
    ({ decodeHeic: decode }) => decode(file),
    () => null,
  )

const write = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY))

/** JPEG on a white background if the browser cannot write WebP. */
export async function encodeCanvas(canvas: HTMLCanvasElement): Promise<Blob | null> {
  const written = await write(canvas, 'image/webp')
  if (written?.type === 'image/webp') return written
  const context = canvas.getContext('2d')!
  context.globalCompositeOperation = 'destination-over'
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  return write(canvas, 'image/jpeg')
}

/** `photo.heic` → `photo.webp`. */
export const convertedName = (name: string, { type }: Blob) =>
  `${name.replace(/\.\w+$/, '')}${type === 'image/webp' ? '.webp' : '.jpg'}`

/** All GIFs count; a WebP has a flag in its VP8X header. */
async function isAnimated(file: File) {
  const head = new Uint8Array(await file.slice(0, 21).arrayBuffer())
  const letters = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to))
  return letters(0, 4) === 'GIF8' || (letters(12, 16) === 'VP8X' && (head[20]! & 2) === 2)
}

/** Smaller and smaller until the server accepts it; `too large` if even the smallest is not. */
async function shrink(file: File, bitmap: ImageBitmap) {
  for (let side = SHRUNK_SIDE; side >= 512; side /= 2) {
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    const context = canvas.getContext('2d')!
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const written = await encodeCanvas(canvas)
    if (written && written.size <= MAX_BYTES)
      return new File([written], convertedName(file.name, written), {
        type: written.type,
      })
  }
  return 'too large'
}

/** Converts HEIC, and makes large pictures smaller; not animations, which would become still. */
export async function preparePicture(given: File): Promise<File | 'unreadable' | 'too large'> {
  const file = await makeReadable(given)
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
