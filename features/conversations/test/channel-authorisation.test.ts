import { describe, expect, test } from 'vitest'
import { type Actor, befriend, createGroup, sendPrivate, UNUSED_ID } from '#tests/conversations.ts'
import { createTestApp, databases, type TestClient } from '#tests/harness.ts'
import { authFields } from '#tests/sockets.ts'

describe.each(databases)('channel authorisation on %s', (dialect) => {
  const open = async () => {
    const testApp = await createTestApp({ dialect })
    return { ...testApp, ...(await testApp.members('ann', 'ben', 'eve')) }
  }
  const authorise = (who: TestClient, channel_name: string) =>
    who.post('/my-broadcast-auth', { socket_id: '12.34', channel_name })
  const toPrivateChatChannelName = (a: Actor, b: Actor) => `private-chat.${a.id}.${b.id}`
  async function expectRefused(who: TestClient, ...names: string[]) {
    for (const name of names)
      expect(await authorise(who, name), name).toMatchObject({
        status: 403,
        body: { message: expect.stringMatching(/\.$/) },
      })
  }

  // spec: 6.6
  test('allows both people of a private chat once it is open to one of them', async () => {
    const { ann, ben, eve, config } = await open()
    const name = toPrivateChatChannelName(ann, ben)
    for (const who of [ann, ben, eve]) await expectRefused(who, name)
    await ann.post(`/api/follow/${ben.id}`)
    for (const who of [ann, ben])
      expect(await authorise(who, name)).toMatchObject({
        status: 200,
        body: authFields(config.PUSHER_APP_SECRET, '12.34', name),
      })
    await expectRefused(eve, name)
    // Ben may subscribe to the channel, but he may not read the chat or write in it, because it is open to
    // Ann only.
    for (const path of [`/api/messages/${ann.id}`, `/api/conversations/${ann.id}`])
      expect((await ben.get(path)).status, path).toBe(403)
    const answer = await ben.post('/api/send-private-message', { input: 'Hello', targetUserId: ann.id })
    expect(answer.status).toBe(403)

    await ann.delete(`/api/unfollow/${ben.id}`)
    for (const who of [ann, ben]) await expectRefused(who, name)
    await ann.post(`/api/follow/${ben.id}`)
    await sendPrivate(ann, ben, 'Hello')
    await ann.delete(`/api/unfollow/${ben.id}`)
    // The chat stays open to Ben, because he has received a message. So both may subscribe to its channel.
    for (const who of [ann, ben]) expect((await authorise(who, name)).status).toBe(200)
  })

  test('is not affected by the follows and chats of others', async () => {
    const { ann, ben, eve } = await open()
    await eve.post(`/api/follow/${ann.id}`)
    await eve.post(`/api/follow/${ben.id}`)
    await befriend(eve, ben)
    await sendPrivate(eve, ann, 'Hello')
    await sendPrivate(ben, eve, 'Hello')
    for (const who of [ann, ben, eve]) await expectRefused(who, toPrivateChatChannelName(ann, ben))
  })

  test('refuses suspended members', async () => {
    const { ann, ben } = await open()
    await ben.post(`/api/follow/${ann.id}`)
    expect((await authorise(ben, toPrivateChatChannelName(ann, ben))).status).toBe(200)
    expect((await ann.put(`/api/admin/users/${ben.id}/suspension`)).status).toBe(200)
    expect((await authorise(ben, toPrivateChatChannelName(ann, ben))).status).toBe(401)
  })

  // spec: 6.6, 9.6
  test('refuses other members and malformed channel names', async () => {
    const { ann, ben, eve } = await open()
    for (const one of [ann, ben]) await one.post(`/api/follow/${one === ann ? ben.id : ann.id}`)
    await sendPrivate(ann, ben, 'Hello')
    await eve.post(`/api/follow/${ann.id}`)
    await expectRefused(eve, toPrivateChatChannelName(ann, ben))
    const [a, b] = [ann.id, ben.id]
    const ids = [
      `${b}.${a}`,
      `${a}.${a}`,
      `0.${a}`,
      `0${a}.${b}`,
      `-${a}.${b}`,
      `${a}.x`,
      `${a}`,
      `${a}.${b}.`,
      `${a}.${b}.${b}`,
      `${a}.${UNUSED_ID}`,
    ]
    await expectRefused(
      ann,
      ...ids.map((one) => `private-chat.${one}`),
      `private-chatx${a}.${b}`,
      `presence-chat.${a}.${b}`,
    )
    // The server may refuse a value that is not a channel name with 403, or with 422 as an invalid input
    // field.
    for (const name of [
      'private-chat.１.２',
      `private-chat.${a}.${b}:x`,
      `private-chat.${a}.${b}\n.`,
      '',
      null,
      7,
    ])
      expect([403, 422], JSON.stringify(name)).toContain((await authorise(ann, name as string)).status)
  })

  // spec: 6.7
  test('allows the members of a group', async () => {
    const { ann, ben, eve, config } = await open()
    const group = await createGroup(ann, 'Club', ben)
    const name = `private-group-chat.${group}`
    for (const who of [ann, ben])
      expect(await authorise(who, name)).toMatchObject({
        status: 200,
        body: authFields(config.PUSHER_APP_SECRET, '12.34', name),
      })
    await expectRefused(eve, name)
    await ann.post(`/api/groups/${group}/leave`)
    await expectRefused(ann, name)
    await ann.delete(`/api/groups/${group}/members/${ben.id}`)
    await expectRefused(ben, name)
    await ann.post(`/api/groups/${group}/add-user`, { user_id: eve.id })
    expect((await authorise(eve, name)).status).toBe(200)
    await expectRefused(
      eve,
      'private-group-chat.0',
      'private-group-chat.x',
      `private-group-chat.0${group}`,
      `private-group-chat.${UNUSED_ID}`,
    )
    await ann.delete(`/api/groups/${group}`)
    await expectRefused(eve, name)
  })

  test('refuses a group channel with the id of a private chat', async () => {
    const { ann, ben } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    await sendPrivate(ann, ben, 'Hello')
    await expectRefused(ann, 'private-group-chat.1')
  })

  test("allows a member's own channel to that member only", async () => {
    const { ann, ben, config } = await open()
    const { status, body } = await authorise(ben, `presence-user.${ben.id}`)
    expect(status).toBe(200)
    expect(body).toEqual(
      authFields(config.PUSHER_APP_SECRET, '12.34', `presence-user.${ben.id}`, body.channel_data),
    )
    expect(JSON.parse(body.channel_data)).toMatchObject({ user_id: String(ben.id) })
    // The server refuses the admin ann the channel of another member, and channel names that no member has.
    await expectRefused(
      ann,
      `presence-user.${ben.id}`,
      'presence-user.0',
      'presence-user.x',
      `presence-user.0${ann.id}`,
      `private-user.${ann.id}`,
    )
    await expectRefused(ben, `presence-user.${ann.id}`)
  })

  test('allows every member on presence-here, with their name as channel data', async () => {
    const { ann, eve, config } = await open()
    for (const [who, name] of [
      [ann, 'ann'],
      [eve, 'eve'],
    ] as const) {
      const { status, body } = await authorise(who, 'presence-here')
      expect(status).toBe(200)
      expect(body).toEqual(authFields(config.PUSHER_APP_SECRET, '12.34', 'presence-here', body.channel_data))
      expect(JSON.parse(body.channel_data)).toMatchObject({
        user_id: String(who.id),
        user_info: { id: who.id, name },
      })
    }
    await expectRefused(ann, 'private-here', 'presence-herex', 'presence-here.1')
  })

  // spec: 7.34
  test('refuses visitors and requests without a token', async () => {
    const { ann, visitor } = await open()
    const guest = visitor()
    await guest.get('/sanctum/csrf-cookie')
    const body = { socket_id: '12.34', channel_name: 'presence-here' }
    expect(await guest.post('/my-broadcast-auth', body)).toMatchObject({
      status: 401,
      body: { message: 'Unauthenticated.' },
    })
    expect((await ann.send('POST', '/my-broadcast-auth', body, { 'x-xsrf-token': '' })).status).toBe(419)
  })

  test('requires a valid socket id', async () => {
    const { ann } = await open()
    for (const socket_id of [
      '',
      '1',
      '1.',
      '.1',
      'a.b',
      '1.2:presence-here',
      '1.2.3',
      null,
      undefined,
      1.2,
      {},
    ])
      expect(
        await ann.post('/my-broadcast-auth', { socket_id, channel_name: 'presence-here' }),
        JSON.stringify(socket_id),
      ).toMatchObject({
        status: 422,
        body: { errors: { socket_id: [expect.any(String)] } },
      })
  })
})
