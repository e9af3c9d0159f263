import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import {
  authFields,
  connectPusher,
  expectNotSubscribed,
  messagesArrived,
  occupiedChannels,
  realtimeApp,
} from '#tests/sockets.ts'

const SUCCEEDED = 'pusher_internal:subscription_succeeded'
const _ADDED = 'pusher_internal:member_added'
const _REMOVED = 'pusher_internal:member_removed'

describe('/my-broadcast-auth', () => {
  const ID = '123.456'
  // spec: 7.34
  test('signs for users whom the guard accepts, for JSON and form requests', async () => {
    const { members, config, sign } = await realtimeApp()
    const { Ann } = await members('Ann')
    const room = authFields(config.PUSHER_APP_SECRET, ID, 'private-room.7')
    expect(await sign(Ann, ID, 'private-room.7')).toMatchObject({ status: 200, body: room })
    const form = Buffer.from(
      new URLSearchParams({ socket_id: ID, channel_name: 'private-room.7' }).toString(),
    )
    const sent = await Ann.send('POST', '/my-broadcast-auth', form, {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(sent).toMatchObject({ status: 200, body: room })
    const club = (await sign(Ann, ID, 'presence-club.7')).body
    expect(JSON.parse(club.channel_data)).toEqual({
      user_id: String(Ann.id),
      user_info: { name: `Member ${Ann.id}` },
    })
    expect(club).toEqual(authFields(config.PUSHER_APP_SECRET, ID, 'presence-club.7', club.channel_data))
  })

  test('rejects all other users and requests', async () => {
    const { members, visitor, sign, guard } = await realtimeApp()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const guest = visitor()
    expect((await sign(guest, ID, 'private-room.7')).status).toBe(419)
    await guest.get('/sanctum/csrf-cookie')
    expect(await sign(guest, ID, 'private-room.7')).toMatchObject({
      status: 401,
      body: { message: 'Unauthenticated.' },
    })
    const wrong = await Ann.send(
      'POST',
      '/my-broadcast-auth',
      { socket_id: ID, channel_name: 'private-room.7' },
      { 'x-xsrf-token': 'x' },
    )
    expect(wrong).toMatchObject({ status: 419, body: { message: 'CSRF token mismatch.' } })

    for (const id of [
      '',
      '1',
      '1.',
      '.1',
      'a.b',
      '1.2.3',
      '-1.2',
      '1.2:private-room.7',
      '1.2\n',
      5,
      null,
      { a: 1 },
    ])
      expect(
        await Ann.post('/my-broadcast-auth', { socket_id: id, channel_name: 'private-room.7' }),
        String(id),
      ).toMatchObject({
        status: 422,
        body: { errors: { socket_id: [expect.any(String)] } },
      })
    expect(await Ann.post('/my-broadcast-auth', { socket_id: ID })).toMatchObject({
      status: 422,
      body: { errors: { channel_name: [expect.any(String)] } },
    })
    expect((await Ann.post('/my-broadcast-auth', {})).status).toBe(422)

    guard.allows = (me, n) => me === Ann.id && n === 7
    const unknown = [
      'private-unknown',
      'presence-unknown',
      'private-room',
      'private-room.',
      'private-room.x',
      'private-room.0',
      'private-room.-1',
    ]
    const near = [
      'private-room.07',
      'private-room.7.7',
      'private-room.7 ',
      'private-room.7\n',
      'xprivate-room.7',
      'private-roomx7',
      'presence-room.7',
    ]
    for (const name of [
      ...unknown,
      ...near,
      `private-room.${'9'.repeat(40)}`,
      '__proto__',
      'private-room.8',
      'presence-club.8',
    ])
      expect(await sign(Ann, ID, name), name).toMatchObject({
        status: 403,
        body: { message: expect.stringMatching(/\S/) },
      })
    expect((await sign(Ben, ID, 'private-room.7')).status).toBe(403)
    expect((await sign(Ann, ID, 'private-room.7')).status).toBe(200)
  })
})

describe('a private channel', () => {
  test('accepts only a valid signature', async () => {
    const { url, members, realtime, sign, config, subscribeAs } = await realtimeApp()
    const { Ann } = await members('Ann')
    const room = await subscribeAs(Ann, 'private-room.1')
    const client = await connectPusher(url)
    const good = (await sign(Ann, client.id, 'private-room.1')).body.auth as string
    const other = (await sign(Ann, client.id, 'private-room.2')).body.auth
    const secret = authFields('another secret', client.id, 'private-room.1').auth
    const presence = authFields(config.PUSHER_APP_SECRET, client.id, 'private-room.1', '{"user_id":"1"}').auth
    const foreign = (await sign(Ann, room.id, 'private-room.1')).body.auth
    const hex = good.slice('engawa:'.length)
    const wrong = [
      undefined,
      null,
      '',
      5,
      'engawa:',
      hex,
      `other:${hex}`,
      good.slice(0, -1),
      `${good}0`,
      good.toUpperCase(),
    ]
    for (const auth of [...wrong, other, secret, presence, foreign]) {
      client.subscribe('private-room.1', { auth })
      await expectNotSubscribed(client, 'private-room.1', [401, 403])
    }
    realtime.broadcast(['private-room.1'], 'Said', { n: 1 })
    await messagesArrived(room, client)
    expect([room.received('Said').length, client.received('Said').length]).toEqual([1, 0])

    client.subscribe('private-room.1', { auth: good })
    expect(await client.nextMessage(SUCCEEDED)).toEqual({
      event: SUCCEEDED,
      channel: 'private-room.1',
      data: {},
    })
    realtime.broadcast(['private-room.1', 'private-room.2'], 'Said', { n: 2 })
    expect(await client.nextMessage('Said')).toEqual({
      event: 'Said',
      channel: 'private-room.1',
      data: { n: 2 },
    })
    client.unsubscribe('private-room.1')
    await client.sync()
    realtime.broadcast(['private-room.1'], 'Said', { n: 3 })
    await client.sync()
    expect(client.received('Said')).toEqual([])
  })

  test('asks its guard at every subscription', async () => {
    const { members, subscribeAs, guard, sign, url, realtime } = await realtimeApp()
    const { Ann } = await members('Ann')
    const client = await connectPusher(url)
    const { body } = await sign(Ann, client.id, 'private-room.1')
    for (const allowed of [true, false, true]) {
      guard.allows = () => allowed
      client.subscribe('private-room.1', body)
      if (allowed) await client.nextMessage(SUCCEEDED)
      else await expectNotSubscribed(client, 'private-room.1', [403])
      client.unsubscribe('private-room.1')
      await client.sync()
    }
    const { presence } = await subscribeAs(Ann, 'presence-club.1', client)
    expect(presence.count).toBe(1)
    client.unsubscribe('presence-club.1')
    const again = (await sign(Ann, client.id, 'presence-club.1')).body
    guard.allows = () => false
    client.subscribe('presence-club.1', again)
    await expectNotSubscribed(client, 'presence-club.1', [403])
    expect(await occupiedChannels(realtime)).toEqual([])
  })

  test('stays closed when its guard throws, and the error reveals no internal details', async () => {
    const { members, guard, sign, url } = await realtimeApp()
    const { Ann } = await members('Ann')
    const client = await connectPusher(url)
    const { body } = await sign(Ann, client.id, 'private-room.1')
    guard.allows = () => Promise.reject(new Error('SQLITE_BUSY at /work/secret.ts'))
    client.subscribe('private-room.1', body)
    await expectNotSubscribed(client, 'private-room.1', [500, 503])
    guard.allows = () => true
    client.subscribe('private-room.1', body)
    await client.nextMessage(SUCCEEDED)
  })

  test.each(['a right that is lost', 'leaving', 'hanging up'])(
    'is not joined after %s while the guard was being asked',
    async (what) => {
      const { members, holdGuard, sign, url, realtime, app } = await realtimeApp()
      const { Ann } = await members('Ann')
      const client = await connectPusher(url)
      const { body } = await sign(Ann, client.id, 'private-room.1')
      const { asked, answer } = holdGuard()
      client.subscribe('private-room.1', body)
      await asked
      if (what === 'leaving') client.unsubscribe('private-room.1')
      else if (what === 'hanging up') client.ws.terminate()
      else realtime.revoke({ channel: 'private-room.1', user: Ann.id })
      if (what === 'hanging up')
        await eventually(async () =>
          expect(await promisify(app.server.getConnections).call(app.server)).toBe(0),
        )
      else await client.sync()
      answer(true)
      await (await connectPusher(url)).sync()
      if (what !== 'hanging up') await client.sync()
      expect(await occupiedChannels(realtime)).toEqual([])
      expect(client.received(SUCCEEDED)).toEqual([])
    },
  )

  test('is not joined by an answer from before the right was lost, however often the client asks', async () => {
    const { members, holdGuard, sign, url, realtime } = await realtimeApp()
    const { Ann } = await members('Ann')
    const client = await connectPusher(url)
    const { body } = await sign(Ann, client.id, 'private-room.1')
    const early = holdGuard()
    client.subscribe('private-room.1', body)
    await early.asked
    realtime.revoke({ channel: 'private-room.1', user: Ann.id })
    const late = holdGuard()
    client.subscribe('private-room.1', body)
    await late.asked
    early.answer(true)
    await client.sync()
    late.answer(false)
    await client.sync()
    expect(await occupiedChannels(realtime)).toEqual([])
    expect(client.received(SUCCEEDED)).toEqual([])
  })

  test('is joined once, however often the client asks while the guard is running', async () => {
    const { members, holdGuard, sign, url, realtime } = await realtimeApp()
    const { Ann } = await members('Ann')
    const client = await connectPusher(url)
    const { body } = await sign(Ann, client.id, 'presence-club.1')
    const { asked, answer } = holdGuard()
    for (let n = 0; n < 3; n++) client.subscribe('presence-club.1', body)
    await asked
    await client.sync()
    answer(true)
    await client.nextMessage(SUCCEEDED)
    realtime.broadcast(['presence-club.1'], 'Said', {})
    await client.sync()
    expect(client.received('Said')).toHaveLength(1)
    client.unsubscribe('presence-club.1')
    await client.sync()
    expect([await occupiedChannels(realtime), realtime.memberIds('presence-club.1')]).toEqual([[], []])
  })
})
