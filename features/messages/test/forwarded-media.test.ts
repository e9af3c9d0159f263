import { describe, expect, test } from 'vitest'
import { type Actor, befriend, createGroup, pictureFiles } from '#tests/conversations.ts'
import {
  createTestApp,
  dialectsInTurn,
  formData,
  readRows,
  storageKinds,
  type TestAppOptions,
} from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

const cases = dialectsInTurn().flatMap((dialect) =>
  storageKinds
    .filter((store) => store === 'folder' || dialect === 'sqlite')
    .map((store) => ({ dialect, store })),
)
const picture = async () => uploadFile(await fourColours(700, 350).png().toBuffer(), 'a.png')
const PDF = '%PDF-1.7\nletter'

const forward = (who: Actor, id: number, target: object) =>
  who.post(`/api/chat-messages/${id}/forward`, target)

describe.each(cases)('the media of a forwarded message on $dialect in a $store', ({ dialect, store }) => {
  /** Creates an app in which ben sends messages to eve (`send`), and eve is in a group with ida. */
  async function open(options: TestAppOptions = {}) {
    const app = await createTestApp({ dialect, storage: store, ...options })
    const people = await app.members('ann', 'ben', 'eve', 'ida')
    const { ann, ben, eve, ida } = people
    await befriend(ben, eve)
    const club = await createGroup(ann, 'Club', eve, ida)
    const send = async (fields: Record<string, string>, files: Record<string, File[]>) => {
      const { status, body } = await ben.post(
        '/api/send-private-message',
        formData({ targetUserId: String(eve.id), ...fields }, files),
      )
      expect(status, JSON.stringify(body)).toBe(200)
      return body.message
    }
    const readCopy = async (who: Actor) => (await who.get(`/api/group-messages/${club}`)).body.at(-1)
    return { ...app, ...people, club, send, readCopy }
  }

  test('have the first page of a PDF, whose copy only the readers of the copy get', async () => {
    const { ben, eve, ida, club, send, readCopy } = await open()
    const original = await send(
      { 'preview_of[]': '2' },
      { 'files[]': [uploadFile('Hi', 'a.txt'), uploadFile(PDF, 'b.pdf')], 'previews[]': [await picture()] },
    )
    expect(original).toMatchObject({ images: [], files: [{ name: 'a.txt' }, { preview: { width: 700 } }] })
    expect(original.files[0]).not.toHaveProperty('preview')
    await forward(eve, original.id, { group_id: club })
    const copy = await readCopy(ida)
    expect(copy).toMatchObject({ images: [], files: [{ name: 'a.txt' }, { preview: { width: 700 } }] })
    const statuses = (message: typeof copy) =>
      Promise.all([ben, ida].map(async (who) => (await who.get(message.files[1].preview.path)).status))
    expect([await statuses(original), await statuses(copy)]).toEqual([
      [200, 404],
      [404, 200],
    ])
  })

  test('have URLs of their own, which only the readers of the copy get', async () => {
    const { ben, eve, ida, club, send, readCopy } = await open()
    const original = await send(
      { input: 'Look', 'alt[]': 'four colours' },
      { 'images[]': [await picture()], 'files[]': [uploadFile(PDF, 'letter.pdf')] },
    )
    expect((await forward(eve, original.id, { group_id: club })).status).toBe(200)
    const copy = await readCopy(ida)
    expect(copy).toMatchObject({
      message: 'Look',
      images: [{ alt: 'four colours', width: 700, height: 350 }],
      files: [{ name: 'letter.pdf', kind: 'pdf', size: PDF.length }],
    })
    const paths = (message: typeof copy): string[] => [
      message.images[0].path,
      message.images[0].full,
      ...message.images[0].srcset.split(', ').map((one: string) => one.split(' ')[0]),
      message.files[0].path,
    ]
    for (const [index, path] of paths(copy).entries()) {
      const before = paths(original)[index]!
      expect(path).not.toBe(before)
      const [mine, theirs] = [await ida.get(path), await eve.get(before)]
      expect(mine.status).toBe(200)
      expect(mine.raw.equals(theirs.raw)).toBe(true)
      // Ben is not in the group, and ida is not in the private chat.
      expect((await ben.get(path)).status).toBe(404)
      expect((await ida.get(before)).status).toBe(404)
    }
    await ben.delete(`/api/chat-messages/${original.id}`)
    for (const path of paths(copy)) expect((await ida.get(path)).status).toBe(200)
    for (const path of paths(original)) expect((await eve.get(path)).status).toBe(404)
  })

  test('can be a voice message', async () => {
    const { eve, ida, club, send, readCopy } = await open()
    const recording = uploadFile(Buffer.from('\x1a\x45\xdf\xa3voice', 'latin1'), 'voice.weba')
    const { id } = await send(
      { voice_duration: '61500', voice_wave: '0,7,55,100' },
      { 'files[]': [recording] },
    )
    await forward(eve, id, { group_id: club })
    const { message, files } = await readCopy(ida)
    expect(message).toBe('')
    expect(files).toMatchObject([{ kind: 'voice', voice: { duration: 61_500, wave: [0, 7, 55, 100] } }])
    expect((await ida.get(files[0].path)).raw.toString('latin1')).toBe('\x1a\x45\xdf\xa3voice')
  })

  test('belong to the member who forwards, and are deleted with the copy', async () => {
    const { ben, eve, club, send, db } = await open()
    const { id } = await send({}, { 'images[]': [await picture()] })
    const { body } = await forward(eve, id, { group_id: club })
    const owners = async () => (await readRows(db, 'media')).map(({ owner_id }) => owner_id)
    expect((await owners()).sort()).toEqual([ben.id, eve.id].sort())
    await eve.delete(`/api/chat-messages/${body.id}`)
    expect(await owners()).toEqual([ben.id])
  })

  test('are stored once, until nothing shows them any more', async () => {
    const { ben, eve, ida, club, send, ...app } = await open()
    const { id } = await send(
      {},
      { 'images[]': [await picture()], 'files[]': [uploadFile(PDF, 'letter.pdf')] },
    )
    const list = async () =>
      (await Array.fromAsync(app.context.storage.list())).map(({ name }) => name).sort()
    const stored = await list()
    const first = (await forward(eve, id, { group_id: club })).body.id
    const second = (await forward(ida, first, { group_id: club })).body.id
    expect(await list()).toEqual(stored)
    // The original goes first, then the copy that was copied.
    await ben.delete(`/api/chat-messages/${id}`)
    await eve.delete(`/api/chat-messages/${first}`)
    expect(await list()).toEqual(stored)
    const { images, files } = (await ida.get(`/api/group-messages/${club}`)).body.at(-1)
    for (const { path } of [...images, ...files]) expect((await ida.get(path)).status).toBe(200)
    await ida.delete(`/api/chat-messages/${second}`)
    expect(await list()).toEqual([])
    for (const table of ['media', 'media_sources', 'unreferenced_media', 'pending_media'] as const)
      expect(await readRows(app.db, table), table).toEqual([])
  })
})

