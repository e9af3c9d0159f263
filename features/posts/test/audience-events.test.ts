import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { createGroup } from '#tests/conversations.ts'
import { databases, readRows } from '#tests/harness.ts'
import { connectSubscribed, messagesArrived } from '#tests/sockets.ts'
import { audienceScene, postFor, urlsThatShow, watchPosts } from './audience-scene.ts'

describe.each(databases)('the audience of a post on %s, for likes and live events,', (dialect) => {
  test('does not keep a like of a member who has lost the post', async () => {
    const scene = await audienceScene(dialect)
    const { Ann, Ben, Cleo, db } = scene
    const author = await watchPosts(scene, Ann)
    const { id } = await postFor(Ann, 'followers')
    const like = `/api/posts/${id}/like`
    expect((await Ben.put(like)).status).toBe(200)
    await Ben.delete(`/api/unfollow/${Ann.id}`)
    for (const answer of [await Cleo.delete(like), await Ben.post(like)]) expect(answer.status).toBe(404)
    expect(await readRows(db, 'likes')).toMatchObject([{ user_id: Ben.id }])
    // Expects the same response as for a post that does not exist.
    const removed = await Ben.delete(like)
    expect([removed.status, removed.body]).toEqual(
      await Ben.delete('/api/posts/999/like').then(({ status, body }) => [status, body]),
    )
    expect(await readRows(db, 'likes')).toEqual([])
    expect((await Ann.get(`/api/posts/${id}`)).body).toMatchObject({ likes_count: 0 })
    const counts = [await author.nextMessage('PostLiked'), await author.nextMessage('PostLiked')]
    expect(counts.map(({ data }) => data.likes_count)).toEqual([1, 0])
  })

  test('stays that of the first request when the author repeats it', async () => {
    const scene = await audienceScene(dialect)
    const stranger = await watchPosts(scene, null)
    const first = await postFor(scene.Ann, 'members', 'a')
    const again = await postFor(scene.Ann, 'everyone', 'a')
    expect(again).toMatchObject({ id: first.id, audience: 'members' })
    scene.realtime.broadcast(['posts'], 'Last', {})
    await stranger.nextMessage('Last')
    expect(stranger.received('PostCreated')).toEqual([])
  })

  test('lets a member who was not known yet learn that an event was missed, and nobody else', async () => {
    const { Ann, Ben, url, sign } = await audienceScene(dialect)
    const [known, unknown] = [await connectSubscribed(url, 'posts'), await connectSubscribed(url, 'posts')]
    await postFor(Ann, 'followers')
    await postFor(Ann, 'everyone')
    for (const client of [known, unknown]) await client.nextMessage('PostCreated')
    expect((await sign(Ben, known.id, 'private-room.1')).status).toBe(200)
    expect((await known.nextMessage('pusher_internal:subscription_succeeded')).channel).toBe('posts')
    // After a second authorisation, the server does not tell the same client to fetch again, because the
    // client has missed no event since the first.
    expect((await sign(Ben, known.id, 'private-room.1')).status).toBe(200)
    await messagesArrived(known, unknown)
    for (const client of [known, unknown])
      expect(client.received('pusher_internal:subscription_succeeded')).toEqual([])
    const later = await connectSubscribed(url, 'posts')
    expect((await sign(Ben, later.id, 'private-room.1')).status).toBe(200)
    await messagesArrived(later)
    expect(later.received('pusher_internal:subscription_succeeded')).toEqual([])
  })

  test('decides who gets the live events', async () => {
    const scene = await audienceScene(dialect)
    const { Ann, Ben, Cleo, realtime } = scene
    const clients = {
      Ann: await watchPosts(scene, Ann),
      Ben: await watchPosts(scene, Ben),
      Cleo: await watchPosts(scene, Cleo),
      stranger: await watchPosts(scene, null),
    }
    const group = await createGroup(scene.Admin, 'Garden', Ann, Cleo)
    for (const audience of ['everyone', 'members', 'followers', 'group'] as const) {
      const { id } = await postFor(Ann, audience, '', audience === 'group' ? group : undefined)
      await (audience === 'group' ? Cleo : Ben).put(`/api/posts/${id}/like`)
      await Ann.delete(`/api/posts/${id}`)
    }
    realtime.broadcast(['posts'], 'Last', {})
    for (const client of Object.values(clients)) await client.nextMessage('Last')
    await messagesArrived(...Object.values(clients))
    const countsOf = (client: (typeof clients)['Ann']) =>
      ['PostCreated', 'PostLiked', 'PostDeleted'].map((event) => client.received(event).length)
    expect(countsOf(clients.Ann)).toEqual([4, 4, 4])
    expect(countsOf(clients.Ben)).toEqual([3, 3, 3])
    expect(countsOf(clients.Cleo)).toEqual([3, 3, 3])
    expect(countsOf(clients.stranger)).toEqual([1, 1, 1])
  })

  test('decides who learns that a moderator or the deletion of the account removed the post', async () => {
    const scene = await audienceScene(dialect)
    const { Admin, Ann, Ben, Cleo, realtime } = scene
    const [reported, liked] = [await postFor(Ann, 'followers'), await postFor(Ann, 'followers')]
    await postFor(Ben, 'members')
    const [ann, cleo, stranger] = [
      await watchPosts(scene, Ann),
      await watchPosts(scene, Cleo),
      await watchPosts(scene, null),
    ]
    await Ben.put(`/api/posts/${liked.id}/like`)
    await Ben.post('/api/reports', { kind: 'post', id: reported.id, reason: 'other' })
    const [{ id }] = (await Admin.get('/api/moderation/cases')).body
    // A moderator sees the pictures of a reported post while its case is open, but not the post itself.
    const pictures = reported.images.flatMap(({ path, full }) => [path, full])
    expect(await urlsThatShow(Admin, reported)).toEqual(pictures)
    const decision = { action: 'hide', note: 'Rude' }
    expect((await Admin.post(`/api/moderation/cases/${id}/decisions`, decision)).status).toBeLessThan(300)
    for (const who of [Admin, Ben]) expect(await urlsThatShow(who, reported)).toEqual([])
    await transaction(scene.db, async (tx) => {
      await deleteMember(scene.context, tx, { id: Ben.id, keep_messages: true })
    })
    realtime.broadcast(['posts'], 'Last', {})
    for (const client of [ann, cleo, stranger]) await client.nextMessage('Last')
    await messagesArrived(ann, cleo, stranger)
    const counts = [ann, cleo, stranger].map((client) =>
      ['PostDeleted', 'PostLiked'].map((event) => client.received(event).length),
    )
    expect(counts).toEqual([
      [2, 2],
      [1, 0],
      [0, 0],
    ])
  })
})
