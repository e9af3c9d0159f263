import { describe, expect, test } from 'vitest'
import {
  befriend,
  createGroup,
  pictureFiles,
  sendPrivate,
  sendToGroup,
  spyOnBroadcasts,
} from '#tests/conversations.ts'
import { databases, formData, readRows } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { retentionRules, retentionScene, saveRetention } from '#tests/retention-scene.ts'

const createPicture = async () => uploadFile(await fourColours().png().toBuffer(), 'a.png')
const previewPath = '/api/admin/retention-preview'

describe.each(databases)('old messages and pictures on %s', (dialect) => {
  async function openChats() {
    const scene = await retentionScene(dialect)
    const { Ann, Ben } = await scene.members('Ann', 'Ben')
    await befriend(Ann, Ben)
    const group = await createGroup(Ann, 'Choir', Ben)
    const inPrivate = [await sendPrivate(Ann, Ben, 'old'), await sendPrivate(Ben, Ann, 'new')]
    const inGroup = [await sendToGroup(Ann, group, 'old'), await sendToGroup(Ben, group, 'new')]
    await scene.makeMessagesOld([inPrivate[0]!.id, inGroup[0]!.id], 40)
    return { ...scene, Ann, Ben, group, inPrivate, inGroup }
  }
  const readTexts = async (who: Awaited<ReturnType<typeof openChats>>['Ann'], path: string) =>
    (await who.get(path)).body.map(({ message }: { message: string }) => message)

  test('stay for ever at first, and every member may read that', async () => {
    const { Ann, Ben, visitor, group, run, endGrace } = await openChats()
    const forEver = { days: null, starts_at: null }
    for (const who of [Ann, Ben])
      expect(await retentionRules(who)).toEqual({ messages: forEver, pictures: forEver })
    expect((await visitor().get('/api/retention')).status).toBe(401)
    await endGrace()
    await run()
    expect(await readTexts(Ben, `/api/group-messages/${group}`)).toEqual(['old', 'new'])
  })

  test('are counted in a preview that changes nothing', async () => {
    const { Ann, Ben, db, makePostOld } = await openChats()
    const post = formData({ text: 'x' }, { 'images[]': [await createPicture(), await createPicture()] })
    const { id } = (await Ben.send('POST', '/api/posts', post)).body.post
    await makePostOld(id, 100)
    const bytes = (await readRows(db, 'media')).reduce((sum, row) => sum + Number(row.bytes), 0)
    const none = { count: 0, bytes: 0, oldest: null }
    expect((await Ann.get(previewPath)).body).toEqual({ messages: none, pictures: none })
    const old = (await Ann.get(`${previewPath}?keep_messages_days=30&keep_pictures_days=90`)).body
    expect(old).toEqual({
      messages: { count: 2, bytes: 0, oldest: expect.any(String) },
      pictures: { count: 2, bytes, oldest: expect.any(String) },
    })
    expect(Date.parse(old.pictures.oldest)).toBeLessThan(Date.parse(old.messages.oldest))
    expect((await Ann.get(`${previewPath}?keep_messages_days=90&keep_pictures_days=`)).body).toEqual({
      messages: none,
      pictures: none,
    })
    for (const days of ['1', '-30', 'x', '31'])
      expect((await Ann.get(`${previewPath}?keep_messages_days=${days}`)).status, days).toBe(422)
    expect((await Ben.get(previewPath)).status).toBe(403)
    expect(await readRows(db, 'messages')).toHaveLength(4)
    expect(await readRows(db, 'settings')).toEqual([])
  })

  test('are removed a day after the setting was saved, and not before', async () => {
    const { Ann, Ben, group, db, run, endGrace, inGroup } = await openChats()
    const at = Date.now()
    await saveRetention(Ann, { keep_messages_days: 30 })
    const { messages } = await retentionRules(Ben)
    expect(messages.days).toBe(30)
    expect(Date.parse(messages.starts_at!) - at).toBeGreaterThanOrEqual(24 * 3600_000)
    await run()
    expect(await readRows(db, 'messages')).toHaveLength(4)
    await endGrace()
    await run()
    expect(await readTexts(Ben, `/api/group-messages/${group}`)).toEqual(['new'])
    expect(await readTexts(Ann, `/api/messages/${Ben.id}`)).toEqual(['new'])
    expect((await Ann.get('/api/my-groups')).body[0].last_message.id).toBe(inGroup[1]!.id)
    expect((await Ann.get('/api/admin/retention')).body).toMatchObject({
      messages: { removed_count: 2, removed_bytes: 0, last_run_at: expect.any(String) },
      pictures: { removed_count: 0, removed_on: null, last_run_at: null },
    })
    expect((await Ben.get('/api/admin/retention')).status).toBe(403)
    const [entry] = (await Ben.get('/api/audit-log')).body
    expect(entry).toMatchObject({ action: 'settings_changed', settings: { keep_messages_days: 30 } })
  })

  test('stay if the setting is taken back, also after the grace, and a new change has a new grace', async () => {
    const { Ann, db, run, endGrace } = await openChats()
    await saveRetention(Ann, { keep_messages_days: 30 })
    await saveRetention(Ann, { keep_messages_days: null })
    await endGrace()
    await run()
    await saveRetention(Ann, { keep_messages_days: 365 })
    await endGrace()
    await saveRetention(Ann, { keep_messages_days: 365 })
    await run()
    await saveRetention(Ann, { keep_messages_days: 30 })
    await run()
    expect(await readRows(db, 'messages')).toHaveLength(4)
  })

  test('are taken off open pages with one event for each chat', async () => {
    const { Ann, Ben, group, run, endGrace, inPrivate, inGroup, ...app } = await openChats()
    await saveRetention(Ann, { keep_messages_days: 30 })
    await endGrace()
    const { recorded } = spyOnBroadcasts(app)
    await run()
    const events = recorded('MessagesRemoved').sort((a, b) => a.data.before_id - b.data.before_id)
    expect(events).toEqual([
      {
        to: [`private-chat.${Ann.id}.${Ben.id}`],
        event: 'MessagesRemoved',
        data: { before_id: inPrivate[1]!.id },
      },
      {
        to: [`private-group-chat.${group}`],
        event: 'MessagesRemoved',
        data: { before_id: inGroup[1]!.id },
      },
    ])
  })

  test('leave a chat that can go on, when all of its messages were removed', async () => {
    const { Ann, Ben, group, run, endGrace, makeMessagesOld, inPrivate, inGroup } = await openChats()
    await makeMessagesOld(
      [...inPrivate, ...inGroup].map(({ id }) => id),
      31,
    )
    await Ben.delete(`/api/follow/${Ann.id}`)
    await saveRetention(Ann, { keep_messages_days: 30 })
    await endGrace()
    await run()
    expect((await Ben.get('/api/conversations')).body).toEqual([])
    expect((await Ben.get('/api/my-groups')).body).toMatchObject([{ id: group, last_message: null }])
    expect((await Ben.get('/api/unread')).body.private).toEqual({})
    expect(await readTexts(Ben, `/api/messages/${Ann.id}`)).toEqual([])
    expect((await Ben.send('PUT', `/api/groups/${group}/read`, { last_read_id: 9 })).status).toBe(200)
    await sendPrivate(Ben, Ann, 'again')
    expect(await readTexts(Ann, `/api/messages/${Ben.id}`)).toEqual(['again'])
    expect((await Ann.get('/api/conversations')).body).toHaveLength(1)
  })

  test('are removed once by two processes, in several batches', async () => {
    const { Ann, db, group, insertOldMessages, run, endGrace } = await openChats()
    for (let n = 0; n < 3; n++) await insertOldMessages(group, Ann.id, 400)
    await saveRetention(Ann, { keep_messages_days: 30 })
    await endGrace()
    await Promise.all([run(), run()])
    expect(await readRows(db, 'messages')).toHaveLength(2)
    expect((await Ann.get('/api/admin/retention')).body.messages.removed_count).toBe(1202)
  })

  test('lose their pictures and keep their texts, which say how many there were', async () => {
    const { Ann, Ben, group, makeMessagesOld, makePostOld, run, endGrace, visitor, ...app } =
      await openChats()
    const files = { 'images[]': [await createPicture(), await createPicture()] }
    const posts: number[] = []
    for (const text of ['old', 'new'])
      posts.push((await Ben.send('POST', '/api/posts', formData({ text }, files))).body.post.id)
    const sent = formData(
      { group_id: String(group), message: 'text' },
      { 'images[]': [await createPicture()] },
    )
    expect((await Ben.send('POST', '/api/group-messages/send', sent)).status).toBeLessThan(300)
    const last = (await Ann.get(`/api/group-messages/${group}`)).body.at(-1)
    await makePostOld(posts[0]!, 91)
    await makeMessagesOld([last.id], 91)
    const stranger = visitor()
    const before = (await stranger.get('/api/posts')).body
    const picture = before.find(({ id }: { id: number }) => id === posts[0]).images[0].path
    expect((await stranger.get(picture)).status).toBe(200)
    await saveRetention(Ann, { keep_pictures_days: 90 })
    await endGrace()
    await run()
    const after = (await stranger.get('/api/posts')).body
    expect(after).toMatchObject([
      { body: 'new', images: [{}, {}] },
      { body: 'old', images: [], removed_images: 2 },
    ])
    expect(after[0]).not.toHaveProperty('removed_images')
    expect((await stranger.get(picture)).status).toBe(404)
    const message = (await Ann.get(`/api/group-messages/${group}`)).body.at(-1)
    expect(message).toMatchObject({ message: 'text', images: [], removed_images: 1 })
    expect((await readRows(app.db, 'media')).length).toBe(2)
    const names = new Set((await pictureFiles(app)).map((file) => file.slice(0, file.lastIndexOf('-'))))
    expect(names.size).toBe(2)
    const { pictures, messages } = (await Ann.get('/api/admin/retention')).body
    expect(pictures).toMatchObject({ removed_count: 3, removed_bytes: expect.any(Number) })
    expect(pictures.removed_bytes).toBeGreaterThan(0)
    expect(messages).toMatchObject({ removed_count: 0 })
  })
})
