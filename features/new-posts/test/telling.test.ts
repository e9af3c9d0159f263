import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { asChild, decideContact, followAs } from '#features/guardians/test/guardian-scene.ts'
import { MAX_NEW_POSTS, MAX_SEEN_POSTS } from '#features/notifications/contract.ts'
import { announced, pinAndTell } from '#features/notifications/test/announcement-helpers.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { createGroup, UNUSED_ID } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import { databases, readRows } from '#tests/harness.ts'
import { insertMembers } from '#tests/members.ts'
import { startPushService } from '#tests/push-service.ts'
import { choose, heard, listOf, newPostScene, setMode, told, unreadOf } from './new-post-scene.ts'

vi.setConfig({ testTimeout: 60_000 })

describe.each(databases)('new posts on %s', (dialect) => {
  test('are told to those who chose the author, to those who chose everybody, and to no one else', async () => {
    const { Mia, Ann, Ben, Cleo, Dora, publish } = await newPostScene(dialect)
    await choose(Ben, Ann)
    await choose(Cleo, Dora)
    await setMode(Mia, 'everybody')
    await choose(Dora, Ann)
    await setMode(Dora, 'nobody')
    const id = await publish(Ann)
    for (const who of [Ben, Mia]) {
      expect(await heard(who)).toEqual([['Ann wrote a new post: The beans are ripe', `/posts/${id}`]])
      expect(await unreadOf(who)).toBe(1)
    }
    expect(await heard(Ben, 'ja')).toEqual([['Annさんの新しい投稿です：The beans are ripe', `/posts/${id}`]])
    for (const who of [Ann, Cleo, Dora]) expect(await heard(who)).toEqual([])
  })

  test('are told to everybody who has not decided, in a small community', async () => {
    const { Ann, Ben, Cleo, Dora, publish, db } = await newPostScene(dialect, { NEW_POSTS_UP_TO: '5' })
    await setMode(Cleo, 'nobody')
    await setMode(Dora, 'chosen')
    await choose(Dora, Ben)
    await publish(Ann)
    expect(await heard(Ben)).toHaveLength(1)
    for (const who of [Ann, Cleo, Dora]) expect(await heard(who)).toEqual([])
    expect((await readRows(db, 'notifications')).length).toBe(2)
  })

  test('of one person are one notification, whose posts are read one by one or together', async () => {
    const { Ann, Ben, Cleo, publish } = await newPostScene(dialect)
    await choose(Ben, Ann, Cleo)
    const [first, second] = [await publish(Ann), await publish(Ann, { text: 'And the peas' })]
    await publish(Cleo)
    const [byCleo, byAnn] = await listOf(Ben)
    expect(byCleo).toMatchObject({ kind: 'new_post', posts_count: 1, people: [{ id: Cleo.id }] })
    expect(byAnn).toMatchObject({ posts_count: 2, post: { id: second, body: 'And the peas' } })
    expect((await heard(Ben))[1]).toEqual([
      'Ann wrote 2 new posts, the newest: And the peas',
      `/people/${Ann.id}`,
    ])
    expect(await unreadOf(Ben)).toBe(2)
    const { last_event_id } = (await Ben.get('/api/notifications/unread')).body
    const seen = (post_id: number) => Ben.post('/api/notifications/read-about', { post_id, last_event_id })
    // The other post of Ann is still unseen.
    expect((await seen(first)).body).toEqual({ count: 2 })
    await Ben.post('/api/notifications/read', { last_event_id })
    expect(await unreadOf(Ben)).toBe(0)
    const third = await publish(Ann, { text: 'Plums' })
    expect((await heard(Ben))[0]).toEqual(['Ann wrote a new post: Plums', `/posts/${third}`])
    expect(await unreadOf(Ben)).toBe(1)
    const newest = (await Ben.get('/api/notifications/unread')).body.last_event_id
    const page = { post_id: third, last_event_id: newest }
    expect((await Ben.post('/api/notifications/read-about', page)).body).toEqual({ count: 0 })
  })

  test('are read when a list has shown all of one person', async () => {
    const { Ann, Ben, Cleo, publish } = await newPostScene(dialect)
    for (const who of [Ben, Cleo]) await choose(who, Ann)
    const posts = [await publish(Ann), await publish(Ann, { text: 'Plums' })]
    const see = (who: typeof Ben, seen: readonly unknown[]) =>
      who.post('/api/notifications/seen-posts', { posts: seen })
    expect((await see(Ben, posts.slice(1))).body).toEqual({ count: 1 })
    expect((await see(Ben, [...posts, UNUSED_ID])).body).toEqual({ count: 0 })
    expect((await listOf(Ben))[0]).toMatchObject({ is_read: true, posts_count: 1 })
    expect(await unreadOf(Cleo)).toBe(1)
    for (const wrong of [[], ['x'], Array.from({ length: MAX_SEEN_POSTS + 1 }, (_, n) => n + 1)])
      expect((await see(Ben, wrong)).status).toBe(422)
    await publish(Ann)
    expect((await see(Ben, posts)).body).toEqual({ count: 1 })
  })

  test('of one person are forgotten when they were read, and when there are too many', async () => {
    const { Ann, Ben, publish, db } = await newPostScene(dialect)
    await choose(Ben, Ann)
    await publish(Ann)
    const { last_event_id } = (await Ben.get('/api/notifications/unread')).body
    await Ben.post('/api/notifications/read', { last_event_id })
    expect(await heard(Ben)).toHaveLength(1)
    for (let n = 0; n <= MAX_NEW_POSTS; n++) await Ann.post('/api/posts', { text: `Bean ${n}` })
    await told(db)
    expect(await readRows(db, 'notification_events')).toHaveLength(MAX_NEW_POSTS)
    expect((await heard(Ben))[0]![0]).toMatch(`Ann wrote ${MAX_NEW_POSTS}+ new posts, the newest: Bean`)
    expect(await unreadOf(Ben)).toBe(1)
  })

  test('for a group are told to its members who chose it, and not after they have left', async () => {
    const { Mia, Ann, Ben, Cleo, Dora, publish } = await newPostScene(dialect)
    const club = await createGroup(Mia, 'Club', Ann, Ben, Cleo)
    const inClub = { audience: 'group', group_id: club }
    await Ben.put(`/api/new-posts/groups/${club}`)
    await choose(Dora, Ann)
    await setMode(Cleo, 'everybody')
    const id = await publish(Ann, inClub)
    for (const who of [Ben, Cleo]) expect((await heard(who))[0]![1]).toBe(`/posts/${id}`)
    expect(await heard(Dora)).toEqual([])
    await publish(Ann)
    expect((await listOf(Ben)).filter(({ kind }) => kind === 'new_post')).toHaveLength(1)
    await Mia.delete(`/api/groups/${club}/members/${Ben.id}`)
    expect(await heard(Ben)).toEqual([])
    await Mia.delete(`/api/groups/${club}/members/${Cleo.id}`)
    await publish(Ann, inClub)
    expect((await heard(Cleo)).map(([sentence]) => sentence)).toEqual([
      'Ann wrote a new post: The beans are ripe',
    ])
  })

  test('are not told to whoever may not see them, has muted the author, or is suspended', async () => {
    const { Mia, Ann, Ben, Cleo, Dora, publish, members } = await newPostScene(dialect)
    const { Eve, Finn } = await members('Eve', 'Finn')
    for (const who of [Ben, Cleo, Dora, Eve, Finn]) await setMode(who, 'everybody')
    await Cleo.post(`/api/users/${Ann.id}/block`)
    await Ann.post(`/api/users/${Dora.id}/block`)
    await Eve.post(`/api/users/${Ann.id}/mute`)
    await Mia.put(`/api/admin/users/${Finn.id}/suspension`)
    await followAs(Ben, Ann)
    await publish(Ann, { audience: 'followers' })
    await publish(Ann)
    expect(await heard(Ben)).toHaveLength(1)
    await Mia.delete(`/api/admin/users/${Finn.id}/suspension`)
    for (const who of [Cleo, Dora, Eve]) expect(await listOf(who)).toEqual([])
    // What is for followers is not for Mia, who chooses everybody afterwards.
    await setMode(Mia, 'everybody')
    await publish(Ann, { audience: 'followers' })
    expect((await listOf(Mia)).filter(({ kind }) => kind === 'new_post')).toEqual([])
  })

  test('are not brought to a child whose guardian has refused the author, nor the other way round', async () => {
    const { Mia, Ann, Ben, Cleo, publish } = await newPostScene(dialect)
    await asChild(Mia, Ben, ['cleo'])
    await choose(Ben, Ann, Cleo)
    await choose(Ann, Ben)
    await followAs(Ann, Ben)
    expect((await decideContact(Cleo, Ben, Ann, 'refused')).status).toBe(200)
    await publish(Ann)
    await publish(Ben)
    for (const who of [Ann, Ben])
      expect((await listOf(who)).filter(({ kind }) => kind === 'new_post')).toEqual([])
    await publish(Cleo)
    expect((await heard(Ben))[0]![0]).toContain('Cleo wrote a new post')
  })

  test('are not told of twice: announced, or mentioned', async () => {
    const { Mia, Ann, Ben, Cleo, publish, db } = await newPostScene(dialect)
    for (const who of [Ben, Cleo]) await setMode(who, 'everybody')
    const kindsOf = async (who: typeof Ben) => (await listOf(who)).map(({ kind }) => kind)
    await publish(Mia, { extras: { tell: {} } })
    await announced(db)
    for (const who of [Ben, Cleo]) expect(await kindsOf(who)).toEqual(['announcement'])
    await publish(Ann, { text: 'Hello @ben' })
    expect(await kindsOf(Ben)).toEqual(['mention', 'announcement'])
    expect(await kindsOf(Cleo)).toEqual(['new_post', 'announcement'])
    const later = await publish(Ann)
    await pinAndTell(Mia, later)
    await announced(db)
    await told(db)
    expect(await kindsOf(Cleo)).toEqual(['announcement', 'new_post', 'announcement'])
    expect(await kindsOf(Ben)).toEqual(['announcement', 'mention', 'announcement'])
  })

  test('vanish with the post, with the account of the author, and while a moderator hides them', async () => {
    const { Ann, Ben, Cleo, publish, db, context } = await newPostScene(dialect)
    await choose(Ben, Ann, Cleo)
    const [first, second] = [await publish(Ann), await publish(Ann, { text: 'Plums' })]
    const ofFirst = [['Ann wrote a new post: The beans are ripe', `/posts/${first}`]]
    await transaction(db, (tx) =>
      tx.insertInto('hidden_posts').values({ post_id: second, created_at: '' }).execute(),
    )
    expect(await heard(Ben)).toEqual(ofFirst)
    await transaction(db, (tx) => tx.deleteFrom('hidden_posts').execute())
    expect((await listOf(Ben))[0]).toMatchObject({ posts_count: 2 })
    await Ann.delete(`/api/posts/${second}`)
    await told(db)
    expect(await heard(Ben)).toEqual(ofFirst)
    expect(await readRows(db, 'notification_events')).toHaveLength(1)
    await Ann.delete(`/api/posts/${first}`)
    expect(await unreadOf(Ben)).toBe(0)
    await told(db)
    expect(await readRows(db, 'notifications')).toEqual([])
    await publish(Cleo)
    expect(await unreadOf(Ben)).toBe(1)
    await transaction(db, (tx) => deleteMember(context, tx, { id: Cleo.id, keep_messages: false }))
    expect(await unreadOf(Ben)).toBe(0)
    await told(db)
    expect(await readRows(db, 'notifications')).toEqual([])
  })

  test('do not count in the app if it is switched off, and reach devices only if that is switched on', async () => {
    const service = await startPushService()
    const scene = await newPostScene(dialect, { PUSH_LOCAL_SERVICE: service.origin })
    const { Ann, Ben, publish } = scene
    await choose(Ben, Ann)
    const browser = service.createBrowser()
    expect((await Ben.post('/api/push/devices', browser.subscription)).status).toBe(201)
    const save = async (channel: string, is_on: boolean) => {
      const change = { switch: { kind: 'new_post', channel, is_on } }
      const { body } = await Ben.send('PATCH', '/api/notification-settings', change)
      return body.switches
    }
    const stateOf = (switches: { kind: string; channel: string; is_on: boolean }[]) =>
      switches.filter(({ kind }) => kind === 'new_post').map(({ channel, is_on }) => [channel, is_on])
    const { body } = await Ben.get('/api/notification-settings')
    expect(stateOf(body.switches)).toEqual([
      ['app', true],
      ['push', false],
      ['mail', true],
    ])
    await publish(Ann)
    expect(await readRows(scene.db, 'push_items')).toEqual([])
    expect((await readRows(scene.db, 'jobs')).map(({ kind }) => kind)).not.toContain('push_notifications')
    expect(stateOf(await save('push', true))).toContainEqual(['push', true])
    await publish(Ann, { text: 'Plums' })
    await eventually(() => expect(service.receivedAt(browser.path)).toHaveLength(1))
    const [shown] = service.receivedAt(browser.path).map(browser.decrypt)
    expect(JSON.stringify(shown)).toContain('Ann wrote 2 new posts')
    expect(stateOf(await save('push', false))).toContainEqual(['push', false])
    await publish(Ann)
    expect(await unreadOf(Ben)).toBe(1)
    await save('app', false)
    expect(await unreadOf(Ben)).toBe(0)
    expect((await listOf(Ben))[0]).toMatchObject({ is_read: true })
    expect(service.receivedAt(browser.path)).toHaveLength(1)
  })

  test('are told once if the job runs again, and to many in batches that leave others their turn', async () => {
    const app = await newPostScene(dialect, { NEW_POSTS_UP_TO: '9999' })
    const { Ann, Ben, publish, db } = app
    await insertMembers(app, 450)
    const post = await publish(Ann)
    expect(await readRows(db, 'notification_events')).toHaveLength(450 + 4)
    await transaction(db, (tx) => enqueueJob(tx, 'tell_new_post', { post, author: Ann.id, group: null }))
    await told(db)
    expect(await readRows(db, 'notification_events')).toHaveLength(450 + 4)
    await Ann.delete(`/api/posts/${post}`)
    await told(db)
    expect(await readRows(db, 'notifications')).toEqual([])
    expect(await heard(Ben)).toEqual([])
  })
})
