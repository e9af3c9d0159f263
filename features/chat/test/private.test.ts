import { describe, expect, test } from 'vitest'
import { type Member, nobody, nonsense, write } from '#tests/chat.ts'
import { createTestApp, dialects, rowsOf } from '#tests/harness.ts'

describe.each(dialects)('private chat on %s', (dialect) => {
  const open = async () => {
    const place = await createTestApp({ dialect })
    return { ...place, ...(await place.members('ann', 'ben', 'eve')) }
  }
  const tries = (from: Member, to: { id: unknown }, more: object = {}) =>
    from.post('/api/send-private-message', { input: 'Psst', targetUserId: to.id, ...more })
  /** The statuses of every way into the chat of one with another, apart from sending. */
  const ways = async (who: Member, other: { id: unknown }) => [
    (await who.get(`/api/messages/${other.id}`)).status,
    (await who.get(`/api/conversations/${other.id}`)).status,
    (await who.send('PUT', `/api/conversations/${other.id}/read`, { last_read_id: 1 })).status,
  ]
  const [granted, refused] = [
    [200, 200, 200],
    [403, 403, 403],
  ]

  test('is opened by my follow, and is empty then', async () => {
    const { ann, ben, db } = await open()
    expect(await ways(ann, ben)).toEqual(refused)
    await ann.post(`/api/follow/${ben.id}`)
    expect(await ways(ann, ben)).toEqual(granted)
    expect((await ann.get(`/api/messages/${ben.id}`)).body).toEqual([])
    expect((await ann.get(`/api/conversations/${ben.id}`)).body).toEqual({
      user: { id: ben.id, name: 'ben', profile_image: null },
      followed: true,
      last_read_id: 0,
      seen_id: 0,
    })
    // Looking makes nothing.
    expect(await rowsOf(db, 'conversations')).toEqual([])
    expect((await tries(ann, ben)).status).toBe(200)
  })

  test('is not opened by being followed', async () => {
    const { ann, ben, db } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    expect(await ways(ben, ann)).toEqual(refused)
    expect(await tries(ben, ann)).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/\.$/) },
    })
    for (const table of ['conversations', 'members', 'messages'])
      expect(await rowsOf(db, table), table).toEqual([])
  })

  test('is open to whoever was written to, without a follow', async () => {
    const { ann, ben } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    await write(ann, ben, 'Hello')
    expect(await ways(ben, ann)).toEqual(granted)
    await write(ben, ann, 'Good day')
    for (const [who, other] of [
      [ann, ben],
      [ben, ann],
    ] as const) {
      expect((await who.get(`/api/messages/${other.id}`)).body).toMatchObject([
        { message: 'Hello', from_user_id: ann.id, to_user_id: ben.id },
        { message: 'Good day', from_user_id: ben.id, to_user_id: ann.id },
      ])
    }
    expect((await ben.get(`/api/conversations/${ann.id}`)).body).toMatchObject({ followed: false })
  })

  test('is for nobody else', async () => {
    const { ann, ben, eve } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    await write(ann, ben, 'Between us')
    for (const other of [ann, ben]) {
      expect(await ways(eve, other)).toEqual(refused)
      expect((await tries(eve, other)).status).toBe(403)
    }
    // Her own chat with one of the two shows nothing of theirs.
    await eve.post(`/api/follow/${ann.id}`)
    expect((await eve.get(`/api/messages/${ann.id}`)).body).toEqual([])
    await write(eve, ann, 'Me too')
    expect((await eve.get(`/api/messages/${ann.id}`)).body).toMatchObject([{ message: 'Me too' }])
    expect((await ann.get(`/api/messages/${ben.id}`)).body).toMatchObject([{ message: 'Between us' }])
    // The sender is the logged-in member: ids in the body do not change it.
    expect((await tries(eve, ann, { from_user_id: ben.id, user_id: ben.id })).body.message).toMatchObject({
      from_user_id: eve.id,
    })
  })

  test('being an admin opens none', async () => {
    const { ann, ben, eve } = await open()
    expect((await ann.get('/api/user')).body.is_admin).toBe(true)
    await ben.post(`/api/follow/${eve.id}`)
    await write(ben, eve, 'Not for admins')
    expect(await ways(ann, ben)).toEqual(refused)
    expect(await ways(ann, eve)).toEqual(refused)
    expect((await tries(ann, ben)).status).toBe(403)
  })

  test('there is none with nobody, with oneself and with nonsense', async () => {
    const { ann, db } = await open()
    expect(await ways(ann, { id: nobody })).toEqual([404, 404, 404])
    expect((await tries(ann, { id: nobody })).status).toBe(404)
    expect(await ways(ann, ann)).toEqual(refused)
    expect((await tries(ann, ann)).status).toBe(403)
    for (const id of nonsense) {
      expect(await ways(ann, { id }), id).toEqual([422, 422, 422])
      expect(await tries(ann, { id }), id).toMatchObject({
        status: 422,
        body: { errors: { targetUserId: [expect.any(String)] } },
      })
    }
    for (const id of [undefined, null, '', [], {}, true])
      expect((await tries(ann, { id })).status, JSON.stringify(id)).toBe(422)
    expect(await rowsOf(db, 'messages')).toEqual([])
  })

  test('is closed by unfollowing for one who has not been written to, even after writing', async () => {
    const { ann, ben } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    await write(ann, ben, 'Hello')
    await ann.delete(`/api/unfollow/${ben.id}`)
    expect(await ways(ann, ben)).toEqual(refused)
    expect((await tries(ann, ben)).status).toBe(403)
    // The one written to keeps what was said, and opens it again by answering.
    expect((await ben.get(`/api/messages/${ann.id}`)).body).toHaveLength(1)
    await write(ben, ann, 'Hello?')
    expect(await ways(ann, ben)).toEqual(granted)
    expect((await ann.get(`/api/messages/${ben.id}`)).body).toHaveLength(2)
  })

  test('stays open after unfollowing for one who has been written to', async () => {
    const { ann, ben } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    await ben.post(`/api/follow/${ann.id}`)
    const { id } = await write(ann, ben, 'Hello')
    await ben.delete(`/api/unfollow/${ann.id}`)
    expect(await ways(ben, ann)).toEqual(granted)
    await write(ben, ann, 'Still here')
    // Nor does it close when the other deletes what opened it, or stops following.
    expect((await ann.delete(`/api/chat-messages/${id}`)).status).toBe(200)
    await ann.delete(`/api/unfollow/${ben.id}`)
    expect(await ways(ben, ann)).toEqual(granted)
    expect(await ways(ann, ben)).toEqual(granted)
  })

  test('is for members with a token', async () => {
    const { ann, ben, visitor, db } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    for (const path of [
      `/api/messages/${ben.id}`,
      '/api/conversations',
      `/api/conversations/${ben.id}`,
      '/api/unread',
    ])
      expect(await guest.get(path), path).toMatchObject({
        status: 401,
        body: { message: 'Unauthenticated.' },
      })
    for (const [method, path, body] of [
      ['POST', '/api/send-private-message', { input: 'Hello', targetUserId: ben.id }],
      ['PUT', `/api/conversations/${ben.id}/read`, { last_read_id: 1 }],
      ['PUT', '/api/chat-messages/1', { message: 'Hello' }],
      ['DELETE', '/api/chat-messages/1', undefined],
    ] as const) {
      expect((await guest.send(method, path, body)).status, path).toBe(401)
      expect((await ann.send(method, path, body, { 'x-xsrf-token': 'guessed' })).status, path).toBe(419)
    }
    expect(await rowsOf(db, 'messages')).toEqual([])
  })
})
