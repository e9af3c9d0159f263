import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

// Pictures for tests, made as they are needed: no file of a camera lies in this repository.

const colours = {
  red: [220, 40, 40],
  green: [40, 160, 60],
  blue: [40, 60, 200],
  white: [250, 250, 250],
} as const
export type Colour = keyof typeof colours

/** Red and green above blue and white: any turn or mirroring can be told. */
export function quarters(
  width = 64,
  height = 32,
  [tl, tr, bl, br]: readonly Colour[] = ['red', 'green', 'blue', 'white'],
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

/** Frames of one colour each, one after another. */
export function frames(
  width: number,
  height: number,
  shown: readonly Colour[] = ['red', 'green', 'blue'],
): Sharp {
  const raw = Buffer.concat(
    shown.map((name) => Buffer.alloc(width * height * 3, Uint8Array.from(colours[name]))),
  )
  return sharp(raw, { raw: { width, height: height * shown.length, channels: 3, pageHeight: height } })
}

/** A part of a PNG, with its length and its sum. */
export const chunk = (type: string, data: Buffer) => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A whole and correct black PNG with one bit a pixel: megapixels in a few kilobytes. */
export function blackPng(width: number, height: number): Buffer {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  const lines = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))])
}

export const asFile = (bytes: Uint8Array | string, name: string, type = 'application/octet-stream') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })

/** The bytes made as long as wanted by zeros after their end, which decoders pass over. */
export const padded = (bytes: Buffer, length: number) =>
  Buffer.concat([bytes, Buffer.alloc(length - bytes.length)])

/** `[r, g, b]`, and alpha where there is one. */
export async function pixelOf(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const at = (y * info.width + x) * info.channels
  return [...data.subarray(at, at + info.channels)]
}

/** The colour that a pixel is nearest to. */
export async function colourAt(bytes: Buffer, x: number, y: number): Promise<Colour> {
  const pixel = await pixelOf(bytes, x, y)
  const distance = (name: Colour) => Math.hypot(...colours[name].map((value, i) => value - pixel[i]!))
  return (Object.keys(colours) as Colour[]).reduce((best, name) =>
    distance(name) < distance(best) ? name : best,
  )
}
