import { describe, expect, test } from 'vitest'
import { type Actor, invalidIds, sendPrivate, UNUSED_ID } from '#tests/conversations.ts'
import { createTestApp, databases, readRows } from '#tests/harness.ts'

describe.each(databases)('private chat on %s', (dialect) => {
  const open = async () => {
    const testApp = await createTestApp({ dialect })
    return { ...testApp, ...(await testApp.members('ann', 'ben', 'eve')) }
  }
  const sendTo = (from: Actor, to: { id: unknown }, more: object = {}) =>
    from.post('/api/send-private-message', { input: 'Psst', targetUserId: to.id, ...more })
  /** Requests all endpoints of a private chat as `who`, except sending. Returns the response statuses. */
  const readStatuses = async (who: Actor, other: { id: unknown }) => [
    (await who.get(`/api/messages/${other.id}`)).status,
    (await who.get(`/api/conversations/${other.id}`)).status,
    (await who.send('PUT', `/api/conversations/${other.id}/read`, { last_read_id: 1 })).status,
  ]
  const [granted, refused] = [
    [200, 200, 200],
    [403, 403, 403],
  ]

  test('is open to somebody who follows the other person, and empty at first', async () => {
    const { ann, ben, db } = await open()
    expect(await readStatuses(ann, ben)).toEqual(refused)
    await ann.post(`/api/follow/${ben.id}`)
    expect(await readStatuses(ann, ben)).toEqual(granted)
    expect((await ann.get(`/api/messages/${ben.id}`)).body).toEqual([])
    expect((await ann.get(`/api/conversations/${ben.id}`)).body).toEqual({
      user: { id: ben.id, name: 'ben', profile_image: null },
      followed: true,
      last_read_id: 0,
      seen_id: 0,
    })
    // Reading a private chat creates no conversation in the database.
    expect(await readRows(db, 'conversations')).toEqual([])
    expect((await sendTo(ann, ben)).status).toBe(200)
  })

  // spec: 6.5
  test('is not open to somebody who is only followed', async () => {
    const { ann, ben, db } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    expect(await readStatuses(ben, ann)).toEqual(refused)
    expect(await sendTo(ben, ann)).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/\.$/) },
    })
    for (const table of ['conversations', 'conversation_members', 'messages'])
      expect(await readRows(db, table), table).toEqual([])
  })

  test('is open to somebody who has received a message, without a follow', async () => {
    const { ann, ben } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    await sendPrivate(ann, ben, 'Hello')
    expect(await readStatuses(ben, ann)).toEqual(granted)
    await sendPrivate(ben, ann, 'Good day')
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

  test('is not open to third persons', async () => {
    const { ann, ben, eve } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    await sendPrivate(ann, ben, 'Between us')
    for (const other of [ann, ben]) {
      expect(await readStatuses(eve, other)).toEqual(refused)
      expect((await sendTo(eve, other)).status).toBe(403)
    }
    // Eve can chat with Ann, but Eve sees none of the messages between Ann and Ben.
    await eve.post(`/api/follow/${ann.id}`)
    expect((await eve.get(`/api/messages/${ann.id}`)).body).toEqual([])
    await sendPrivate(eve, ann, 'Me too')
    expect((await eve.get(`/api/messages/${ann.id}`)).body).toMatchObject([{ message: 'Me too' }])
    expect((await ann.get(`/api/messages/${ben.id}`)).body).toMatchObject([{ message: 'Between us' }])
    // The author of a message is always the logged-in member, whatever ids the request body contains.
    expect((await sendTo(eve, ann, { from_user_id: ben.id, user_id: ben.id })).body.message).toMatchObject({
      from_user_id: eve.id,
    })
  })

  test('is not open to admins', async () => {
    const { ann, ben, eve } = await open()
    expect((await ann.get('/api/user')).body.is_admin).toBe(true)
    await ben.post(`/api/follow/${eve.id}`)
    await sendPrivate(ben, eve, 'Not for admins')
    expect(await readStatuses(ann, ben)).toEqual(refused)
    expect(await readStatuses(ann, eve)).toEqual(refused)
    expect((await sendTo(ann, ben)).status).toBe(403)
  })

  test('does not exist with unknown users, with oneself or with invalid ids', async () => {
    const { ann, db } = await open()
    expect(await readStatuses(ann, { id: UNUSED_ID })).toEqual([404, 404, 404])
    expect((await sendTo(ann, { id: UNUSED_ID })).status).toBe(404)
    expect(await readStatuses(ann, ann)).toEqual(refused)
    expect((await sendTo(ann, ann)).status).toBe(403)
    for (const id of invalidIds) {
      expect(await readStatuses(ann, { id }), id).toEqual([422, 422, 422])
      expect(await sendTo(ann, { id }), id).toMatchObject({
        status: 422,
        body: { errors: { targetUserId: [expect.any(String)] } },
      })
    }
    for (const id of [undefined, null, '', [], {}, true])
      expect((await sendTo(ann, { id })).status, JSON.stringify(id)).toBe(422)
    expect(await readRows(db, 'messages')).toEqual([])
  })

  test('is closed by unfollowing for somebody who wrote, but never received a message', async () => {
    const { ann, ben } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    await sendPrivate(ann, ben, 'Hello')
    await ann.delete(`/api/unfollow/${ben.id}`)
    expect(await readStatuses(ann, ben)).toEqual(refused)
    expect((await sendTo(ann, ben)).status).toBe(403)
    // Ben has received a message, so he can still read the chat. His answer opens the chat for Ann again.
    expect((await ben.get(`/api/messages/${ann.id}`)).body).toHaveLength(1)
    await sendPrivate(ben, ann, 'Hello?')
    expect(await readStatuses(ann, ben)).toEqual(granted)
    expect((await ann.get(`/api/messages/${ben.id}`)).body).toHaveLength(2)
  })

  test('stays open after unfollowing for somebody who has received a message', async () => {
    const { ann, ben } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    await ben.post(`/api/follow/${ann.id}`)
    const { id } = await sendPrivate(ann, ben, 'Hello')
    await ben.delete(`/api/unfollow/${ann.id}`)
    expect(await readStatuses(ben, ann)).toEqual(granted)
    await sendPrivate(ben, ann, 'Still here')
    // The chat also stays open to Ben when Ann deletes the message that he received, or unfollows him.
    expect((await ann.delete(`/api/chat-messages/${id}`)).status).toBe(200)
    await ann.delete(`/api/unfollow/${ben.id}`)
    expect(await readStatuses(ben, ann)).toEqual(granted)
    expect(await readStatuses(ann, ben)).toEqual(granted)
  })

  test('requires a log-in and a token', async () => {
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
    expect(await readRows(db, 'messages')).toEqual([])
  })
})
