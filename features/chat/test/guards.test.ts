import { describe, expect, test } from 'vitest'
import { befriend, groupOf, type Member, nobody, write } from '#tests/chat.ts'
import { type Actor, createTestApp, dialects } from '#tests/harness.ts'
import { signature } from '#tests/sockets.ts'

describe.each(dialects)('leave to subscribe on %s', (dialect) => {
  const open = async () => {
    const place = await createTestApp({ dialect })
    return { ...place, ...(await place.members('ann', 'ben', 'eve')) }
  }
  const ask = (who: Actor, channel_name: string) =>
    who.post('/my-broadcast-auth', { socket_id: '12.34', channel_name })
  const pair = (a: Member, b: Member) => `private-chat.${a.id}.${b.id}`
  async function expectRefused(who: Actor, ...names: string[]) {
    for (const name of names)
      expect(await ask(who, name), name).toMatchObject({
        status: 403,
        body: { message: expect.stringMatching(/\.$/) },
      })
  }

  test('is given to the two of a private chat, once it is open to one of them', async () => {
    const { ann, ben, eve, config } = await open()
    const name = pair(ann, ben)
    for (const who of [ann, ben, eve]) await expectRefused(who, name)
    await ann.post(`/api/follow/${ben.id}`)
    for (const who of [ann, ben])
      expect(await ask(who, name)).toMatchObject({
        status: 200,
        body: signature(config.PUSHER_APP_SECRET, '12.34', name),
      })
    await expectRefused(eve, name)
    // To listen is not to write: the chat is open to Ann alone.
    for (const path of [`/api/messages/${ann.id}`, `/api/conversations/${ann.id}`])
      expect((await ben.get(path)).status, path).toBe(403)
    const answer = await ben.post('/api/send-private-message', { input: 'Hello', targetUserId: ann.id })
    expect(answer.status).toBe(403)

    await ann.delete(`/api/unfollow/${ben.id}`)
    for (const who of [ann, ben]) await expectRefused(who, name)
    await ann.post(`/api/follow/${ben.id}`)
    await write(ann, ben, 'Hello')
    await ann.delete(`/api/unfollow/${ben.id}`)
    // It is still open to Ben, who has been written to.
    for (const who of [ann, ben]) expect((await ask(who, name)).status).toBe(200)
  })

  test('is not given by the follow or the chat of somebody else', async () => {
    const { ann, ben, eve } = await open()
    await eve.post(`/api/follow/${ann.id}`)
    await eve.post(`/api/follow/${ben.id}`)
    await befriend(eve, ben)
    await write(eve, ann, 'Hello')
    await write(ben, eve, 'Hello')
    for (const who of [ann, ben, eve]) await expectRefused(who, pair(ann, ben))
  })

  test('is not given to a suspended member', async () => {
    const { ann, ben } = await open()
    await ben.post(`/api/follow/${ann.id}`)
    expect((await ask(ben, pair(ann, ben))).status).toBe(200)
    expect((await ann.put(`/api/admin/users/${ben.id}/suspension`)).status).toBe(200)
    expect((await ask(ben, pair(ann, ben))).status).toBe(401)
  })

  test('is given to nobody else, and under no other name', async () => {
    const { ann, ben, eve } = await open()
    for (const one of [ann, ben]) await one.post(`/api/follow/${one === ann ? ben.id : ann.id}`)
    await write(ann, ben, 'Hello')
    await eve.post(`/api/follow/${ann.id}`)
    await expectRefused(eve, pair(ann, ben))
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
      `${a}.${nobody}`,
    ]
    await expectRefused(
      ann,
      ...ids.map((one) => `private-chat.${one}`),
      `private-chatx${a}.${b}`,
      `presence-chat.${a}.${b}`,
    )
    // A value that is not a channel name at all may also be refused as an invalid field (422).
    for (const name of [
      'private-chat.１.２',
      `private-chat.${a}.${b}:x`,
      `private-chat.${a}.${b}\n.`,
      '',
      null,
      7,
    ])
      expect([403, 422], JSON.stringify(name)).toContain((await ask(ann, name as string)).status)
  })

  test('is given to the members of a group', async () => {
    const { ann, ben, eve, config } = await open()
    const group = await groupOf(ann, 'Club', ben)
    const name = `private-group-chat.${group}`
    for (const who of [ann, ben])
      expect(await ask(who, name)).toMatchObject({
        status: 200,
        body: signature(config.PUSHER_APP_SECRET, '12.34', name),
      })
    await expectRefused(eve, name)
    await ann.post(`/api/groups/${group}/leave`)
    await expectRefused(ann, name)
    await ann.delete(`/api/groups/${group}/members/${ben.id}`)
    await expectRefused(ben, name)
    await ann.post(`/api/groups/${group}/add-user`, { user_id: eve.id })
    expect((await ask(eve, name)).status).toBe(200)
    await expectRefused(
      eve,
      'private-group-chat.0',
      'private-group-chat.x',
      `private-group-chat.0${group}`,
      `private-group-chat.${nobody}`,
    )
    await ann.delete(`/api/groups/${group}`)
    await expectRefused(eve, name)
  })

  test('is not given to a group under the id of a private chat', async () => {
    const { ann, ben } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    await write(ann, ben, 'Hello')
    await expectRefused(ann, 'private-group-chat.1')
  })

  test('to the channel of a member’s own windows is the member’s alone', async () => {
    const { ann, ben, config } = await open()
    const { status, body } = await ask(ben, `presence-user.${ben.id}`)
    expect(status).toBe(200)
    expect(body).toEqual(
      signature(config.PUSHER_APP_SECRET, '12.34', `presence-user.${ben.id}`, body.channel_data),
    )
    expect(JSON.parse(body.channel_data)).toMatchObject({ user_id: String(ben.id) })
    // Not even an admin looks over a shoulder.
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

  test('to see who is here has every member, and says who that is', async () => {
    const { ann, eve, config } = await open()
    for (const [who, name] of [
      [ann, 'ann'],
      [eve, 'eve'],
    ] as const) {
      const { status, body } = await ask(who, 'presence-here')
      expect(status).toBe(200)
      expect(body).toEqual(signature(config.PUSHER_APP_SECRET, '12.34', 'presence-here', body.channel_data))
      expect(JSON.parse(body.channel_data)).toMatchObject({
        user_id: String(who.id),
        user_info: { id: who.id, name },
      })
    }
    await expectRefused(ann, 'private-here', 'presence-herex', 'presence-here.1')
  })

  test('has no visitor, and nobody without a token', async () => {
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

  test('is signed for a socket, whose id is none otherwise', async () => {
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
