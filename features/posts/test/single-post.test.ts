import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { grantAdmin } from '#features/people/admins.ts'
import { createTestApp, dialectsInTurn, formData, readRows, type TestClient } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { connectSubscribed, realtimeApp } from '#tests/sockets.ts'
import { MAX_ALT_LENGTH, MAX_POST_IMAGES, MAX_POST_LENGTH } from '../contract.ts'
import * as model from '../model.ts'

const picture = async (width = 64) => uploadFile(await fourColours(width, 32).png().toBuffer(), 'a.png')
const write = async (actor: TestClient, text: string, files: File[] = []): Promise<number> =>
  (await actor.post('/api/posts', formData({ text }, { 'images[]': files }))).body.post.id

describe.each(dialectsInTurn())('a single post on %s', (dialect) => {
  async function open() {
    const testApp = await createTestApp({ dialect })
    // Ada is an admin, because the first account of an app becomes an admin.
    return { ...testApp, ...(await testApp.members('Ada', 'Ben', 'Cleo')) }
  }

  test('has the same JSON as in the list', async () => {
    const { Ben, Cleo, visitor } = await open()
    const id = await write(Ben, 'Hello', [await picture()])
    await Cleo.put(`/api/posts/${id}/like`)
    for (const who of [Ben, Cleo, visitor()]) {
      const shown = await who.get(`/api/posts/${id}`)
      expect(shown.status).toBe(200)
      expect(shown.body).toEqual((await who.get('/api/posts')).body[0])
    }
  })

  test('that does not exist is answered with 404 in the usual error shape', async () => {
    const { Ben, visitor } = await open()
    for (const who of [Ben, visitor()])
      expect(await who.get('/api/posts/99')).toMatchObject({
        status: 404,
        body: { message: 'There is no such post.' },
      })
  })

  test('is deleted by its author, with its likes, its pictures and their files', async () => {
    const { Ben, Cleo, visitor, db, folder } = await open()
    const [gone, kept] = [
      await write(Ben, 'Gone', [await picture(40), await picture(50)]),
      await write(Ben, 'Kept', [await picture(50)]),
    ]
    await Cleo.put(`/api/posts/${gone}/like`)
    expect(await Ben.delete(`/api/posts/${gone}`)).toMatchObject({
      status: 200,
      body: { message: 'The post was deleted.' },
    })
    expect((await visitor().get('/api/posts')).body.map((post: { id: number }) => post.id)).toEqual([kept])
    expect(await readRows(db, 'likes')).toEqual([])
    expect(await readRows(db, 'media')).toHaveLength(1)
    expect((await readdir(join(folder, 'media'))).length).toBe(1)
    expect((await Ben.delete(`/api/posts/${gone}`)).status).toBe(404)
    expect((await Cleo.put(`/api/posts/${gone}/like`)).status).toBe(404)
  })

  test('can be deleted by an admin, but not by other members', async () => {
    const { Ada, Ben, Cleo, visitor, db } = await open()
    const id = await write(Ben, 'Hello')
    expect((await visitor().delete(`/api/posts/${id}`)).status).toBe(419)
    expect(await Cleo.delete(`/api/posts/${id}`)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('author') },
    })
    expect(await readRows(db, 'posts')).toHaveLength(1)
    expect((await Ada.delete(`/api/posts/${id}`)).status).toBe(200)
    const other = await write(Ben, 'Again')
    await transaction(db, (tx) => grantAdmin(tx, Cleo.id))
    expect((await Cleo.delete(`/api/posts/${other}`)).status).toBe(200)
    expect(await readRows(db, 'posts')).toEqual([])
  })

  test('is deleted only once by concurrent requests', async () => {
    const { Ada, Ben, db } = await open()
    const id = await write(Ben, 'Hello', [await picture()])
    const answers = await Promise.all([Ada, Ben, Ada, Ben].map((who) => who.delete(`/api/posts/${id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    expect(await readRows(db, 'media')).toEqual([])
  })

  test('leaves no rows or files behind, even with concurrent requests', async () => {
    const { Ada, Ben, Cleo, db, folder } = await open()
    const same = await picture()
    const ids = [
      await write(Ben, 'One', [same]),
      await write(Ben, 'Two', [same]),
      await write(Cleo, 'Three', [same]),
    ]
    const busy = ids.flatMap((id) => [
      Ada.put(`/api/posts/${id}/like`),
      Ben.delete(`/api/posts/${id}`),
      Ada.delete(`/api/posts/${id}`),
    ])
    const again = write(Cleo, 'Four', [same])
    for (const { status } of await Promise.all(busy)) expect([200, 403, 404]).toContain(status)
    await Ada.delete(`/api/posts/${await again}`)
    for (const table of ['posts', 'likes', 'post_attachments', 'media', 'unreferenced_media'])
      expect(await readRows(db, table), table).toEqual([])
    expect(await readdir(join(folder, 'media'))).toEqual([])
  })

  test('that was deleted before a crash is cleaned up at the next start', async () => {
    const { Ada, Ben, db, folder, context } = await open()
    const [first, second] = [await picture(40), await picture(50)]
    const id = await write(Ben, 'Gone', [first, second])
    await write(Ben, 'Kept', [second])
    await model.remove(
      {
        ...context,
        me: { id: Ada.id, is_admin: true, is_moderator: true, needs_second_step: false },
        session: { token: Ada.jar.get('engawa_session')! },
      },
      id,
    )
    expect(await readdir(join(folder, 'media'))).toHaveLength(3)
    await context.media.cleanUp()
    expect(await readRows(db, 'media')).toHaveLength(1)
    expect(await readRows(db, 'unreferenced_media')).toEqual([])
    expect(await readdir(join(folder, 'media'))).toHaveLength(1)
  })
})

test('the deletion of a post is broadcast to everybody, after the commit', async () => {
  const { url, members } = await realtimeApp()
  const { ann, ben } = await members('ann', 'ben')
  const id = await write(ben, 'Hello')
  const socket = await connectSubscribed(url, 'posts')
  const other = await write(ann, 'Other')
  expect((await ben.delete(`/api/posts/${other}`)).status).toBe(403)
  expect((await ben.delete(`/api/posts/${id}`)).status).toBe(200)
  expect((await socket.nextMessage('PostDeleted')).data).toEqual({ id })
  expect((await ann.get(`/api/posts/${id}`)).status).toBe(404)
  await socket.sync()
  expect(socket.received('PostDeleted')).toEqual([])
})

test('a new post’s event carries the post as visitors see it', async () => {
  const { url, members, visitor } = await realtimeApp()
  const { ben } = await members('ben')
  const socket = await connectSubscribed(url, 'posts')
  const send = () =>
    ben.post('/api/posts', formData({ text: 'Hello', client_id: 'a' }, { 'images[]': [one] }))
  const one = await picture()
  const { id } = (await send()).body.post
  const seen = (await visitor().get(`/api/posts/${id}`)).body
  expect(seen.images).toHaveLength(1)
  expect((await socket.nextMessage('PostCreated')).data).toEqual({ id, user_id: ben.id, post: seen })
  // Ben likes his own post and then repeats the request that created it. The response says `liked_by_me`, and
  // the event must not.
  await ben.put(`/api/posts/${id}/like`)
  expect((await send()).body.post).toMatchObject({ id, liked_by_me: true })
  expect((await socket.nextMessage('PostCreated')).data.post).toMatchObject({
    likes_count: 1,
    liked_by_me: false,
  })
})

test('the event of the largest post stays below 128 KiB', async () => {
  const { url, members, db, context } = await realtimeApp()
  const { ben } = await members('ben')
  await transaction(db, (tx) => context.settings.save(tx, { max_post_length: MAX_POST_LENGTH }))
  const socket = await connectSubscribed(url, 'posts')
  const frames: number[] = []
  socket.ws.on('message', (frame: Buffer) => frames.push(frame.length))
  // A control character takes seven bytes in the frame of the event, because JSON inside a JSON string is
  // escaped twice. Alone they would be a blank text.
  const text = `x${'\u0001'.repeat(MAX_POST_LENGTH - 1)}`
  const files = await Promise.all(Array.from({ length: MAX_POST_IMAGES }, (_, i) => picture(2000 + i)))
  const alt = files.map(() => `x${'\u0001'.repeat(MAX_ALT_LENGTH - 1)}`)
  const answer = await ben.post('/api/posts', formData({ text, 'alt[]': alt }, { 'images[]': files }))
  expect(answer.body.post).toMatchObject({ body: text, images: alt.map((alt) => ({ alt })) })
  await socket.nextMessage('PostCreated')
  expect(Math.max(...frames)).toBeGreaterThan(90_000)
  expect(Math.max(...frames)).toBeLessThan(131_072)
})
