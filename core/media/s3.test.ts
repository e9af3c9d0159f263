import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { OperatorError } from '#core/config.ts'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { openStorage } from '#core/media/open-storage.ts'
import { s3Storage } from '#core/media/s3.ts'
import { createTestApp, databases, dialectsInTurn, formData, readRows, type TestApp } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { s3Credentials, startS3 } from '#tests/s3.ts'

const picture = async (width = 400) => uploadFile(await fourColours(width, 200).png().toBuffer(), 'a.png')
const images = async (...widths: number[]) =>
  formData({}, { 'images[]': await Promise.all(widths.map(picture)) })

/**
 * Starts an HTTP server for a test that answers the requests to S3 with `answer`. Returns the MEDIA_URL for
 * it.
 */
async function impostor(answer: RequestListener) {
  Object.assign(process.env, s3Credentials)
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `s3://town?endpoint=http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const nothing = (response: ServerResponse) =>
  response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')

async function expectNothing({ db, mediaFiles }: TestApp) {
  for (const table of ['posts', 'post_attachments', 'media', 'pending_media'])
    expect(await readRows(db, table), table).toEqual([])
  expect(await mediaFiles()).toEqual([])
}

describe.each(dialectsInTurn())('pictures in a bucket, with rows on %s', (dialect) => {
  const open = async () => {
    const testApp = await createTestApp({ dialect, storage: 's3' })
    return { ...testApp, s3: testApp.s3!, ...(await testApp.members('Ann', 'Ben')) }
  }

  test('are visible to everybody, and are deleted with their post', async () => {
    const testApp = await open()
    const { post } = (await testApp.Ann.post('/api/posts', await images(400, 64))).body
    expect(await testApp.mediaFiles()).toHaveLength(3)
    for (const { path } of post.images)
      expect(await testApp.visitor().get(path)).toMatchObject({
        status: 200,
        headers: { 'content-type': 'image/webp' },
      })
    expect((await testApp.Ann.delete(`/api/posts/${post.id}`)).status).toBe(200)
    expect(await testApp.visitor().get(post.images[0].path)).toMatchObject({
      status: 404,
      body: { message: expect.any(String) },
    })
    await expectNothing(testApp)
  })

  test('of a rejected upload leave no files', async () => {
    const testApp = await open()
    const bad = formData({}, { 'images[]': [await picture(), uploadFile('text', 'bad.png')] })
    expect(await testApp.Ann.post('/api/posts', bad)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('bad.png') },
    })
    await expectNothing(testApp)
  })

  test('cannot be uploaded while the service does not answer; nothing is left half done, and everything else works', async () => {
    const testApp = await open()
    const { Ann, Ben, s3, db } = testApp
    const { post } = (await Ann.post('/api/posts', await images(400))).body
    const gone = (await Ann.post('/api/posts', await images(64))).body.post
    await s3.close()

    const refused = {
      status: 503,
      body: { message: 'Pictures cannot be stored just now. Try again in a moment.' },
    }
    expect(await Ann.post('/api/posts', await images(64, 64))).toMatchObject(refused)
    expect(await Ann.post('/api/profile-image', formData({}, { image: [await picture()] }))).toMatchObject(
      refused,
    )
    expect(await Ben.post('/api/posts', { text: 'Words alone' })).toMatchObject({ status: 201 })
    expect((await Ann.delete(`/api/posts/${gone.id}`)).status).toBe(200)
    expect((await Ben.get('/api/posts')).body).toMatchObject([
      { body: 'Words alone' },
      { id: post.id, images: post.images },
    ])
    const shown = await Ben.get(post.images[0].path)
    expect(shown).toMatchObject({ status: 503, body: { message: expect.stringContaining('shown') } })
    expect(String(shown.headers['cache-control'])).not.toContain('immutable')
    expect(await readRows(db, 'media')).toHaveLength(1)

    await s3.open()
    await transaction(db, (tx) => tx.updateTable('pending_media').set({ since: '2026-01-01' }).execute())
    await testApp.context.media.cleanUp()
    expect(await readRows(db, 'pending_media')).toEqual([])
    expect(await testApp.mediaFiles()).toHaveLength(2)
    expect((await Ben.get(post.images[0].path)).status).toBe(200)
    expect((await Ann.post('/api/posts', await images(64))).status).toBe(201)
  })
})

describe.skipIf(!databases.includes('postgres'))('two processes of one community', () => {
  test("show, keep and delete each other's pictures", async () => {
    const one = await createTestApp({ dialect: 'postgres', storage: 's3' })
    const other = await createTestApp({ dialect: 'postgres', sameDataAs: one })
    const { Ann } = await one.members('Ann')
    const { Ben } = await other.members('Ben')
    const [annsPost, bensPost] = [
      (await Ann.post('/api/posts', await images(400))).body.post,
      (await Ben.post('/api/posts', await images(64))).body.post,
    ]
    for (const { path } of [...annsPost.images, ...bensPost.images])
      for (const { visitor } of [one, other]) expect((await visitor().get(path)).status).toBe(200)
    expect(await one.mediaFiles()).toHaveLength(3)
    await other.context.media.cleanUp()
    expect(await one.mediaFiles()).toHaveLength(3)
    for (const { body } of [
      await Ann.post('/api/posts', await images(64, 64)),
      await Ben.post('/api/posts', await images(64)),
    ])
      expect(
        (await (body.post.user.name === 'Ann' ? Ann : Ben).delete(`/api/posts/${body.post.id}`)).status,
      ).toBe(200)
    expect(await other.mediaFiles()).toHaveLength(3)
  })
})

describe('an S3 storage', () => {
  test.each([
    [507, 'InsufficientStorage'],
    [403, 'QuotaExceeded'],
  ])('that is full and says so by %i %s refuses uploads as a full disk does', async (status, code) => {
    const MEDIA_URL = await impostor((request, response) => {
      if (request.method !== 'PUT') return nothing(response)
      request
        .resume()
        .once('end', () => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`))
    })
    const testApp = await createTestApp({ env: { MEDIA_URL } })
    const { Ann } = await testApp.members('Ann')
    expect(await Ann.post('/api/posts', await images(64))).toMatchObject({
      status: 507,
      body: { message: expect.stringContaining('full') },
    })
    for (const table of ['posts', 'media']) expect(await readRows(testApp.db, table), table).toEqual([])
  })

  test('does not wait for a silent service', async () => {
    const store = s3Storage(await impostor(() => {}), { timeout: 200 })
    onTestFinished(() => store.close())
    const { signal } = new AbortController()
    const away = { status: 503, cause: expect.anything() }
    await expect(store.write('a-1.webp', Buffer.from('x'))).rejects.toMatchObject(away)
    await expect(store.remove('a-1.webp')).rejects.toMatchObject(away)
    await expect(store.stat('a-1.webp')).rejects.toMatchObject(away)
    await expect(store.read('a-1.webp')).rejects.toMatchObject(away)
    await expect(store.stream('a-1.webp', { signal })).rejects.toMatchObject(away)
    await expect(store.check()).rejects.toThrow()
  })

  test('aborts its request when the client disconnects', async () => {
    const asked = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    const MEDIA_URL = await impostor(({ url = '', socket }, response) => {
      if (!url.includes('.webp')) return nothing(response)
      socket.once('close', () => left.resolve())
      asked.resolve()
    })
    const { app, db } = await createTestApp({ env: { MEDIA_URL } })
    const name = '0'.repeat(40)
    const sizes = { widths: '320', width: 320, height: 160, bytes: 1 }
    const row = { ...sizes, name, placeholder: '', animated: 0, created_at: isoNow(), guard: null }
    await transaction(db, (tx) => tx.insertInto('media').values(row).execute())
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const reader = new AbortController()
    const answer = fetch(`${address}/media/${name}-320.webp`, { signal: reader.signal })
    await asked.promise
    reader.abort()
    await expect(answer).rejects.toThrow()
    await left.promise
    // The test must end within 14 s, before the timeout of one attempt would end the connection too.
  }, 14_000)

  test('that does not exist, or denies access, stops the start with one line without its secrets', async () => {
    const s3 = await startS3()
    onTestFinished(() => s3.stop())
    const refusal = async (MEDIA_URL: string) => {
      const error = await openStorage({ DATA_DIR: '/nowhere', MEDIA_URL, AWS_REGION: undefined }).catch(
        (error: unknown) => error,
      )
      expect(error, MEDIA_URL).toBeInstanceOf(OperatorError)
      return (error as Error).message
    }
    await openStorage({ DATA_DIR: '/nowhere', MEDIA_URL: s3.mediaUrl, AWS_REGION: undefined })
    expect(await refusal(s3.mediaUrl.replace('town', 'village'))).toMatch(
      /^MEDIA_URL takes a bucket .*\(NoSuchBucket\)\.$/,
    )
    expect(await refusal('s3://town?endpoint=http://127.0.0.1:1')).toMatch(
      /^MEDIA_URL takes .*\(ECONNREFUSED\)\.$/,
    )
    process.env.AWS_ACCESS_KEY_ID = 'hunter22'
    onTestFinished(() => void Object.assign(process.env, s3Credentials))
    expect(await refusal(s3.mediaUrl)).toMatch(/^MEDIA_URL takes .*\(InvalidAccessKeyId\)\.$/)
  })

  test('lists the files in its own folder only', async () => {
    const s3 = await startS3()
    onTestFinished(() => s3.stop())
    const [store, beside] = [s3Storage(s3.mediaUrl), s3Storage(s3.mediaUrl.replace('pictures', 'others'))]
    for (const one of [store, beside]) onTestFinished(() => one.close())
    for (const name of ['a-1.webp', 'b-1.webp']) await store.write(name, Buffer.from(name))
    await beside.write('c-1.webp', Buffer.from('x'))
    const files = ['a-1.webp', 'b-1.webp'].map((name) => ({ name, bytes: 8 }))
    expect(await Array.fromAsync(store.list())).toEqual(files)
    expect(String(await store.read('b-1.webp'))).toBe('b-1.webp')
    expect(await store.read('none-1.webp')).toBeNull()
    await store.remove('none-1.webp')
    expect(await Array.fromAsync(store.list())).toEqual(files)
  })

  test('lists all pages of a long listing', async () => {
    const page = (name: string, next = '') =>
      `<ListBucketResult><Contents><Key>${name}</Key><Size>3</Size></Contents>${next}</ListBucketResult>`
    const url = await impostor(({ url = '' }, response) =>
      response.end(
        url.includes('continuation-token=more')
          ? page('b')
          : page('a', '<NextContinuationToken>more</NextContinuationToken>'),
      ),
    )
    const store = s3Storage(url)
    onTestFinished(() => store.close())
    expect(await Array.fromAsync(store.list(), ({ name }) => name)).toEqual(['a', 'b'])
  })
})
