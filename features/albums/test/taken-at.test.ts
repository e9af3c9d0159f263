import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { parseTakenAt } from '../taken-at.ts'

const exifOf = async (more: Record<string, string>) => {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
  const bytes = await image.withExif({ IFD2: more }).jpeg().toBuffer()
  return (await sharp(bytes).metadata()).exif
}

describe('the time of a picture', () => {
  test('is that of the camera, in its own zone or that of the sender', async () => {
    const at = { DateTimeOriginal: '2024:05:05 21:30:00' }
    expect(parseTakenAt(await exifOf(at), 540)).toBe('2024-05-05T12:30:00.000Z')
    const zoned = await exifOf({ ...at, OffsetTimeOriginal: '-03:00' })
    expect(parseTakenAt(zoned, 540)).toBe('2024-05-06T00:30:00.000Z')
  })

  test('is unknown for clocks that were never set, and for broken data', async () => {
    expect(parseTakenAt(undefined, 0)).toBeNull()
    for (const DateTimeOriginal of ['0000:00:00 00:00:00', '1980:01:01 00:00:00', '2999:01:01 00:00:00', 'x'])
      expect(parseTakenAt(await exifOf({ DateTimeOriginal }), 0)).toBeNull()
    const good = (await exifOf({ DateTimeOriginal: '2024:05:05 21:30:00' }))!
    for (let length = 0; length < good.length; length++)
      expect(() => parseTakenAt(good.subarray(0, length), 0)).not.toThrow()
    for (let at = 0; at < good.length; at++) {
      const broken = Buffer.from(good)
      broken[at] = 0xff
      expect(() => parseTakenAt(broken, 0)).not.toThrow()
    }
  })
})
