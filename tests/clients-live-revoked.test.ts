import { describe, expect, test } from 'vitest'
import type { Actor } from '#tests/harness.ts'
import {
  type Client,
  connect,
  createTestServer,
  expectShut,
  listener,
  occupied,
  settle,
} from '#tests/sockets.ts'

const REMOVED = 'pusher_internal:member_removed'

describe('what is revoked', () => {
  const both = async (enter: (who: Actor, name: string, at?: Client) => Promise<Client>, who: Actor) => {
    const client = await enter(who, 'private-room.1')
    return enter(who, 'presence-club.1', client)
  }

  test('of a channel and a member is that subscription, on all of their sockets', async () => {
    const { members, enter, realtime, rights, sign } = await createTestServer()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const [ann, ben, second] = [await both(enter, Ann), await both(enter, Ben), await both(enter, Ben)]
    rights.ask = (me) => me !== Ben.id
    realtime.revoke({ channel: 'presence-club.1', member: Ben.id })
    expect((await ann.take(REMOVED)).data).toEqual({ user_id: String(Ben.id) })
    for (const one of [ben, second]) await expectShut(one, 'presence-club.1', [403])
    realtime.broadcast(['presence-club.1'], 'Said', {})
    realtime.broadcast(['private-room.1'], 'Elsewhere', {})
    await settle(ann, ben, second)
    expect(
      [ann, ben, second].map((one) => [one.heard('Said').length, one.heard('Elsewhere').length]),
    ).toEqual([
      [1, 1],
      [0, 1],
      [0, 1],
    ])
    ben.say('client-typing', {}, 'presence-club.1')
    expect((await ben.take('pusher:error')).data.code).toBe(4301)
    expect((await sign(Ben, ben.id, 'presence-club.1')).status).toBe(403)
    rights.ask = () => true
    expect((await enter(Ben, 'presence-club.1', ben)).presence.count).toBe(2)
  })

  test('of a channel is everybody’s subscription', async () => {
    const { members, enter, realtime } = await createTestServer()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const people = [await both(enter, Ann), await both(enter, Ben)]
    realtime.revoke({ channel: 'private-room.1' })
    for (const one of people) await expectShut(one, 'private-room.1', [403])
    expect(await occupied(realtime)).toEqual(['presence-club.1'])
  })

  test('of a member or a session are their sockets, which close with 4009', async () => {
    const { members, visitor, enter, realtime, url } = await createTestServer()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const phone = visitor()
    await phone.get('/sanctum/csrf-cookie')
    expect(
      (await phone.post('/login', { email: 'ben@engawa.example', password: 'correct horse' })).status,
    ).toBe(204)
    const [ann, desk, pocket] = [await both(enter, Ann), await both(enter, Ben), await both(enter, phone)]
    const guest = await listener(url, 'chat')
    expect((await Ben.post('/logout')).status).toBe(204)
    expect(await desk.gone).toEqual({ code: 4009, reason: expect.stringMatching(/\S/) })
    await settle(ann, pocket)
    expect(ann.heard(REMOVED), 'Ben is still there with his phone').toEqual([])
    realtime.revoke({ member: Ben.id })
    expect((await pocket.gone).code).toBe(4009)
    expect((await ann.take(REMOVED)).data).toEqual({ user_id: String(Ben.id) })
    await settle(ann, guest)
    expect([ann.ws.readyState, guest.ws.readyState]).toEqual([1, 1])
  })

  test('is gone and silent from that moment on, even where its last words are under way', async () => {
    const { members, enter, realtime } = await createTestServer()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const [ann, ben] = [await enter(Ann, 'presence-club.1'), await enter(Ben, 'presence-club.1')]
    realtime.revoke({ member: Ben.id })
    // Its socket has not heard of it yet, and may never.
    expect(realtime.memberIds('presence-club.1')).toEqual([String(Ann.id)])
    ben.say('client-late', {}, 'presence-club.1')
    await ben.gone
    await settle(ann)
    expect(ann.heard('client-late')).toEqual([])
  })

  test('is also what a session asked for just before it ended', async () => {
    const { members, hold, sign, url, realtime } = await createTestServer()
    const { Ann } = await members('Ann')
    const client = await connect(url)
    const { asked, answer } = hold()
    const signed = sign(Ann, client.id, 'private-room.1')
    await asked
    expect((await Ann.post('/logout')).status).toBe(204)
    answer(true)
    const { status, body } = await signed
    if (status === 200) client.subscribe('private-room.1', body)
    await Promise.race([client.gone, settle(client)])
    expect(await occupied(realtime)).toEqual([])
  })

  test('leaves nothing of one member to the next on the same socket', async () => {
    const { members, enter, realtime, sign } = await createTestServer()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const client = await enter(Ann, 'private-room.1')
    await enter(Ben, 'private-room.2', client)
    realtime.broadcast(['private-room.1'], 'Said', { to: 'Ann' })
    realtime.broadcast(['private-room.2'], 'Said', { to: 'Ben' })
    await client.sync()
    expect(client.heard('Said').map(({ data }) => data.to)).toEqual(['Ben'])
    expect((await sign(Ben, client.id, 'private-room.1')).status).toBe(200)
  })

  test('is also what the one before was being let into', async () => {
    const { members, hold, sign, url, realtime, rights } = await createTestServer()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const client = await connect(url)
    const { body } = await sign(Ann, client.id, 'private-room.1')
    const { asked, answer } = hold()
    client.subscribe('private-room.1', body)
    await asked
    rights.ask = (me) => me === Ben.id
    expect((await sign(Ben, client.id, 'private-room.2')).status).toBe(200)
    answer(true)
    await settle(client)
    expect(await occupied(realtime)).toEqual([])
  })
})
