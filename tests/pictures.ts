import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

// Functions that make pictures when tests need them, so that the repository needs no photo files.

const colours = {
  red: [220, 40, 40],
  green: [40, 160, 60],
  blue: [40, 60, 200],
  white: [250, 250, 250],
} as const
export type TestColourName = keyof typeof colours

/**
 * Returns a picture with four coloured quarters as a `Sharp` object: red and green above blue and white. So a
 * test can recognise any rotation or mirroring.
 */
export function fourColours(
  width = 64,
  height = 32,
  [tl, tr, bl, br]: readonly TestColourName[] = ['red', 'green', 'blue', 'white'],
): Sharp {
  const raw = Buffer.alloc(width * height * 3)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      raw.set(
        colours[(y < height / 2 ? (x < width / 2 ? tl : tr) : x < width / 2 ? bl : br)!],
        (y * width + x) * 3,
      )
  return sharp(raw, { raw: { width, height, channels: 3 } })
}

/** Returns an animated picture as a `Sharp` object. Each frame has one colour. */
export function animatedPicture(
  width: number,
  height: number,
  shown: readonly TestColourName[] = ['red', 'green', 'blue'],
): Sharp {
  const raw = Buffer.concat(
    shown.map((name) => Buffer.alloc(width * height * 3, Uint8Array.from(colours[name]))),
  )
  return sharp(raw, { raw: { width, height: height * shown.length, channels: 3, pageHeight: height } })
}

/** Returns the bytes of a chunk of a PNG file: its length, its type, its data and its checksum. */
export const pngChunk = (type: string, data: Buffer) => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/**
 * Returns a valid black PNG with one bit per pixel, so that even a picture of many megapixels needs only a
 * few kilobytes.
 */
export function blackPng(width: number, height: number): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const lines = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    pngChunk('IHDR', head),
    pngChunk('IDAT', lines),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

export const uploadFile = (bytes: Uint8Array | string, name: string, type = 'application/octet-stream') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })

/**
 * Returns the bytes with zeros added at the end, up to `length` bytes. Decoders of pictures ignore the zeros.
 */
export const padWithZeros = (bytes: Buffer, length: number) =>
  Buffer.concat([bytes, Buffer.alloc(length - bytes.length)])

/**
 * Returns a pixel of a picture as `[red, green, blue]`, or with alpha as the fourth number if the picture has
 * alpha.
 */
export async function readPixel(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const at = (y * info.width + x) * info.channels
  return [...data.subarray(at, at + info.channels)]
}

/** Returns the name of the test colour that is nearest to the colour of a pixel of a picture. */
export async function nearestColour(bytes: Buffer, x: number, y: number): Promise<TestColourName> {
  const pixel = await readPixel(bytes, x, y)
  const distance = (name: TestColourName) => Math.hypot(...colours[name].map((value, i) => value - pixel[i]!))
  return (Object.keys(colours) as TestColourName[]).reduce((best, name) =>
    distance(name) < distance(best) ? name : best,
  )
}
