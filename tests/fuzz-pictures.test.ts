import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { expectValidAnswer, fuzz } from '#tests/fuzz.ts'
import { createTestApp, formData, type TestApp, type TestClient } from '#tests/harness.ts'
import {
  animatedPicture,
  blackPng,
  fourColours,
  padWithZeros,
  pngChunk,
  uploadFile,
} from '#tests/pictures.ts'

vi.setConfig({ testTimeout: 300_000 })

/**
 * The limit in megabytes by which the resident memory of the test process may grow while pictures are
 * decoded. A picture of fifty megapixels needs two hundred megabytes.
 */
const MOST_MEMORY = 900

const whole: Record<string, Buffer> = {}
beforeAll(async () => {
  const exif = { IFD0: { Orientation: '6', Artist: 'x'.repeat(2000) } }
  whole.jpeg = await fourColours().withExif(exif).jpeg().toBuffer()
  whole.png = await fourColours().png().toBuffer()
  whole.gif = await animatedPicture(20, 10).gif().toBuffer()
  whole.webp = await animatedPicture(20, 10).webp().toBuffer()
  whole.avif = await fourColours().avif({ effort: 0 }).toBuffer()
  whole.heic = Buffer.concat([
    whole.avif.subarray(0, 8),
    Buffer.from('heic'),
    whole.avif.subarray(12, 16),
    Buffer.from('heic'),
    whole.avif.subarray(20),
  ])
  whole.svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
  )
  whole.text = Buffer.from('Dear all, this is a text.')
})
const kinds = ['jpeg', 'png', 'gif', 'webp', 'avif', 'heic', 'svg', 'text']

/**
 * Uploads a file with a post, with a message and as a profile image. Expects that all endpoints accept it, or
 * that all reject it and name the file. Returns the response status of the post.
 */
async function upload(context: TestApp, who: TestClient, to: number, bytes: Uint8Array) {
  const file = uploadFile(bytes, 'given.jpg', 'image/jpeg')
  const answers = [
    await who.post('/api/posts', formData({}, { 'images[]': [file] })),
    await who.post(
      '/api/send-private-message',
      formData({ targetUserId: String(to) }, { 'images[]': [file] }),
    ),
    await who.post('/api/profile-image', formData({}, { image: [file] })),
  ]
  for (const answer of answers) {
    expectValidAnswer(answer)
    expect([200, 201, 422]).toContain(answer.status)
    if (answer.status === 422) expect(answer.body.message).toContain('given.jpg')
  }
  // Expects that all endpoints accept the file, or that all reject it.
  expect(new Set(answers.map(({ status }) => status === 422)).size).toBe(1)
  await expect
    .poll(() => readdir(join(context.folder, 'scratch')), { interval: 5, timeout: 10_000 })
    .toEqual([])
  return answers[0]!.status
}

async function studio() {
  const context = await createTestApp()
  const { Ann, Ben } = await context.members('Ann', 'Ben')
  await Ann.post(`/api/follow/${Ben.id}`)
  const faults = vi.spyOn(context.app.log, 'error')
  return {
    context,
    faults,
    ann: Ann,
    give: (bytes: Uint8Array) => upload(context, Ann, Ben.id, bytes),
    /** Expects that the app has logged no error, and that every stored file has a row in the database. */
    async expectTidy() {
      expect(faults.mock.calls).toEqual([])
      expect(await context.context.media.cleanUp()).toEqual({ aside: 0, back: 0 })
    },
  }
}

