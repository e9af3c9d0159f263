import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { runDeletions } from '#tests/account-deletion.ts'
import { createTestApp, databases, formData, readRows } from '#tests/harness.ts'
import { blackPng, uploadFile } from '#tests/pictures.ts'
import { connectPusher } from '#tests/sockets.ts'
import {
  added,
  comes,
  inMinutes,
  listOf,
  messagesIn,
  messagesWith,
  postsOf,
  scheduledScene,
  tryMessage,
  tryPost,
} from './scheduled-scene.ts'

const choice = { kind: 'choice', options: ['Cake', 'Soup'] }

describe.each(databases)('what is sent later on %s', (dialect) => {
  test('goes at its time, as if its author sent it then', async () => {
    const scene = await scheduledScene(dialect)
    const { Uma, Ben, club } = scene
    await added(tryPost(Uma, { extras: { poll: choice }, audience: 'group', group_id: club }))
    await added(tryMessage(Uma, { message: 'To the club', group_id: club, due_at: inMinutes(30) }))
    await added(tryMessage(Uma, { user_id: Ben.id, due_at: inMinutes(90) }))
    expect(await listOf(Uma)).toMatchObject([
      { kind: 'group', text: 'To the club', group: { id: club, name: 'Club' } },
      { kind: 'post', audience: 'group', group: { id: club }, extras: ['poll'] },
      { kind: 'person', person: { id: Ben.id }, text: 'Good morning' },
    ])
    expect([await postsOf(Ben), await messagesIn(Ben, club), await messagesWith(Ben, Uma)]).toEqual([
      [],
      [],
      [],
    ])
    await comes(scene)
    expect(await listOf(Uma)).toEqual([])
    const [post, ...others] = await postsOf(Ben)
    expect([post!.body, others]).toEqual(['See you at nine', []])
    expect((await Ben.get(`/api/polls?posts=${post!.id}`)).body.posts[post!.id]).toMatchObject({
      kind: 'choice',
    })
    expect(await messagesIn(Ben, club)).toEqual(['To the club'])
    expect(await messagesWith(Ben, Uma)).toEqual(['Good morning'])
    expect((await Ben.get('/api/notifications')).body[0]).toMatchObject({ kind: 'first_message' })
  })

  test('reaches open windows, and tells everybody if it says so', async () => {
    const scene = await scheduledScene(dialect)
    const { Ada, Ben, url } = scene
    await added(tryPost(Ada, { extras: { tell: {} } }))
    const window = await connectPusher(url)
    window.subscribe('posts', {})
    await window.nextMessage('pusher_internal:subscription_succeeded')
    await comes(scene)
    expect((await window.nextMessage('PostCreated')).data).toMatchObject({ user_id: Ada.id })
    await expect
      .poll(async () => (await Ben.get('/api/notifications')).body[0])
      .toMatchObject({ kind: 'announcement' })
  })

  test('takes its pictures and files along, which only its author sees before', async () => {
    const scene = await scheduledScene(dialect)
    const { Ada, Uma, Ben, club, db } = scene
    const png = blackPng(8, 8)
    const picture = () => uploadFile(png, 'sea.png')
    const pdf = uploadFile('%PDF-1.7\n1 0 obj\n', 'plan.pdf')
    const due_at = inMinutes(60)
    await added(
      Uma.post(
        '/api/scheduled/posts',
        formData(
          { text: '', due_at, 'alt[]': 'The sea', 'preview_of[]': '1' },
          { 'images[]': [picture()], 'files[]': [pdf], 'previews[]': [picture()] },
        ),
      ),
    )
    await added(
      Uma.post(
        '/api/scheduled/messages',
        formData(
          { message: '', group_id: String(club), due_at: inMinutes(61) },
          { 'images[]': [picture()], 'files[]': [pdf] },
        ),
      ),
    )
    const [waiting, withFile] = await listOf(Uma)
    const [image] = waiting!.images
    expect(waiting!.images).toHaveLength(1)
    expect([image!.alt, waiting!.files, withFile!.files]).toEqual(['The sea', ['plan.pdf'], ['plan.pdf']])
    const statuses = []
    for (const who of [Uma, Ada, Ben]) statuses.push((await who.get(image!.path)).status)
    expect(statuses).toEqual([200, 404, 404])
    await comes(scene)
    const [post] = (await Ben.get('/api/posts')).body
    expect(post.images).toMatchObject([{ path: image!.path, alt: 'The sea' }])
    expect((await Ben.get(image!.path)).status).toBe(200)
    expect(post.files).toMatchObject([{ name: 'plan.pdf', preview: { width: 8 } }])
    expect((await Ben.get(post.files[0].preview.path)).status).toBe(200)
    const [message] = (await Ben.get(`/api/group-messages/${club}`)).body
    expect([message.images.length, message.files[0].name]).toEqual([1, 'plan.pdf'])
    for (const table of ['scheduled', 'scheduled_media', 'pending_media', 'unreferenced_media'])
      expect(await readRows(db, table), table).toEqual([])
    expect((await readRows(db, 'media')).map(({ owner_id }) => owner_id)).toEqual(Array(5).fill(Uma.id))
  })

  test('goes once, although several processes and a repeated job try', async () => {
    const scene = await scheduledScene(dialect)
    const { Uma, Ben, club, db, sameData } = scene
    const other = dialect === 'postgres' ? await createTestApp({ sameDataAs: sameData }) : null
    const ids: number[] = []
    for (let count = 0; count < 5; count++)
      ids.push(await added(tryMessage(Uma, { message: `${count}`, group_id: club })))
    // A job that finds nothing due does nothing.
    await transaction(db, (tx) => enqueueJob(tx, 'send_scheduled', { scheduled: ids[0]! }))
    await scene.context.jobs.idle()
    expect(await messagesIn(Ben, club)).toEqual([])
    await transaction(db, async (tx) => {
      const runAt = new Date(inMinutes(60))
      for (const scheduled of [...ids, ...ids])
        await enqueueJob(tx, 'send_scheduled', { scheduled }, { runAt })
    })
    other?.context.jobs.wake()
    await comes(scene)
    await other?.context.jobs.idle()
    expect((await messagesIn(Ben, club)).sort()).toEqual(['0', '1', '2', '3', '4'])
  })

  test('can be changed, sent now and removed by its author alone', async () => {
    const scene = await scheduledScene(dialect)
    const { Ada, Uma, Ben, club } = scene
    const [first, second] = [await added(tryPost(Uma)), await added(tryPost(Uma))]
    for (const who of [Ada, Ben]) {
      expect(await listOf(who)).toEqual([])
      const path = `/api/scheduled/${first}`
      expect((await who.put(path, { due_at: inMinutes(5) })).status).toBe(404)
      expect((await who.post(`${path}/send`)).status).toBe(404)
      expect((await who.delete(path)).status).toBe(404)
    }
    const due_at = inMinutes(300)
    expect((await Uma.put(`/api/scheduled/${first}`, { due_at, text: 'See you at ten' })).body).toEqual({
      due_at,
    })
    expect((await listOf(Uma)).map(({ id, text }) => [id, text])).toEqual([
      [second, 'See you at nine'],
      [first, 'See you at ten'],
    ])
    expect((await Uma.put(`/api/scheduled/${first}`, { due_at, text: null })).status).toBe(422)
    expect((await Uma.post(`/api/scheduled/${first}/send`)).body).toEqual({ count: 1 })
    expect((await Uma.post(`/api/scheduled/${first}/send`)).status).toBe(404)
    expect((await Uma.delete(`/api/scheduled/${second}`)).body).toEqual({ count: 0 })
    await comes(scene)
    expect((await postsOf(Ben)).map(({ body }) => body)).toEqual(['See you at ten'])
    const message = await added(tryMessage(Uma, { group_id: club }))
    const long = { due_at, text: 'x'.repeat(1001) }
    expect((await Uma.put(`/api/scheduled/${message}`, long)).body.errors).toHaveProperty('text')
  })

  test('gets no other time at which it could not be sent, and keeps its pictures', async () => {
    const scene = await scheduledScene(dialect)
    const { Uma, Ben, db } = scene
    const extras = JSON.stringify({ poll: { ...choice, ends_at: inMinutes(90) } })
    const images = { 'images[]': [uploadFile(blackPng(8, 8), 'sea.png')] }
    const due_at = inMinutes(60)
    const id = await added(
      Uma.post('/api/scheduled/posts', formData({ text: 'Cake?', due_at, extras }, images)),
    )
    const { status, body } = await Uma.put(`/api/scheduled/${id}`, { due_at: inMinutes(120) })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['poll.ends_at']])
    expect(await listOf(Uma)).toMatchObject([{ due_at, images: [{}] }])
    expect((await Uma.put(`/api/scheduled/${id}`, { due_at: inMinutes(80) })).status).toBe(200)
    for (const table of ['posts', 'polls']) expect(await readRows(db, table), table).toEqual([])
    await comes(scene)
    expect(await postsOf(Ben)).toMatchObject([{ body: 'Cake?', images: [{}] }])
  })

  test('is refused at once if it may not be sent now, or its time is wrong, and stores nothing', async () => {
    const { Ada, Uma, Ben, Kid, Dad, club, db } = await scheduledScene(dialect)
    const answers = [
      tryPost(Uma, { due_at: inMinutes(0) }),
      tryPost(Uma, { due_at: inMinutes(367 * 24 * 60) }),
      tryPost(Uma, { due_at: 'tomorrow' }),
      tryPost(Uma, { text: '' }),
      tryPost(Uma, { text: 'x'.repeat(10_001) }),
      tryPost(Uma, { extras: { cake: {} } }),
      // The poll would have ended before it begins.
      tryPost(Uma, { extras: { poll: { ...choice, ends_at: inMinutes(30) } } }),
      tryPost(Ada, { extras: { acknowledgement: { until: inMinutes(30) } } }),
      tryPost(Ada, { extras: { acknowledgement: { remind_at: [inMinutes(30)] } } }),
      tryMessage(Uma, {}),
      tryMessage(Uma, { user_id: Ben.id, group_id: club }),
      tryMessage(Uma, { group_id: club, quotes_id: 999 }),
    ]
    for (const answer of answers) expect((await answer).status).toBe(422)
    expect((await tryPost(Uma, { extras: { tell: {} } })).status).toBe(403)
    expect((await tryMessage(Dad, { group_id: club })).status).toBe(403)
    expect((await tryMessage(Uma, { user_id: Kid.id })).status).toBe(403)
    for (const table of ['scheduled', 'posts', 'messages', 'polls'])
      expect(await readRows(db, table), table).toEqual([])
  })

  test('is stored once for a repeated request, and at most fifty times', async () => {
    const { Uma } = await scheduledScene(dialect)
    const first = await added(tryPost(Uma, { client_id: 'one' }))
    expect(await added(tryPost(Uma, { client_id: 'one' }))).toBe(first)
    for (let count = 1; count < 50; count++) await added(tryPost(Uma))
    const { status, body } = await tryPost(Uma)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['due_at']])
    expect((await Uma.get('/api/scheduled/count')).body).toEqual({ count: 50 })
  })

  test('is deleted with its author, pictures too', async () => {
    const scene = await scheduledScene(dialect)
    const { Uma, db } = scene
    const images = { 'images[]': [uploadFile(blackPng(8, 8), 'sea.png')] }
    await added(Uma.post('/api/scheduled/posts', formData({ text: '', due_at: inMinutes(60) }, images)))
    expect((await Uma.send('DELETE', '/api/account', { messages: 'keep' })).status).toBeLessThan(300)
    await runDeletions(scene)
    for (const table of ['scheduled', 'scheduled_media', 'media'])
      expect(await readRows(db, table)).toEqual([])
  })
})
