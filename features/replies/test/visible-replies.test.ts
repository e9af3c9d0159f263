import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { createGroup } from '#tests/conversations.ts'
import { databases, readRows, type TestClient } from '#tests/harness.ts'
import { connectSubscribed } from '#tests/sockets.ts'
import { jsonOfExport, makeExport } from '../../export/test/exports.ts'
import type { Reply } from '../contract.ts'
import { newPost, newReply, repliesCount, replyScene, replyTexts } from './reply-scene.ts'

type Member = TestClient & { id: number }

describe.each(databases)('replies on %s, for viewers,', (dialect) => {
  const open = () => replyScene(dialect)

  /**
   * Sends all requests about a reply as `who`, also those that edit and delete the reply, and returns the
   * statuses of the responses.
   */
  const statusesOf = async (who: TestClient, { id, post_id, images }: Reply) => {
    const answers = [
      await who.get(`/api/posts/${post_id}/replies`),
      await who.post(`/api/posts/${post_id}/replies`, { text: 'x' }),
      await who.get(`/api/replies/${id}/likes`),
      await who.put(`/api/replies/${id}/like`),
      await who.delete(`/api/replies/${id}/like`),
      await who.put(`/api/replies/${id}`, { text: 'x' }),
      await who.delete(`/api/replies/${id}`),
      await who.get(images[0]!.path),
    ]
    return answers.map(({ status }) => status)
  }

  test('follow the audience of the post', async () => {
    const { Admin, Ann, Ben, Cleo } = await open()
    const club = await createGroup(Admin, 'Club', Ann, Ben)
    const audiences = [{ audience: 'followers' }, { audience: 'group', group_id: club }]
    for (const audience of audiences) {
      const reply = await newReply(Ann, await newPost(Ann, audience), 'For some', { alt: '' })
      expect(await statusesOf(Cleo, reply)).toEqual(Array(8).fill(404))
      expect(await statusesOf(Ben, reply)).toEqual([200, 201, 200, 200, 200, 403, 403, 200])
    }
    const reply = await newReply(Ben, await newPost(Ann, audiences[0]), 'Mine', { alt: '' })
    await Ben.put(`/api/replies/${reply.id}/like`)
    await Ben.delete(`/api/unfollow/${Ann.id}`)
    // Ben can no longer read or change the reply, because he no longer sees the post. But he can still remove
    // his like of the reply.
    expect((await Ben.put(`/api/replies/${reply.id}`, { text: 'x' })).status).toBe(404)
    expect((await Ben.get(reply.images[0]!.path)).status).toBe(404)
    expect((await Ben.delete(`/api/replies/${reply.id}/like`)).status).toBe(404)
    expect((await Ann.get(`/api/posts/${reply.post_id}/replies`)).body[0]).toMatchObject({ likes_count: 0 })
    expect((await Ben.delete(`/api/replies/${reply.id}`)).status).toBe(200)
    expect((await Ann.get(`/api/posts/${reply.post_id}`)).body.replies_count).toBe(0)
  })

  test('are not for visitors of a community for members, nor to posts for members', async () => {
    const { Admin, Ann, Ben, stranger } = await open()
    const [all, some] = [await newPost(Ann), await newPost(Ann, { audience: 'members' })]
    for (const post of [all, some]) await newReply(Ben, post, 'Hi')
    expect(await replyTexts(stranger, all)).toEqual(['Hi'])
    expect((await stranger.get(`/api/posts/${some}/replies`)).status).toBe(404)
    await Admin.send('PATCH', '/api/admin/settings', { who_can_read: 'members' })
    expect((await stranger.get(`/api/posts/${all}/replies`)).status).toBe(401)
  })

  test('leave out people who are blocked or muted', async () => {
    const { Ann, Ben, Cleo, Dan } = await open()
    const post = await newPost(Ann)
    const bens = await newReply(Ben, post, 'Of Ben', { alt: '' })
    await newReply(Cleo, post, 'Of Cleo')
    for (const who of [Cleo, Dan]) expect((await who.put(`/api/replies/${bens.id}/like`)).status).toBe(200)
    await Cleo.post(`/api/users/${Ben.id}/block`)
    await Dan.post(`/api/users/${Ben.id}/mute`)
    expect(await replyTexts(Cleo, post)).toEqual(['Of Cleo'])
    expect(await replyTexts(Ben, post)).toEqual(['Of Ben'])
    expect(await replyTexts(Dan, post)).toEqual(['Of Cleo'])
    expect((await statusesOf(Cleo, bens)).slice(2, -1)).toEqual(Array(5).fill(404))
    // The block has deleted Cleo's like of Ben's reply, because Cleo has blocked Ben. Dan's like stays,
    // because he has only muted Ben.
    expect((await Ann.get(`/api/replies/${bens.id}/likes`)).body).toMatchObject([{ id: Dan.id }])
    expect(await repliesCount(Dan, post)).toBe(3)
  })

  test('stay when their author is suspended', async () => {
    const { Admin, Ann, Ben } = await open()
    const post = await newPost(Ann)
    await newReply(Ben, post, 'Hi')
    await Admin.put(`/api/admin/users/${Ben.id}/suspension`)
    expect(await replyTexts(Ann, post)).toEqual(['Hi'])
    expect((await Ben.post(`/api/posts/${post}/replies`, { text: 'x' })).status).toBe(401)
  })

  test('go with the account of their author, and with that of the author of the post', async () => {
    const { Ann, Ben, Cleo, context, db, url } = await open()
    const [anns, bens] = [await newPost(Ann), await newPost(Ben)]
    const gone = await newReply(Ben, anns, 'Of Ben', { alt: '' })
    const kept = await newReply(Cleo, anns, 'Of Cleo')
    await newReply(Cleo, bens, 'To Ben', { alt: '' })
    const client = await connectSubscribed(url, 'posts')
    await Ben.put(`/api/replies/${kept.id}/like`)
    expect((await client.nextMessage('ReplyLiked')).data).toMatchObject({ id: kept.id, likes_count: 1 })
    await transaction(db, (tx) =>
      deleteMember(context, tx, { id: Ben.id, keep_messages: false }).then(() => undefined),
    )
    expect((await client.nextMessage('ReplyDeleted')).data).toEqual({
      id: gone.id,
      post_id: anns,
      replies_count: 1,
    })
    expect((await client.nextMessage('ReplyLiked')).data).toMatchObject({ id: kept.id, likes_count: 0 })
    expect(await replyTexts(Ann, anns)).toEqual(['Of Cleo'])
    expect(await repliesCount(Ann, anns)).toBe(1)
    expect(await readRows(db, 'replies')).toMatchObject([{ id: kept.id, likes_count: 0 }])
    expect(await readRows(db, 'reply_attachments')).toEqual([])
  })

  test('are hidden with their post, their pictures too', async () => {
    const { Admin, Ann, Ben, Cleo, stranger } = await open()
    const post = await newPost(Ann)
    const reply = await newReply(Ben, post, 'Hi', { alt: '' })
    await Cleo.post('/api/reports', { kind: 'post', id: post, reason: 'spam' })
    const [{ id }] = (await Admin.get('/api/moderation/cases')).body
    const decide = (action: string) =>
      Admin.post(`/api/moderation/cases/${id}/decisions`, { action, note: 'x' })
    expect((await decide('hide')).status).toBe(200)
    const path = reply.images[0]!.path
    expect((await Cleo.get(`/api/posts/${post}/replies`)).status).toBe(404)
    expect(await Promise.all([Ann, Ben, stranger].map(async (who) => (await who.get(path)).status))).toEqual([
      200, 404, 404,
    ])
    expect(await replyTexts(Ann, post)).toEqual(['Hi'])
    expect((await decide('restore')).status).toBe(200)
    expect(await replyTexts(Cleo, post)).toEqual(['Hi'])
    expect((await stranger.get(path)).status).toBe(200)
  })

  test('are live for the viewers of the post who see the author and have not muted them', async () => {
    const { Ann, Ben, Cleo, Dan, url, subscribeAs, realtime } = await open()
    const listen = async (who: Member | null) => {
      const client = await connectSubscribed(url, 'posts')
      if (who) await subscribeAs(who, 'presence-here', client)
      return client
    }
    await Cleo.post(`/api/users/${Ben.id}/block`)
    await Dan.post(`/api/users/${Ben.id}/mute`)
    const clients = {
      Ann: await listen(Ann),
      Cleo: await listen(Cleo),
      Dan: await listen(Dan),
      visitor: await listen(null),
    }
    const [all, some] = [await newPost(Ann), await newPost(Ann, { audience: 'followers' })]
    for (const post of [all, some]) {
      const { id } = await newReply(Ben, post, 'Hi')
      await Ben.put(`/api/replies/${id}`, { text: 'Hello' })
      await Ann.put(`/api/replies/${id}/like`)
      await Ben.delete(`/api/replies/${id}`)
    }
    realtime.broadcast(['posts'], 'Last', {})
    for (const client of Object.values(clients)) await client.nextMessage('Last')
    const events = (name: keyof typeof clients) =>
      clients[name].inbox
        .filter(({ event }) => event.startsWith('Reply'))
        .map(({ event, data }) => `${event} ${data.post_id}`)
    const each = (post: number) =>
      ['ReplyCreated', 'ReplyChanged', 'ReplyLiked', 'ReplyDeleted'].map((event) => `${event} ${post}`)
    expect(events('Ann')).toEqual([...each(all), ...each(some)])
    expect(events('visitor')).toEqual(each(all))
    expect(events('Cleo')).toEqual([`ReplyDeleted ${all}`])
    expect(events('Dan')).toEqual([`ReplyDeleted ${all}`])
    const created = clients.visitor.inbox.find(({ event }) => event === 'ReplyCreated')!
    expect(created.data).toMatchObject({ replies_count: 1, reply: { body: 'Hi', user: { name: 'Ben' } } })
  })

  test('are in the archive of their author', async () => {
    const { Ann, Ben } = await open()
    const post = await newPost(Ann, { audience: 'followers' })
    const mine = await newReply(Ben, post, 'Mine', { alt: 'colours' })
    const other = await newReply(Ann, post, 'A secret of Ann')
    await Ben.put(`/api/replies/${other.id}/like`)
    await Ben.delete(`/api/unfollow/${Ann.id}`)
    const { files } = await makeExport(Ben)
    expect(jsonOfExport(files, 'data/replies.json')).toMatchObject([
      { id: mine.id, post_id: post, body: 'Mine', pictures: [{ alt: 'colours' }] },
    ])
    expect(jsonOfExport(files, 'data/reply-likes.json')).toMatchObject([{ reply_id: other.id }])
    expect(JSON.stringify([...files])).not.toContain('A secret of Ann')
  })
})
