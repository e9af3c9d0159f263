import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createMediaService } from '#core/media/media.ts'
import { openMediaStorage } from '#core/media/open-storage.ts'
import {
  createTestApp,
  createTestFormData,
  readTestTableRows,
  type TestApp,
  testDatabaseDialects,
} from '#tests/harness.ts'
import {
  createBlackPng,
  createFourColourTestPicture,
  createTestUploadFile,
  padBytesWithZeros,
} from '#tests/pictures.ts'

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

const createPngFile = async () =>
  createTestUploadFile(await createFourColourTestPicture().png().toBuffer(), 'a.png')

/** Expects that a refused post has left no row, no picture file and no temporary file. */
async function expectNothing({ db, folder }: TestApp) {
  for (const table of ['posts', 'post_images', 'media', 'pending_media'])
    expect(await readTestTableRows(db, table), table).toEqual([])
  for (const name of ['media', 'scratch']) expect(await readdir(join(folder, name)), name).toEqual([])
}

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
      async () => (await createFourColourTestPicture(600, 400).jpeg().toBuffer()).subarray(0, 1500),
    ],
    [
      'cut.png',
      /damaged/,
      'image/png',
      async () =>
        firstHalf(await createFourColourTestPicture(600, 400).png({ compressionLevel: 0 }).toBuffer()),
    ],
    [
      'cut.webp',
      /damaged/,
      'image/webp',
      async () => firstHalf(await createFourColourTestPicture(600, 400).webp({ lossless: true }).toBuffer()),
    ],
    [
      'cut.avif',
      /damaged/,
      'image/avif',
      async () => firstHalf(await createFourColourTestPicture(600, 400).avif({ effort: 0 }).toBuffer()),
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
  ])('%s is refused with its name and the reason', async (name, why, type, bytes) => {
    const context = await createTestApp()
    const { Ann } = await context.members('Ann')
    const answer = await Ann.post(
      '/api/posts',
      createTestFormData(
        { text: 'Look!' },
        { 'images[]': [createTestUploadFile(await bytes(), name, type)] },
      ),
    )
    expect(answer).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining(name), errors: { images: [expect.stringMatching(why)] } },
    })
    await expectNothing(context)
  })

  test('a small file of more than fifty megapixels is refused; fifty are accepted', async () => {
    const context = await createTestApp()
    const { Ann } = await context.members('Ann')
    const post = (bytes: Buffer) =>
      Ann.post(
        '/api/posts',
        createTestFormData({}, { 'images[]': [createTestUploadFile(bytes, 'huge.png')] }),
      )
    for (const [width, height] of [
      [10_000, 5001],
      [60_000, 60_000],
    ] as const) {
      const bomb = width > 10_000 ? createBlackPng(width, 1) : createBlackPng(width, height)
      // Writes a huge height into the PNG header. The checksum is now wrong, but the server must refuse the
      // size before it decodes the picture.
      if (width > 10_000) bomb.writeUInt32BE(height, 20)
      const answer = await post(bomb)
      expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining('huge.png') } })
      if (width === 10_000) expect(answer.body.message).toContain('50 megapixels')
    }
    await expectNothing(context)
    expect(await post(createBlackPng(10_000, 5000))).toMatchObject({
      status: 201,
      body: { post: { images: [{ width: 1280, height: 640 }] } },
    })
  })

  test('a file over 10 MB is refused, and the message names the limit', async () => {
    const context = await createTestApp()
    const { Ann } = await context.members('Ann')
    const heavy = createTestUploadFile(
      padBytesWithZeros(await createFourColourTestPicture().jpeg().toBuffer(), 10 * 2 ** 20 + 1),
      'heavy.jpg',
    )
    const answer = await Ann.post(
      '/api/posts',
      createTestFormData({ text: 'Look!' }, { 'images[]': [heavy] }),
    )
    expect(answer).toMatchObject({
      status: 413,
      body: { message: expect.stringMatching(/heavy\.jpg.*10 MB/) },
    })
    expect(await Ann.post('/api/profile-image', createTestFormData({}, { image: [heavy] }))).toMatchObject({
      status: 413,
    })
    await expectNothing(context)
  })

  test('a fifth picture, a description that is too long and an empty post are refused', async () => {
    const context = await createTestApp()
    const { Ann } = await context.members('Ann')
    const picture = await createPngFile()
    const pictures = (count: number) => ({ 'images[]': Array<File>(count).fill(picture) })
    expect(await Ann.post('/api/posts', createTestFormData({}, pictures(5)))).toMatchObject({
      status: 422,
      body: { errors: { images: [expect.stringContaining('4')] } },
    })
    expect(
      await Ann.post('/api/posts', createTestFormData({ 'alt[]': ['fine', 'd'.repeat(1001)] }, pictures(2))),
    ).toMatchObject({
      status: 422,
      body: { errors: { alt: [expect.stringContaining('1000')] } },
    })
    expect(await Ann.post('/api/posts', createTestFormData({ text: ' \n ' }))).toMatchObject({
      status: 422,
      body: { errors: { text: [expect.any(String)] } },
    })
    await expectNothing(context)
    expect((await Ann.post('/api/posts', createTestFormData({}, pictures(4)))).status).toBe(201)
  })

  test('files in unknown fields are ignored, whatever the field names are', async () => {
    const context = await createTestApp()
    const { Ann } = await context.members('Ann')
    const picture = await createPngFile()
    for (const name of ['constructor[]', 'toString[0]', '__proto__[]', 'image', 'images[x]'])
      for (const file of [picture, createTestUploadFile('no picture', 'a.png')])
        expect(
          await Ann.post(
            '/api/posts',
            createTestFormData({ text: 'x' }, { [name]: Array<File>(5).fill(file) }),
          ),
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
    const body = async () => createTestFormData({}, { 'images[]': [await createPngFile()] })
    expect((await guest.post('/api/posts', await body())).status).toBe(401)
    const { Ann } = await context.members('Ann')
    expect((await Ann.send('POST', '/api/posts', await body(), { 'x-xsrf-token': 'guessed' })).status).toBe(
      419,
    )
    await expectNothing(context)
    expect((await Ann.post('/api/posts', await body())).status).toBe(201)
  })
})

