import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { grantAdmin } from '#features/people/model.ts'
import { type Actor, createTestApp, dialects, form, rowsOf } from '#tests/harness.ts'
import { asFile, quarters } from '#tests/pictures.ts'
import { createTestServer, listener } from '#tests/sockets.ts'
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
    await grantAdmin(db, Cleo.id)
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
    await remove(db, Ada.id, id)
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
