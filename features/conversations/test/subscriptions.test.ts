import { describe, expect, test } from 'vitest'
import { type Actor, befriend, createGroup, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { databases } from '#tests/harness.ts'
import { connectPusher, type PusherClient, realtimeApp } from '#tests/sockets.ts'

describe.each(databases)('a subscription on %s', (dialect) => {
  const open = async () => {
    const testApp = await realtimeApp({ dialect })
    return { ...testApp, ...(await testApp.members('ann', 'ben', 'eve')) }
  }
  const expectEnded = async (client: PusherClient, channel: string) =>
    expect(await client.nextMessage('pusher:subscription_error')).toMatchObject({
      channel,
      data: { type: 'AuthError', status: 403 },
    })
  /**
   * Returns the content of the events with this name that the client has received: the texts of messages, or
   * the kinds of group changes. On PostgreSQL an event may arrive after the response to the request that
   * caused it.
   */
  async function readReceivedTexts(client: PusherClient, event: string) {
    await client.sync()
    return client.received(event).map(({ data }) => data.message ?? data.change.kind)
  }
  const clubOf = async (...[ann, ...others]: [Actor, ...Actor[]]) => {
    const id = await createGroup(ann, 'Club', ...others)
    return { id, name: `private-group-chat.${id}` }
  }

  // spec: 7.36
  test('delivers each message once to all sockets of both people', async () => {
    const { ann, ben, eve, subscribeAs, url } = await open()
    await befriend(ann, ben)
    const name = `private-chat.${ann.id}.${ben.id}`
    const [annSocket, benSocket, again] = [
      await subscribeAs(ann, name),
      await subscribeAs(ben, name),
      await subscribeAs(ben, name),
    ]
    const stranger = await subscribeAs(eve, 'presence-here')
    stranger.subscribe(name, { auth: 'engawa:0' })
    expect(await stranger.nextMessage('pusher:subscription_error')).toMatchObject({
      channel: name,
      data: { status: 401 },
    })
    const message = await sendPrivate(ann, ben, 'Hello', { client_id: 'c-1' })
    const { id, created_at } = message
    const expected = {
      id,
      message: 'Hello',
      from_user_id: ann.id,
      to_user_id: ben.id,
      created_at,
      client_id: 'c-1',
    }
    for (const client of [annSocket, benSocket, again])
      expect(await client.nextMessage('PrivateMessageSent')).toMatchObject({
        event: 'PrivateMessageSent',
        channel: name,
        data: expected,
      })
    for (const client of [annSocket, benSocket, again, stranger])
      expect(await readReceivedTexts(client, 'PrivateMessageSent')).toEqual([])
    expect(url).toMatch(/127\.0\.0\.1/)
  })

  test("to a member's own channel receives the events of all their chats, and of no others", async () => {
    const { ann, ben, eve, subscribeAs } = await open()
    await befriend(ann, ben)
    const { id } = await clubOf(ann, ben)
    const [benSocket, eveSocket] = [
      await subscribeAs(ben, `presence-user.${ben.id}`),
      await subscribeAs(eve, `presence-user.${eve.id}`),
    ]
    await sendPrivate(ann, ben, 'To Ben')
    await sendToGroup(ann, id, 'To all')
    await expect.poll(() => readReceivedTexts(benSocket, 'PrivateMessageSent')).toEqual(['To Ben'])
    await expect.poll(() => readReceivedTexts(benSocket, 'GroupMessageSent')).toEqual(['To all'])
    for (const event of ['PrivateMessageSent', 'GroupMessageSent', 'GroupChanged'])
      expect(await readReceivedTexts(eveSocket, event)).toEqual([])
  })

  test.each(['leaving', 'removal', 'deletion'] as const)(
    'ends with %s, and receives nothing after it',
    async (way) => {
      const { ann, ben, eve, subscribeAs } = await open()
      const { id, name } = await clubOf(ann, ben, eve)
      const [benSocket, secondBenSocket, eveSocket] = [
        await subscribeAs(ben, name),
        await subscribeAs(ben, name),
        await subscribeAs(eve, name),
      ]
      const own = await subscribeAs(ben, `presence-user.${ben.id}`)
      await sendToGroup(ann, id, 'Before')
      for (const client of [benSocket, secondBenSocket, eveSocket])
        expect((await client.nextMessage('GroupMessageSent')).data.message).toBe('Before')
      const call = {
        leaving: () => ben.post(`/api/groups/${id}/leave`),
        removal: () => ann.delete(`/api/groups/${id}/members/${ben.id}`),
        deletion: () => ann.delete(`/api/groups/${id}`),
      }[way]
      expect((await call()).status).toBe(200)
      for (const client of [benSocket, secondBenSocket, ...(way === 'deletion' ? [eveSocket] : [])])
        await expectEnded(client, name)
      if (way !== 'deletion') {
        await sendToGroup(ann, id, 'After')
        expect((await eveSocket.nextMessage('GroupMessageSent')).data.message).toBe('After')
        await ann.send('PUT', `/api/groups/${id}`, { name: 'Circle' })
      }
      for (const client of [benSocket, secondBenSocket])
        expect(await readReceivedTexts(client, 'GroupMessageSent')).toEqual([])
      for (const client of [benSocket, secondBenSocket])
        expect(await readReceivedTexts(client, 'GroupChanged')).not.toContain('renamed')
      // On the channel of his own windows, Ben still gets the event that his membership has ended, and no
      // message after it.
      const kinds = { leaving: ['left'], removal: ['removed'], deletion: ['deleted'] }
      await expect.poll(() => readReceivedTexts(own, 'GroupChanged')).toEqual(kinds[way])
      await expect.poll(() => readReceivedTexts(own, 'GroupMessageSent')).toEqual(['Before'])
      // Ben can no longer send client events to the group's channel.
      benSocket.send('client-typing', {}, name)
      expect(await benSocket.nextMessage('pusher:error')).toMatchObject({ data: { code: 4301 } })
    },
  )

  // spec: 6.7
  test('is refused with a signature from before the removal', async () => {
    const { ann, ben, sign, url } = await open()
    const { id, name } = await clubOf(ann, ben)
    const client = await connectPusher(url)
    const { body } = await sign(ben, client.id, name)
    await ann.delete(`/api/groups/${id}/members/${ben.id}`)
    client.subscribe(name, body)
    await expectEnded(client, name)
    await sendToGroup(ann, id, 'Without Ben')
    expect(await readReceivedTexts(client, 'GroupMessageSent')).toEqual([])
  })

  test('can be made again when the member is added again', async () => {
    const { ann, ben, subscribeAs } = await open()
    const { id, name } = await clubOf(ann, ben)
    const benSocket = await subscribeAs(ben, name)
    await ann.delete(`/api/groups/${id}/members/${ben.id}`)
    await expectEnded(benSocket, name)
    await ann.post(`/api/groups/${id}/add-user`, { user_id: ben.id })
    await subscribeAs(ben, name, benSocket)
    await sendToGroup(ann, id, 'Welcome back')
    await expect.poll(() => readReceivedTexts(benSocket, 'GroupMessageSent')).toEqual(['Welcome back'])
  })

  test('to a private chat delivers the first message to a member who does not follow its author', async () => {
    const { ann, ben, subscribeAs } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    const benSocket = await subscribeAs(ben, `private-chat.${ann.id}.${ben.id}`)
    await sendPrivate(ann, ben, 'Hello')
    expect((await benSocket.nextMessage('PrivateMessageSent')).data.message).toBe('Hello')
  })

  test('to a private chat ends for both when unfollowing closes the chat for both', async () => {
    const { ann, ben, subscribeAs } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    const name = `private-chat.${ann.id}.${ben.id}`
    const [annSocket, benSocket] = [await subscribeAs(ann, name), await subscribeAs(ben, name)]
    const own = await subscribeAs(ann, `presence-user.${ann.id}`)
    await ann.delete(`/api/unfollow/${ben.id}`)
    for (const client of [annSocket, benSocket]) await expectEnded(client, name)
    // Ann gets an event on her own channel, because her access to the chat may have changed.
    expect((await own.nextMessage('ChatAccessChanged')).data).toEqual({ userId: ben.id })
    benSocket.send('client-typing', {}, name)
    await benSocket.sync()
    expect(await readReceivedTexts(annSocket, 'client-typing')).toEqual([])
    await ann.post(`/api/follow/${ben.id}`)
    await sendPrivate(ann, ben, 'Hello')
    expect(await readReceivedTexts(benSocket, 'PrivateMessageSent')).toEqual([])
    await subscribeAs(ben, name, benSocket)
  })

  test('to a private chat survives unfollowing where the chat stays open', async () => {
    const { ann, ben, subscribeAs } = await open()
    await befriend(ann, ben)
    const name = `private-chat.${ann.id}.${ben.id}`
    await sendPrivate(ben, ann, 'Hello')
    const annSocket = await subscribeAs(ann, name)
    await ann.delete(`/api/unfollow/${ben.id}`)
    await sendPrivate(ben, ann, 'Still there?')
    expect((await annSocket.nextMessage('PrivateMessageSent')).data.message).toBe('Still there?')
    expect(annSocket.received('pusher:subscription_error')).toEqual([])
  })

  test('ends with its connection when its member logs out; other members keep theirs', async () => {
    const { ann, ben, subscribeAs } = await open()
    await befriend(ann, ben)
    const name = `private-chat.${ann.id}.${ben.id}`
    const [annSocket, secondAnnSocket, benSocket] = [
      await subscribeAs(ann, name),
      await subscribeAs(ann, 'presence-here'),
      await subscribeAs(ben, name),
    ]
    expect((await ann.post('/logout')).status).toBe(204)
    for (const client of [annSocket, secondAnnSocket]) {
      expect(await client.nextMessage('pusher:error')).toMatchObject({ data: { code: 4009 } })
      expect((await client.whenClosed).code).toBe(4009)
    }
    await sendPrivate(ben, ann, 'Gone?')
    await expect.poll(() => readReceivedTexts(benSocket, 'PrivateMessageSent')).toEqual(['Gone?'])
    expect(annSocket.received('PrivateMessageSent')).toEqual([])
  })
})
