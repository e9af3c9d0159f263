import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createMedia } from '#core/media/media.ts'
import { openStorage } from '#core/media/open-storage.ts'
import { createTestApp, dialectsInTurn, formData, readRows } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { expectNothingStored, smallPng } from './refused-posts.ts'

describe.each(dialectsInTurn())('a post that fails on %s', (dialect) => {
  // spec: 5.2
  test('because of one bad file stores nothing', async () => {
    const context = await createTestApp({ dialect })
    const { Ann } = await context.members('Ann')
    const [one, two] = [
      uploadFile(await fourColours(40, 20).png().toBuffer(), 'one.png'),
      uploadFile(await fourColours(50, 20).png().toBuffer(), 'two.png'),
    ]
    const answer = await Ann.post(
      '/api/posts',
      formData({ text: 'Look!' }, { 'images[]': [one, two, uploadFile('text', 'bad.png')] }),
    )
    expect(answer).toMatchObject({ status: 422, body: { message: expect.stringContaining('bad.png') } })
    await expectNothingStored(context)
    expect((await Ann.post('/api/posts', formData({}, { 'images[]': [one, two] }))).status).toBe(201)
  })

  test('because its transaction fails stores nothing, and does not delete pictures of other posts', async () => {
    const context = await createTestApp({ dialect })
    const { Ann } = await context.members('Ann')
    await transaction(context.db, (tx) =>
      sql`create unique index no_description_twice on post_attachments (alt)`.execute(tx),
    )
    const picture = await smallPng()
    const other = uploadFile(await fourColours(100, 50).png().toBuffer(), 'b.png')
    const failing = () =>
      Ann.post('/api/posts', formData({ 'alt[]': ['same', 'same'] }, { 'images[]': [picture, other] }))
    expect(await failing()).toMatchObject({
      status: 500,
      body: { message: 'Server Error', id: expect.any(String) },
    })
    await expectNothingStored(context)

    const answers = await Promise.all([
      failing(),
      Ann.post('/api/posts', formData({}, { 'images[]': [picture] })),
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
    const picture = await smallPng()
    const post = (actor: typeof Ann) =>
      actor.post('/api/posts', formData({}, { 'images[]': [picture, picture] }))
    const answers = await Promise.all([post(Ann), post(Ben), post(Ann)])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    const paths: string[] = answers.flatMap(({ body }) =>
      body.post.images.map((image: { path: string }) => image.path),
    )
    expect(new Set(paths).size).toBe(6)
    expect((await readRows(context.db, 'media')).length).toBe(6)
    const files = () => readdir(join(context.folder, 'media'))
    expect((await files()).sort()).toEqual(paths.map((path) => path.split('/').at(-1)).sort())
    expect((await Ben.delete(`/api/posts/${answers[1].body.post.id}`)).status).toBe(200)
    expect(await files()).toHaveLength(4)
    expect((await Ann.get(paths[0]!)).status).toBe(200)
  })

  test('because the process was killed leaves files that the next start moves away, and no others', async () => {
    const context = await createTestApp({ dialect })
    const { Ann } = await context.members('Ann')
    const picture = await smallPng()
    const kept = await Ann.post('/api/posts', formData({}, { 'images[]': [picture] }))

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
    const kept = await Ann.post('/api/posts', formData({}, { 'images[]': [await smallPng()] }))
    const other = await createTestApp({ dialect })
    const about = { dataFolder: context.folder, origin: '', singleProcess: true }
    const elsewhere = createMedia(other.db, await openStorage(context.config), about, other.app.log)
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
      formData(
        { text: 'x' },
        {
          'images[]': [uploadFile(await fourColours(600, 600).png().toBuffer(), 'a.png')],
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
