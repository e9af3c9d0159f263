import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { dialectsInTurn, formData, readRows } from '#tests/harness.ts'
import { newPost, newReply, repliesCount, replyScene, replyTexts } from './reply-scene.ts'

describe.each(dialectsInTurn())('replies on %s', (dialect) => {
  const open = () => replyScene(dialect)

  test('are shown under their post, newest first, and counted in every list', async () => {
    const { Ann, Ben, stranger } = await open()
    const post = await newPost(Ann)
    expect(await repliesCount(stranger, post)).toBe(0)
    const first = await newReply(Ben, post, 'One', { alt: 'four colours' })
    expect(first).toEqual({
      id: 1,
      post_id: post,
      body: 'One',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      edited_at: null,
      user: { id: Ben.id, name: 'Ben', profile_image: null },
      images: [expect.objectContaining({ alt: 'four colours', width: 64 })],
      likes_count: 0,
      liked_by_me: false,
    })
    await newReply(Ann, post, 'Two')
    for (const reader of [Ann, Ben, stranger]) {
      expect(await replyTexts(reader, post)).toEqual(['Two', 'One'])
      expect(await repliesCount(reader, post)).toBe(2)
    }
    expect((await Ben.get('/api/posts/following')).body).toMatchObject([{ id: post, replies_count: 2 }])
    expect((await Ben.get(`/api/users/${Ann.id}/posts`)).body).toMatchObject([{ replies_count: 2 }])
    expect((await stranger.get(first.images[0]!.path)).status).toBe(200)
  })

  test('are paged', async () => {
    const { Ann, Ben } = await open()
    const [post, other] = [await newPost(Ann), await newPost(Ann)]
    for (const text of ['1', '2', '3']) {
      await newReply(Ben, post, text)
      await newReply(Ben, other, 'elsewhere')
    }
    const { body, headers } = await Ann.get(`/api/posts/${post}/replies?limit=2`)
    expect(body.map((reply: { body: string }) => reply.body)).toEqual(['3', '2'])
    const [, next] = /^<([^>]+)>; rel="next"$/.exec(String(headers.link))!
    const last = await Ann.get(next!)
    expect(last.body).toMatchObject([{ body: '1' }])
    expect(last.headers.link).toBeUndefined()
    expect((await Ann.get(`/api/posts/${post}/replies?limit=0`)).status).toBe(422)
  })

  test('need a text or a picture, a member and a post', async () => {
    const { Ann, Ben, stranger, db } = await open()
    const post = await newPost(Ann)
    const path = `/api/posts/${post}/replies`
    expect(await Ben.post(path, { text: ' \n' })).toMatchObject({
      status: 422,
      body: { errors: { text: ['Write something or add a picture or file.'] } },
    })
    expect((await Ben.post(path, { text: 'x'.repeat(1001) })).status).toBe(422)
    await stranger.get('/sanctum/csrf-cookie')
    expect((await stranger.post(path, { text: 'Hi' })).status).toBe(401)
    expect((await Ben.post(`/api/posts/${post + 1}/replies`, { text: 'Hi' })).status).toBe(404)
    expect((await Ben.get(`/api/posts/${post + 1}/replies`)).status).toBe(404)
    expect(await readRows(db, 'replies')).toEqual([])
    expect((await newReply(Ben, post, '', { alt: '' })).body).toBeNull()
  })

  test('that are sent again with the same client_id are stored once', async () => {
    const { Ann, Ben, Cleo } = await open()
    const post = await newPost(Ann)
    const first = await newReply(Ben, post, 'Hi', { client_id: 'a' })
    expect(await newReply(Ben, post, 'Hi', { client_id: 'a' })).toEqual(first)
    const both = await Promise.all(['b', 'b'].map((client_id) => newReply(Ben, post, 'Yo', { client_id })))
    expect(both[0]!.id).toBe(both[1]!.id)
    await newReply(Cleo, post, 'Hey', { client_id: 'a' })
    expect(await replyTexts(Ann, post)).toEqual(['Hey', 'Yo', 'Hi'])
    expect(await repliesCount(Ann, post)).toBe(3)
  })

  test('that answer a reply mention its author', async () => {
    const { Ann, Ben, Cleo } = await open()
    const [post, other] = [await newPost(Ann), await newPost(Ann)]
    const answered = String((await newReply(Ben, post, 'One')).id)
    const answer = await newReply(Cleo, post, 'Two', { answers_id: answered })
    expect(answer.mentions).toEqual({ id: Ben.id, name: 'Ben', profile_image: null })
    expect((await newReply(Ben, post, 'Own', { answers_id: answered })).mentions).toBeUndefined()
    const elsewhere = await Cleo.post(`/api/posts/${other}/replies`, { text: 'x', answers_id: answered })
    expect(elsewhere.status).toBe(422)
    // Ann has blocked Ben, whom a reply mentions. So she does not learn whom the reply mentions.
    await Ann.post(`/api/users/${Ben.id}/block`)
    expect((await Ann.get(`/api/posts/${post}/replies`)).body).toEqual([
      expect.not.objectContaining({ mentions: expect.anything() }),
    ])
  })

  test('are changed by their authors only', async () => {
    const { Admin, Ann, Ben, Cleo } = await open()
    const post = await newPost(Ann)
    const { id, edited_at } = await newReply(Ben, post, 'Helo')
    expect(edited_at).toBeNull()
    const path = `/api/replies/${id}`
    for (const other of [Admin, Ann, Cleo]) expect((await other.put(path, { text: 'x' })).status).toBe(403)
    const { status, body } = await Ben.put(path, { text: 'Hello' })
    expect([status, body.reply]).toEqual([
      200,
      expect.objectContaining({ id, body: 'Hello', edited_at: expect.stringMatching(/^\d{4}-/) }),
    ])
    expect((await Ben.put(path, { text: '' })).status).toBe(422)
    expect((await Ben.put(path, { text: 'x'.repeat(1001) })).status).toBe(422)
    expect((await Ben.put('/api/replies/999', { text: 'x' })).status).toBe(404)
    expect(await replyTexts(Ann, post)).toEqual(['Hello'])
    const picture = await newReply(Ben, post, 'With a picture', { alt: '' })
    expect((await Ben.put(`/api/replies/${picture.id}`, { text: '' })).body.reply.body).toBeNull()
  })

  test('are deleted by their authors and admins only, with their pictures', async () => {
    const { Admin, Ann, Ben, Cleo, db, mediaFiles } = await open()
    const post = await newPost(Ann)
    const own = await newReply(Ben, post, 'Own', { alt: '' })
    const other = await newReply(Cleo, post, 'Other')
    expect((await Ann.delete(`/api/replies/${own.id}`)).status).toBe(403)
    expect((await Cleo.delete(`/api/replies/${own.id}`)).status).toBe(403)
    expect((await Ben.delete(`/api/replies/${own.id}`)).status).toBe(200)
    expect((await Ben.delete(`/api/replies/${own.id}`)).status).toBe(404)
    expect(await repliesCount(Ann, post)).toBe(1)
    expect((await Admin.delete(`/api/replies/${other.id}`)).status).toBe(200)
    expect(await repliesCount(Ann, post)).toBe(0)
    for (const table of ['replies', 'reply_attachments', 'media', 'unreferenced_media'])
      expect(await readRows(db, table), table).toEqual([])
    expect(await mediaFiles()).toEqual([])
  })

  test('go with their post, and their pictures too', async () => {
    const { Ann, Ben, db, mediaFiles } = await open()
    const post = await newPost(Ann)
    const { id } = await newReply(Ben, post, 'One', { alt: '' })
    await Ann.put(`/api/replies/${id}/like`)
    expect((await Ann.delete(`/api/posts/${post}`)).status).toBe(200)
    for (const table of ['posts', 'replies', 'reply_attachments', 'reply_likes', 'media'])
      expect(await readRows(db, table), table).toEqual([])
    expect(await mediaFiles()).toEqual([])
  })

  test('of many members at the same moment are each counted', async () => {
    const { Ann, Ben, Cleo, Dan } = await open()
    const post = await newPost(Ann)
    const people = [Ann, Ben, Cleo, Dan]
    const replies = await Promise.all(people.map((who) => newReply(who, post, 'Hi')))
    expect(await repliesCount(Ann, post)).toBe(4)
    const like = (reply: { id: number }) => people.map((who) => who.put(`/api/replies/${reply.id}/like`))
    const deletions = [0, 1].map((at) => people[at]!.delete(`/api/replies/${replies[at]!.id}`))
    await Promise.all([...deletions, ...like(replies[2]!), newReply(Dan, post, 'More')])
    expect(await repliesCount(Ann, post)).toBe(3)
    const list = (await Ann.get(`/api/posts/${post}/replies`)).body
    expect(list.find(({ id }: { id: number }) => id === replies[2]!.id)).toMatchObject({ likes_count: 4 })
  })

  test('and the deletion of the post at the same moment leave nothing', async () => {
    const { Ann, Ben, Cleo, db } = await open()
    for (let round = 0; round < 5; round++) {
      const post = await newPost(Ann)
      const path = `/api/posts/${post}/replies`
      const answers = await Promise.all([
        Ben.post(path, { text: 'Hi' }),
        Ann.delete(`/api/posts/${post}`),
        Cleo.post(path, { text: 'Hi' }),
      ])
      expect(answers[1].status).toBe(200)
      for (const { status } of [answers[0], answers[2]]) expect([201, 404]).toContain(status)
    }
    expect(await readRows(db, 'replies')).toEqual([])
  })

  test('of new members are limited', async () => {
    const { Admin, Ann, Ben, db } = await open()
    const post = await newPost(Ann)
    expect((await Admin.send('PATCH', '/api/admin/settings', { new_member_days: 7 })).status).toBe(200)
    await transaction(db, (tx) =>
      tx
        .insertInto('new_member_counts')
        .values({ user_id: Ben.id, kind: 'reply', started_at: new Date().toISOString(), count: 19 })
        .execute(),
    )
    await newReply(Ben, post, 'The twentieth')
    const { status, body } = await Ben.post(`/api/posts/${post}/replies`, formData({ text: 'Hi' }))
    expect([status, body.message]).toEqual([429, expect.stringContaining('write 20 replies an hour')])
    expect(await repliesCount(Ann, post)).toBe(1)
  })
})
