import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { asMember } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { grantAdmin } from '#features/people/model.ts'
import { type Actor, createTestApp, dialects, form, rowsOf } from '#tests/harness.ts'
import { asFile, quarters } from '#tests/pictures.ts'
import { createTestServer, listener } from '#tests/sockets.ts'
import { ALT_LENGTH, MOST_IMAGES, TEXT_LENGTH } from '../contract.ts'
import { remove } from '../model.ts'

const picture = async (width = 64) => asFile(await quarters(width, 32).png().toBuffer(), 'a.png')
const write = async (actor: Actor, text: string, files: File[] = []): Promise<number> =>
  (await actor.post('/api/posts', form({ text }, { 'images[]': files }))).body.post.id

describe.each(dialects)('a single post on %s', (dialect) => {
  async function open() {
    const place = await createTestApp({ dialect })
    // The first account is an admin.
    return { ...place, ...(await place.members('Ada', 'Ben', 'Cleo')) }
  }

  test('is shown to everybody as it stands in the list', async () => {
    const { Ben, Cleo, visitor } = await open()
    const id = await write(Ben, 'Hello', [await picture()])
    await Cleo.put(`/api/posts/${id}/like`)
    for (const who of [Ben, Cleo, visitor()]) {
      const shown = await who.get(`/api/posts/${id}`)
      expect(shown.status).toBe(200)
      expect(shown.body).toEqual((await who.get('/api/posts')).body[0])
    }
  })

  test('that is not there is a 404 in the shape of every error', async () => {
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
      body: { message: 'The post is deleted.' },
    })
    expect((await visitor().get('/api/posts')).body.map((post: { id: number }) => post.id)).toEqual([kept])
    expect(await rowsOf(db, 'likes')).toEqual([])
    expect(await rowsOf(db, 'media')).toHaveLength(1)
    expect((await readdir(join(folder, 'media'))).length).toBe(1)
    expect((await Ben.delete(`/api/posts/${gone}`)).status).toBe(404)
    expect((await Cleo.put(`/api/posts/${gone}/like`)).status).toBe(404)
  })

  test('is deleted by an admin, and by nobody else', async () => {
    const { Ada, Ben, Cleo, visitor, db } = await open()
    const id = await write(Ben, 'Hello')
    expect((await visitor().delete(`/api/posts/${id}`)).status).toBe(419)
    expect(await Cleo.delete(`/api/posts/${id}`)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('author') },
    })
    expect(await rowsOf(db, 'posts')).toHaveLength(1)
    expect((await Ada.delete(`/api/posts/${id}`)).status).toBe(200)
    const other = await write(Ben, 'Again')
    await transaction(db, (tx) => grantAdmin(tx, Cleo.id))
    expect((await Cleo.delete(`/api/posts/${other}`)).status).toBe(200)
    expect(await rowsOf(db, 'posts')).toEqual([])
  })

  test('is deleted once, whoever comes at the same moment', async () => {
    const { Ada, Ben, db } = await open()
    const id = await write(Ben, 'Hello', [await picture()])
    const answers = await Promise.all([Ada, Ben, Ada, Ben].map((who) => who.delete(`/api/posts/${id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404])
    expect(await rowsOf(db, 'media')).toEqual([])
  })

  test('leaves nothing behind, however many others are at it in that moment', async () => {
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
    for (const table of ['posts', 'likes', 'post_images', 'media', 'unshown_media'])
      expect(await rowsOf(db, table), table).toEqual([])
    expect(await readdir(join(folder, 'media'))).toEqual([])
  })

  test('that a process had no time to tidy up after is forgotten at the next start', async () => {
    const { Ada, Ben, db, folder, context } = await open()
    const [first, second] = [await picture(40), await picture(50)]
    const id = await write(Ben, 'Gone', [first, second])
    await write(Ben, 'Kept', [second])
    await remove(asMember(context, Ada.id), id)
    expect(await readdir(join(folder, 'media'))).toHaveLength(3)
    await context.media.sweep()
    expect(await rowsOf(db, 'media')).toHaveLength(1)
    expect(await rowsOf(db, 'unshown_media')).toEqual([])
    expect(await readdir(join(folder, 'media'))).toHaveLength(1)
  })
})

test('that a post is gone is heard by everybody, once it is', async () => {
  const { url, members } = await createTestServer()
  const { ann, ben } = await members('ann', 'ben')
  const id = await write(ben, 'Hello')
  const socket = await listener(url, 'posts')
  const other = await write(ann, 'Other')
  expect((await ben.delete(`/api/posts/${other}`)).status).toBe(403)
  expect((await ben.delete(`/api/posts/${id}`)).status).toBe(200)
  expect((await socket.take('PostDeleted')).data).toEqual({ id })
  expect((await ann.get(`/api/posts/${id}`)).status).toBe(404)
  await socket.sync()
  expect(socket.heard('PostDeleted')).toEqual([])
})

test('a new post’s event carries the post as visitors see it', async () => {
  const { url, members, visitor } = await createTestServer()
  const { ben } = await members('ben')
  const socket = await listener(url, 'posts')
  const send = () => ben.post('/api/posts', form({ text: 'Hello', client_id: 'a' }, { 'images[]': [one] }))
  const one = await picture()
  const { id } = (await send()).body.post
  const seen = (await visitor().get(`/api/posts/${id}`)).body
  expect(seen.images).toHaveLength(1)
  expect((await socket.take('PostCreated')).data).toEqual({ id, user_id: ben.id, post: seen })
  // Sent again under the same client id, it is already liked by its author.
  await ben.put(`/api/posts/${id}/like`)
  expect((await send()).body.post).toMatchObject({ id, liked_by_me: true })
  expect((await socket.take('PostCreated')).data.post).toMatchObject({ likes_count: 1, liked_by_me: false })
})

test('the event of the largest post stays below 64 KiB', async () => {
  const { url, members } = await createTestServer()
  const { ben } = await members('ben')
  const socket = await listener(url, 'posts')
  const frames: number[] = []
  socket.ws.on('message', (frame: Buffer) => frames.push(frame.length))
  // Each letter takes seven bytes, since JSON stands in a string of JSON.
  const text = '\u0001'.repeat(TEXT_LENGTH)
  const files = await Promise.all(Array.from({ length: MOST_IMAGES }, (_, i) => picture(2000 + i)))
  const alt = files.map(() => '\u0001'.repeat(ALT_LENGTH))
  const answer = await ben.post('/api/posts', form({ text, 'alt[]': alt }, { 'images[]': files }))
  expect(answer.body.post).toMatchObject({ body: text, images: alt.map((alt) => ({ alt })) })
  await socket.take('PostCreated')
  expect(Math.max(...frames)).toBeGreaterThan(30_000)
  expect(Math.max(...frames)).toBeLessThan(65_536)
})
