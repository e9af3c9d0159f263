// When a picture was taken, as cameras write it: Exif 2.32 (CIPA DC-008), in the structure of TIFF 6.0.

const EXIF = 0x8769
const DATE_TIME_ORIGINAL = 0x9003
const OFFSET_TIME_ORIGINAL = 0x9011
/** A directory has far fewer entries. */
const MAX_ENTRIES = 200

type Tiff = { bytes: Buffer; little: boolean }

const u16 = ({ bytes, little }: Tiff, at: number) =>
  little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at)
const u32 = ({ bytes, little }: Tiff, at: number) =>
  little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)

/** Where the entry begins; undefined without one. */
function findEntry(tiff: Tiff, directory: number, tag: number) {
  const count = Math.min(u16(tiff, directory), MAX_ENTRIES)
  for (let at = directory + 2, left = count; left > 0; at += 12, left--) if (u16(tiff, at) === tag) return at
  return undefined
}

function readText(tiff: Tiff, directory: number, tag: number) {
  const entry = findEntry(tiff, directory, tag)
  if (entry === undefined) return ''
  const length = Math.min(u32(tiff, entry + 4), 32)
  const start = length > 4 ? u32(tiff, entry + 8) : entry + 8
  return tiff.bytes.toString('latin1', start, start + length).split('\0')[0]!
}

/**
 * ISO 8601; null if `exif` does not say it. `offset` is in minutes east of UTC, for cameras that write only
 * their own time.
 */
export function parseTakenAt(exif: Buffer | undefined, offset: number): string | null {
  if (!exif) return null
  const bytes = exif.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif
  try {
    const tiff = { bytes, little: bytes.toString('latin1', 0, 2) === 'II' }
    const pointer = findEntry(tiff, u32(tiff, 4), EXIF)
    if (pointer === undefined) return null
    const directory = u32(tiff, pointer + 8)
    const [day, time] = readText(tiff, directory, DATE_TIME_ORIGINAL).split(' ')
    const zone = readText(tiff, directory, OFFSET_TIME_ORIGINAL)
    const own = /^[+-]\d\d:\d\d$/.test(zone) ? zone : 'Z'
    const at = Date.parse(`${day?.replaceAll(':', '-')}T${time}${own}`)
    return isPlausible(at) ? new Date(own === 'Z' ? at - offset * 60_000 : at).toISOString() : null
  } catch (error) {
    // An offset outside of the buffer.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Clocks of cameras that were never set begin before. */
const FIRST = Date.parse('1981-01-01')
const DAY = 24 * 3600_000

const isPlausible = (at: number) => at > FIRST && at < Date.now() + DAY

/** ISO 8601; `given` comes from the client. */
export async function readTakenAt(path: string, given: string | null, offset: number) {
  const { default: sharp } = await import('sharp')
  const { exif } = await sharp(path, { limitInputPixels: false }).metadata()
  const stated = given !== null && isPlausible(Date.parse(given)) ? new Date(given).toISOString() : null
  return parseTakenAt(exif, offset) ?? stated ?? new Date().toISOString()
}
