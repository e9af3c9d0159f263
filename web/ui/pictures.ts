/** The server's limits for one picture: see core/media/images.ts. */
const MOST_BYTES = 10 * 2 ** 20
const MOST_PIXELS = 50e6
const MOST_SIDE = 16_384

/** The longer side of a picture that was made smaller. Browsers of phones draw no larger square. */
const SHRUNK_SIDE = 4096
const QUALITY = 0.9

/** Decodes a picture, upright. Null where the browser cannot read it: the caller closes the bitmap. */
export const decode = (file: Blob) => createImageBitmap(file).catch(() => null)

const write = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY))

/** The canvas as WebP, or as JPEG on white where the browser cannot write WebP. */
export async function encode(canvas: HTMLCanvasElement): Promise<Blob | null> {
  const written = await write(canvas, 'image/webp')
  if (written?.type === 'image/webp') return written
  const context = canvas.getContext('2d')!
  context.globalCompositeOperation = 'destination-over'
  context.fillStyle = 'white'
  context.fillRect(0, 0, canvas.width, canvas.height)
  return write(canvas, 'image/jpeg')
}

/** `photo.heic` → `photo.webp`, by the type of the new picture. */
export const renamed = (name: string, { type }: Blob) =>
  `${name.replace(/\.\w+$/, '')}${type === 'image/webp' ? '.webp' : '.jpg'}`

/** GIFs count as animated. A WebP says it in its header (VP8X, the flag “animation”). */
async function isAnimated(file: File) {
  const head = new Uint8Array(await file.slice(0, 21).arrayBuffer())
  const letters = (from: number, to: number) => String.fromCharCode(...head.subarray(from, to))
  return letters(0, 4) === 'GIF8' || (letters(12, 16) === 'VP8X' && (head[20]! & 2) === 2)
}

/** Draws a picture smaller until it fits, as a still. */
async function shrink(file: File, bitmap: ImageBitmap) {
  for (let side = SHRUNK_SIDE; side >= 512; side /= 2) {
    const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(bitmap.width * scale))
    canvas.height = Math.max(1, Math.round(bitmap.height * scale))
    const context = canvas.getContext('2d')!
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const written = await encode(canvas)
    if (written && written.size <= MOST_BYTES)
      return new File([written], renamed(file.name, written), { type: written.type })
  }
  return 'too large'
}

/**
 * The file as the server takes it. A picture above the server's limits is made smaller; an animation would
 * lose its movement, so it is refused.
 */
export async function fitForUpload(file: File): Promise<File | 'unreadable' | 'too large'> {
  const bitmap = await decode(file)
  if (!bitmap) return 'unreadable'
  const { width, height } = bitmap
  try {
    if (file.size <= MOST_BYTES && width * height <= MOST_PIXELS && Math.max(width, height) <= MOST_SIDE)
      return file
    return (await isAnimated(file)) ? 'too large' : await shrink(file, bitmap)
  } finally {
    bitmap.close()
  }
}