describe.each(testDatabaseDialects)('a post that fails on %s', (dialect) => {
  // spec: 5.2
  test('because of one bad file stores nothing', async () => {
    const context = await createTestApp({ dialect })
    const { Ann } = await context.members('Ann')
    const [one, two] = [
      createTestUploadFile(await createFourColourTestPicture(40, 20).png().toBuffer(), 'one.png'),
      createTestUploadFile(await createFourColourTestPicture(50, 20).png().toBuffer(), 'two.png'),
    ]
    const answer = await Ann.post(
      '/api/posts',
      createTestFormData(
        { text: 'Look!' },
        { 'images[]': [one, two, createTestUploadFile('text', 'bad.png')] },
      ),
    )
    expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining('bad.png') } })
    await expectNothing(context)
    expect((await Ann.post('/api/posts', createTestFormData({}, { 'images[]': [one, two] }))).status).toBe(
      201,
    )
  })

  test('because its transaction fails stores nothing, and does not delete pictures of other posts', async () => {
    const context = await createTestApp({ dialect })
    const { Ann } = await context.members('Ann')
    await transaction(context.db, (tx) =>
      sql`create unique index no_description_twice on post_images (alt)`.execute(tx),
    )
    const picture = await createPngFile()
    const other = createTestUploadFile(await createFourColourTestPicture(100, 50).png().toBuffer(), 'b.png')
    const failing = () =>
      Ann.post(
        '/api/posts',
        createTestFormData({ 'alt[]': ['same', 'same'] }, { 'images[]': [picture, other] }),
      )
    expect(await failing()).toMatchObject({
      status: 500,
      body: { message: 'Server Error', id: expect.any(String) },
    })
    await expectNothing(context)

    const answers = await Promise.all([
      failing(),
      Ann.post('/api/posts', createTestFormData({}, { 'images[]': [picture] })),
      failing(),
    ])
    expect(answers.map(({ status }) => status)).toEqual([500, 201, 500])
    expect((await failing()).status).toBe(500)
    const { path } = answers[1].body.post.images[0]
    expect(await Ann.get(path)).toMatchObject({ status: 200 })
    expect(await readdir(join(context.folder, 'media'))).toEqual([path.split('/').at(-1)])
    expect(await readdir(join(context.folder, 'scratch'))).toEqual([])
  })

  test('does not affect other posts: each upload has its own picture', async () => {
    const context = await createTestApp({ dialect })
    const { Ann, Ben } = await context.members('Ann', 'Ben')
    const picture = await createPngFile()
    const post = (actor: typeof Ann) =>
      actor.post('/api/posts', createTestFormData({}, { 'images[]': [picture, picture] }))
    const answers = await Promise.all([post(Ann), post(Ben), post(Ann)])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    const paths: string[] = answers.flatMap(({ body }) =>
      body.post.images.map((image: { path: string }) => image.path),
    )
    expect(new Set(paths).size).toBe(6)
    expect((await readTestTableRows(context.db, 'media')).length).toBe(6)
    const files = () => readdir(join(context.folder, 'media'))
    expect((await files()).sort()).toEqual(paths.map((path) => path.split('/').at(-1)).sort())
    expect((await Ben.delete(`/api/posts/${answers[1].body.post.id}`)).status).toBe(200)
    expect(await files()).toHaveLength(4)
    expect((await Ann.get(paths[0]!)).status).toBe(200)
  })

  test('because the process was killed leaves files that the next start moves away, and no others', async () => {
    const context = await createTestApp({ dialect })
    const { Ann } = await context.members('Ann')
    const picture = await createPngFile()
    const kept = await Ann.post('/api/posts', createTestFormData({}, { 'images[]': [picture] }))

    const left = [
      join(context.folder, 'media', `${'0'.repeat(40)}-320.webp`),
      join(context.folder, 'scratch', 'half'),
    ]
    for (const file of left) await writeFile(file, 'x')
    expect(await context.context.media.cleanUp()).toEqual({ aside: 1, back: 0 })
    expect(left.map((file) => existsSync(file))).toEqual([false, false])
    expect((await Ann.get(kept.body.post.images[0].path)).status).toBe(200)
  })

  test('a start with another database moves files away, and a start with their own brings them back', async () => {
    const context = await createTestApp({ dialect })
    const { Ann } = await context.members('Ann')
    const kept = await Ann.post('/api/posts', createTestFormData({}, { 'images[]': [await createPngFile()] }))
    const other = await createTestApp({ dialect })
    const about = { dataFolder: context.folder, origin: '', singleProcess: true }
    const elsewhere = createMediaService(
      other.db,
      await openMediaStorage(context.config),
      about,
      other.app.log,
    )
    onTestFinished(() => elsewhere.close())
    expect(await elsewhere.cleanUp()).toEqual({ aside: 1, back: 0 })
    expect((await Ann.get(kept.body.post.images[0].path)).status).toBe(404)
    expect(await context.context.media.cleanUp()).toEqual({ aside: 0, back: 1 })
    expect((await Ann.get(kept.body.post.images[0].path)).status).toBe(200)
  })

  test('because the upload was interrupted stores nothing', async () => {
    const context = await createTestApp({ dialect })
    const { Ann } = await context.members('Ann')
    const whole = new Response(
      createTestFormData(
        { text: 'x' },
        {
          'images[]': [
            createTestUploadFile(await createFourColourTestPicture(600, 600).png().toBuffer(), 'a.png'),
          ],
        },
      ),
    )
    const bytes = Buffer.from(await whole.arrayBuffer())
    const answer = await context.app.inject({
      method: 'POST',
      url: '/api/posts',
      payload: bytes.subarray(0, bytes.length - 400),
      headers: {
        'content-type': whole.headers.get('content-type')!,
        'x-xsrf-token': Ann.jar.get('XSRF-TOKEN')!,
      },
      cookies: Object.fromEntries(Ann.jar),
    })
    expect(answer.statusCode).toBe(422)
    expect(await readdir(join(context.folder, 'scratch'))).toEqual([])
    expect(await readdir(join(context.folder, 'media'))).toEqual([])
  })
})

const firstHalf = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2))