describe('a picture', () => {
  test('that is truncated, has flipped bits, or has another format’s header, is accepted or rejected by name', async () => {
    const { give, expectTidy } = await studio()
    const kind = fc.constantFrom(...kinds)
    const where = fc.double({ min: 0, max: 0.999, noNaN: true })
    const damaged = fc.oneof(
      fc.tuple(kind, where).map(([of, at]) => whole[of]!.subarray(0, Math.floor(whole[of]!.length * at))),
      fc
        .tuple(
          kind,
          fc.array(fc.tuple(where, fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 8 }),
        )
        .map(([of, flips]) => {
          const bytes = Buffer.from(whole[of]!)
          for (const [at, by] of flips) bytes[Math.floor(bytes.length * at)]! ^= by
          return bytes
        }),
      fc
        .tuple(kind, kind, fc.integer({ min: 4, max: 40 }))
        .map(([head, body, length]) =>
          Buffer.concat([whole[head]!.subarray(0, length), whole[body]!.subarray(length)]),
        ),
      fc.tuple(kind, kind).map(([one, other]) => Buffer.concat([whole[one]!, whole[other]!])),
      fc.uint8Array({ maxLength: 200 }),
    )
    await fuzz(
      fc.asyncProperty(damaged, async (bytes) => {
        await give(bytes)
      }),
      { share: 3 },
    )
    await expectTidy()
  })

  test('with an enormous size in its header is rejected in bounded memory', async () => {
    const { give, expectTidy } = await studio()
    const before = process.memoryUsage().rss
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss - before)), 20)
    for (const bytes of [
      claims(blackPng(1, 1), 50_000, 50_000),
      claims(blackPng(1, 1), 2 ** 31 - 1, 2 ** 31 - 1),
      claims(blackPng(1, 1), 0, 0),
      blackPng(7100, 7100),
      zipped(7000, 7000, 60 * 2 ** 20),
      Buffer.from(
        `GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\xff\xff\xff\xff\0\x02\x02D\x01\0;`,
        'latin1',
      ),
      jpegOf(65_535, 65_535),
    ])
      expect(await give(bytes)).toBe(422)
    clearInterval(watch)
    expect(most / 2 ** 20, 'megabytes').toBeLessThan(MOST_MEMORY)
    await expectTidy()
  })

  test('with thousands of frames is accepted', async () => {
    const { give, expectTidy } = await studio()
    const colours = Array.from({ length: 3000 }, (_, i) => (['red', 'green', 'blue'] as const)[i % 3]!)
    expect(await give(await animatedPicture(4, 4, colours).gif({ effort: 1 }).toBuffer())).toBe(201)
    await expectTidy()
  })

  test('followed by extra data is accepted, and the extra data is not stored', async () => {
    const { ann, give, expectTidy } = await studio()
    const page = Buffer.from('<script>alert(1)</script><?php phpinfo(); ?>PK\x03\x04')
    for (const kind of ['jpeg', 'png', 'gif', 'webp']) {
      expect(await give(Buffer.concat([whole[kind]!, page])), kind).toBe(201)
      const { body } = await ann.get('/api/posts?limit=1')
      const shown = await ann.get(body[0].images[0].path)
      expect(shown.headers['content-type']).toBe('image/webp')
      expect(shown.raw.includes('script')).toBe(false)
    }
    await expectTidy()
  })

  test('with an invalid EXIF orientation gets a 201 or a 422', async () => {
    const { ann, give } = await studio()
    for (const orientation of [0, 9, 255, 65_535]) {
      const bytes = Buffer.from(whole.jpeg!)
      const at =
        bytes.indexOf(Buffer.from([0x12, 0x01])) >= 0
          ? bytes.indexOf(Buffer.from([0x12, 0x01]))
          : bytes.indexOf(Buffer.from([0x01, 0x12]))
      expect(at).toBeGreaterThan(0)
      bytes.writeUInt16LE(orientation, at + 8)
      expect([201, 422]).toContain(await give(bytes))
    }
    expect((await ann.get('/api/posts')).status).toBe(200)
  })

  test('that is empty or larger than 10 MB is rejected', async () => {
    const { ann, faults } = await studio()
    const nothing = { images: [uploadFile('', 'empty.png'), uploadFile('', '')] }
    for (const file of nothing.images) {
      expect((await ann.post('/api/posts', formData({}, { 'images[]': [file] }))).status).toBe(422)
      expect((await ann.post('/api/profile-image', formData({}, { image: [file] }))).status).toBe(422)
    }
    expect(
      (
        await ann.post(
          '/api/posts',
          formData({}, { 'images[]': [uploadFile(padWithZeros(whole.png!, 10 * 2 ** 20 + 1), 'x.png')] }),
        )
      ).status,
    ).toBe(413)
    expect(faults.mock.calls).toEqual([])
  })
})

/** Returns a copy of a PNG with another width and height in its header, and a correct checksum. */
function claims(png: Buffer, width: number, height: number) {
  const data = Buffer.from(png.subarray(16, 29))
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  return Buffer.concat([png.subarray(0, 8), pngChunk('IHDR', data), png.subarray(33)])
}

/** Returns a PNG whose compressed data unpacks to `bytes` bytes, whatever its width and height are. */
function zipped(width: number, height: number, bytes: number) {
  const png = claims(blackPng(1, 1), width, height)
  return Buffer.concat([
    png.subarray(0, 33),
    pngChunk('IDAT', deflateSync(Buffer.alloc(bytes, 7))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns a copy of a JPEG with another width and height in its header. */
function jpegOf(width: number, height: number) {
  const bytes = Buffer.from(whole.jpeg!)
  const at = bytes.findIndex((byte, i) => byte === 0xff && (bytes[i + 1] === 0xc0 || bytes[i + 1] === 0xc2))
  bytes.writeUInt16BE(height, at + 5)
  bytes.writeUInt16BE(width, at + 7)
  return bytes
}
