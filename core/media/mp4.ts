import { type FileHandle, open } from 'node:fs/promises'

// Boxes of ISO/IEC 14496-12, also of QuickTime: a length, a name and a content, which may be other boxes.

/** A file has a handful beside each other. */
const MAX_BOXES = 64
const MAX_MS = 86_400_000

interface Box {
  name: string
  /** Of the content. */
  start: number
  end: number
}

/** How long the video or sound in a file takes, in ms; null if the file does not say it. */
export async function durationOf(path: string) {
  const handle = await open(path, 'r')
  try {
    const { size } = await handle.stat()
    const movie = await find(handle, 'moov', { start: 0, end: size })
    const header = movie && (await find(handle, 'mvhd', movie))
    return header && toDuration(await read(handle, header.start, 32))
  } finally {
    await handle.close()
  }
}

async function find(handle: FileHandle, wanted: string, { start, end }: Pick<Box, 'start' | 'end'>) {
  let position = start
  for (let seen = 0; seen < MAX_BOXES && position + 8 <= end; seen++) {
    const box = readBox(await read(handle, position, 16), position, end)
    if (!box) return null
    if (box.name === wanted) return box
    position = box.end
  }
  return null
}

/** Null if the box reaches over the end of the one around it. */
function readBox(head: Buffer, position: number, limit: number): Box | null {
  const short = head.readUInt32BE(0)
  const name = head.toString('latin1', 4, 8)
  const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short || limit - position
  const headLength = short === 1 ? 16 : 8
  const end = position + length
  return length < headLength || end > limit ? null : { name, start: position + headLength, end }
}

/** Of the content of `mvhd`: version 1 has times of 64 bits. */
function toDuration(header: Buffer) {
  const isLong = header[0] === 1
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const units = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  const ms = Math.round((units / scale) * 1000)
  return ms > 0 && ms <= MAX_MS ? ms : null
}

/** Zeros after the end of the file. */
async function read(handle: FileHandle, position: number, bytes: number) {
  const { buffer } = await handle.read(Buffer.alloc(bytes), 0, bytes, position)
  return buffer
}