describe.each(dialectsInTurn())('copies of media on %s', (dialect) => {
  test('leave nothing when the copy is refused, or sent again', async () => {
    const app = await createTestApp({ dialect })
    const { ann, ben, eve } = await app.members('ann', 'ben', 'eve')
    await befriend(ben, eve)
    const club = await createGroup(ann, 'Club', eve)
    const { body } = await ben.post(
      '/api/send-private-message',
      formData({ targetUserId: String(eve.id) }, { 'files[]': [uploadFile(PDF, 'a.pdf')] }),
    )
    const { id } = body.message
    await ann.put(`/api/groups/${club}/slow-mode`, { seconds: 60 })
    const target = { group_id: club, client_id: 'once' }
    const statuses = []
    for (const one of [target, target, { group_id: club }])
      statuses.push((await forward(eve, id, one)).status)
    expect(statuses).toEqual([200, 200, 429])
    expect(await readRows(app.db, 'media')).toHaveLength(2)
    expect(await readRows(app.db, 'pending_media')).toEqual([])
    expect(await pictureFiles(app)).toHaveLength(1)
  })

  test('count in the storage quota of the member who forwards', async () => {
    const app = await createTestApp({ dialect, env: { MAX_FILE_MB: '30' } })
    const { ann, ben, eve } = await app.members('ann', 'ben', 'eve')
    await befriend(ben, eve)
    const club = await createGroup(ann, 'Club', eve)
    await ann.send('PATCH', '/api/admin/settings', { max_member_storage_mb: 50 })
    const { body } = await ben.post(
      '/api/send-private-message',
      formData(
        { targetUserId: String(eve.id) },
        { 'files[]': [uploadFile(PDF + 'x'.repeat(26 * 2 ** 20), 'a.pdf')] },
      ),
    )
    expect((await forward(eve, body.message.id, { group_id: club })).status).toBe(200)
    expect(await forward(eve, body.message.id, { group_id: club })).toMatchObject({
      status: 422,
      body: { errors: { files: [expect.any(String)] } },
    })
    expect(await pictureFiles(app)).toHaveLength(1)
  })
})
