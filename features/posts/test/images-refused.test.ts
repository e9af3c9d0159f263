import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTestApp, formData } from '#tests/harness.ts'
import { blackPng, fourColours, padWithZeros, uploadFile } from '#tests/pictures.ts'
import { expectNothingStored, smallPng } from './refused-posts.ts'

const noise = (length: number) =>
  Buffer.from(Array.from({ length }, (_, i) => (i * 7919 + (i >> 3) * 104_729) & 0xff))
const ftypBox = (brand: string) =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from(`ftyp${brand}\0\0\0\0mif1${brand}`, 'latin1'),
    noise(500),
  ])
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script><rect width="9" height="9"/></svg>'

describe('files that are not pictures', () => {
  test.each<[name: string, why: RegExp, type: string, bytes: () => Buffer | string | Promise<Buffer>]>([
    [
      'broken.jpg',
      /damaged/,
      'image/jpeg',
      () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), noise(4000)]),
    ],
    [
      'cut.jpg',
      /damaged/,
      'image/jpeg',
      async () => (await fourColours(600, 400).jpeg().toBuffer()).subarray(0, 1500),
    ],
    [
      'cut.png',
      /damaged/,
      'image/png',
      async () => firstHalf(await fourColours(600, 400).png({ compressionLevel: 0 }).toBuffer()),
    ],
    [
      'cut.webp',
      /damaged/,
      'image/webp',
      async () => firstHalf(await fourColours(600, 400).webp({ lossless: true }).toBuffer()),
    ],
    [
      'cut.avif',
      /damaged/,
      'image/avif',
      async () => firstHalf(await fourColours(600, 400).avif({ effort: 0 }).toBuffer()),
    ],
    ['head.png', /damaged/, 'image/png', () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['head.gif', /damaged/, 'image/gif', () => 'GIF89a'],
    ['empty.jpg', /./, 'image/jpeg', () => ''],
    ['letter.jpg', /only JPEG, PNG, GIF, WebP and AVIF/, 'image/jpeg', () => 'Dear all, this is a text.'],
    ['drawing.png', /only JPEG/, 'image/png', () => svg],
    ['page.gif', /only JPEG/, 'image/gif', () => '<!doctype html><script>alert(1)</script>'],
    ['IMG_0001.jpg', /HEIC/, 'image/jpeg', () => ftypBox('heic')],
    ['film.avif', /only JPEG/, 'image/avif', () => ftypBox('isom').subarray(0, 16)],
    ['写真.jpg', /only JPEG/, 'image/jpeg', () => 'no picture'],
    ['scan.tiff', /only JPEG/, 'image/tiff', () => fourColours().tiff().toBuffer()],
  ])(
    '%s is refused with its name and the reason, and with it a picture beside it',
    async (name, why, type, bytes) => {
      const context = await createTestApp()
      const { Ann } = await context.members('Ann')
      const answer = await Ann.post(
        '/api/posts',
        formData(
          { text: 'Look!' },
          { 'images[]': [await smallPng(), uploadFile(await bytes(), name, type)] },
        ),
      )
      expect(answer).toMatchObject({
        status: 422,
        body: { message: expect.stringContaining(name), errors: { images: [expect.stringMatching(why)] } },
      })
      await expectNothingStored(context)
    },
  )

  test('a small file of more than fifty megapixels is refused; fifty are accepted', async () => {
    const context = await createTestApp()
    const { Ann } = await context.members('Ann')
    const post = (bytes: Buffer) =>
      Ann.post('/api/posts', formData({}, { 'images[]': [uploadFile(bytes, 'huge.png')] }))
    for (const [width, height] of [
      [10_000, 5001],
      [60_000, 60_000],
    ] as const) {
      const bomb = width > 10_000 ? blackPng(width, 1) : blackPng(width, height)
      // Writes a huge height into the header of the PNG. This makes its checksum wrong, but the server must
      // refuse the size before it decodes the picture.
      if (width > 10_000) bomb.writeUInt32BE(height, 20)
      const answer = await post(bomb)
      expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining('huge.png') } })
      if (width === 10_000) expect(answer.body.message).toContain('50 megapixels')
    }
    await expectNothingStored(context)
    expect(await post(blackPng(10_000, 5000))).toMatchObject({
      status: 201,
      body: { post: { images: [{ width: 1280, height: 640 }] } },
    })
  })

  test('a file over 10 MB is refused, and the message names the limit', async () => {
    const context = await createTestApp()
    const { Ann } = await context.members('Ann')
    const heavy = uploadFile(
      padWithZeros(await fourColours().jpeg().toBuffer(), 10 * 2 ** 20 + 1),
      'heavy.jpg',
    )
    const answer = await Ann.post('/api/posts', formData({ text: 'Look!' }, { 'images[]': [heavy] }))
    expect(answer).toMatchObject({
      status: 413,
      body: { message: expect.stringMatching(/heavy\.jpg.*10 MB/) },
    })
    expect(await Ann.post('/api/profile-image', formData({}, { image: [heavy] }))).toMatchObject({
      status: 413,
    })
    await expectNothingStored(context)
  })

  // spec: 9.1
  test('a fifth picture, a description that is too long and an empty post are refused', async () => {
    const context = await createTestApp()
    const { Ann } = await context.members('Ann')
    const picture = await smallPng()
    const pictures = (count: number) => ({ 'images[]': Array<File>(count).fill(picture) })
    expect(await Ann.post('/api/posts', formData({}, pictures(5)))).toMatchObject({
      status: 422,
      body: { errors: { images: [expect.stringContaining('4')] } },
    })
    expect(
      await Ann.post('/api/posts', formData({ 'alt[]': ['fine', 'd'.repeat(1001)] }, pictures(2))),
    ).toMatchObject({
      status: 422,
      body: { errors: { alt: [expect.stringContaining('1000')] } },
    })
    expect(await Ann.post('/api/posts', formData({ text: ' \n ' }))).toMatchObject({
      status: 422,
      body: { errors: { text: [expect.any(String)] } },
    })
    await expectNothingStored(context)
    for (const text of [{}, { text: ' \n ' }])
      expect(await Ann.post('/api/posts', formData(text, pictures(4)))).toMatchObject({
        status: 201,
        body: { post: { body: null } },
      })
    expect((await Ann.get('/api/posts')).body).toMatchObject([{ body: null }, { body: null }])
  })

  test('files in unknown fields are ignored, whatever the field names are', async () => {
    const context = await createTestApp()
    const { Ann } = await context.members('Ann')
    const picture = await smallPng()
    for (const name of ['constructor[]', 'toString[0]', '__proto__[]', 'image', 'images[x]'])
      for (const file of [picture, uploadFile('no picture', 'a.png')])
        expect(
          await Ann.post('/api/posts', formData({ text: 'x' }, { [name]: Array<File>(5).fill(file) })),
          name,
        ).toMatchObject({
          status: 201,
          body: { post: { images: [] } },
        })
    expect(await readdir(join(context.folder, 'scratch'))).toEqual([])
  })

  test('requests without a log-in or a token store no file', async () => {
    const context = await createTestApp()
    const guest = context.visitor()
    await guest.get('/sanctum/csrf-cookie')
    const body = async () => formData({}, { 'images[]': [await smallPng()] })
    expect((await guest.post('/api/posts', await body())).status).toBe(401)
    const { Ann } = await context.members('Ann')
    expect((await Ann.send('POST', '/api/posts', await body(), { 'x-xsrf-token': 'guessed' })).status).toBe(
      419,
    )
    await expectNothingStored(context)
    expect((await Ann.post('/api/posts', await body())).status).toBe(201)
  })
})

const firstHalf = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2))
