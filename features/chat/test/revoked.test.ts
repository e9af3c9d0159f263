import { describe, expect, test } from 'vitest'
import { befriend, groupOf, type Member, say, write } from '#tests/chat.ts'
import { dialects } from '#tests/harness.ts'
import { type Client, connect, createTestServer } from '#tests/sockets.ts'

describe.each(dialects)('a subscription on %s', (dialect) => {
  const open = async () => {
    const place = await createTestServer({ dialect })
    return { ...place, ...(await place.members('ann', 'ben', 'eve')) }
  }
  const ended = async (client: Client, channel: string) =>
    expect(await client.take('pusher:subscription_error')).toMatchObject({
      channel,
      data: { type: 'AuthError', status: 403 },
    })
  /** Waits until all events have arrived. Returns the messages, or kinds of change, of one kind of event. */
  async function heard(client: Client, event: string) {
    await client.sync()
    return client.heard(event).map(({ data }) => data.message ?? data.change.kind)
  }
  const clubOf = async (...[ann, ...others]: [Member, ...Member[]]) => {
    const id = await groupOf(ann, 'Club', ...others)
    return { id, name: `private-group-chat.${id}` }
  }

  test('carries what is said, once, to all windows of both', async () => {
    const { ann, ben, eve, enter, url } = await open()
    await befriend(ann, ben)
    const name = `private-chat.${ann.id}.${ben.id}`
    const [hers, his, again] = [await enter(ann, name), await enter(ben, name), await enter(ben, name)]
    const stranger = await enter(eve, 'presence-here')
    stranger.subscribe(name, { auth: 'engawa:0' })
    expect(await stranger.take('pusher:subscription_error')).toMatchObject({
      channel: name,
      data: { status: 401 },
    })
    const message = await write(ann, ben, 'Hello', { client_id: 'c-1' })
    const { id, created_at } = message
    const expected = {
      id,
      message: 'Hello',
      from_user_id: ann.id,
      to_user_id: ben.id,
      created_at,
      client_id: 'c-1',
    }
    for (const client of [hers, his, again])
      expect(await client.take('PrivateMessageSent')).toMatchObject({
        event: 'PrivateMessageSent',
        channel: name,
        data: expected,
      })
    for (const client of [hers, his, again, stranger])
      expect(await heard(client, 'PrivateMessageSent')).toEqual([])
    expect(url).toMatch(/127\.0\.0\.1/)
  })

  test('of a member’s windows hears of every chat of theirs, and of no other', async () => {
    const { ann, ben, eve, enter } = await open()
    await befriend(ann, ben)
    const { id } = await clubOf(ann, ben)
    const [his, hers] = [
      await enter(ben, `presence-user.${ben.id}`),
      await enter(eve, `presence-user.${eve.id}`),
    ]
    await write(ann, ben, 'To Ben')
    await say(ann, id, 'To all')
    expect(await heard(his, 'PrivateMessageSent')).toEqual(['To Ben'])
    expect(await heard(his, 'GroupMessageSent')).toEqual(['To all'])
    for (const event of ['PrivateMessageSent', 'GroupMessageSent', 'GroupChanged'])
      expect(await heard(hers, event)).toEqual([])
  })

  test.each(['leaving', 'removal', 'deletion'] as const)(
    'ends with %s, and nothing said later arrives',
    async (way) => {
      const { ann, ben, eve, enter } = await open()
      const { id, name } = await clubOf(ann, ben, eve)
      const [his, second, hers] = [await enter(ben, name), await enter(ben, name), await enter(eve, name)]
      const own = await enter(ben, `presence-user.${ben.id}`)
      await say(ann, id, 'Before')
      for (const client of [his, second, hers])
        expect((await client.take('GroupMessageSent')).data.message).toBe('Before')
      const call = {
        leaving: () => ben.post(`/api/groups/${id}/leave`),
        removal: () => ann.delete(`/api/groups/${id}/members/${ben.id}`),
        deletion: () => ann.delete(`/api/groups/${id}`),
      }[way]
      expect((await call()).status).toBe(200)
      for (const client of [his, second, ...(way === 'deletion' ? [hers] : [])]) await ended(client, name)
      if (way !== 'deletion') {
        await say(ann, id, 'After')
        expect((await hers.take('GroupMessageSent')).data.message).toBe('After')
        await ann.send('PUT', `/api/groups/${id}`, { name: 'Circle' })
      }
      for (const client of [his, second]) expect(await heard(client, 'GroupMessageSent')).toEqual([])
      for (const client of [his, second]) expect(await heard(client, 'GroupChanged')).not.toContain('renamed')
      // Ben learns of the end itself in his own channel, and of nothing after it.
      const kinds = { leaving: ['left'], removal: ['removed'], deletion: ['deleted'] }
      expect(await heard(own, 'GroupChanged')).toEqual(kinds[way])
      expect(await heard(own, 'GroupMessageSent')).toEqual(['Before'])
      // Nor may he whisper there.
      his.say('client-typing', {}, name)
      expect(await his.take('pusher:error')).toMatchObject({ data: { code: 4301 } })
    },
  )

  test('is not had with a signature from before the removal', async () => {
    const { ann, ben, sign, url } = await open()
    const { id, name } = await clubOf(ann, ben)
    const client = await connect(url)
    const { body } = await sign(ben, client.id, name)
    await ann.delete(`/api/groups/${id}/members/${ben.id}`)
    client.subscribe(name, body)
    await ended(client, name)
    await say(ann, id, 'Without Ben')
    expect(await heard(client, 'GroupMessageSent')).toEqual([])
  })

  test('begins again when the member is added again', async () => {
    const { ann, ben, enter } = await open()
    const { id, name } = await clubOf(ann, ben)
    const his = await enter(ben, name)
    await ann.delete(`/api/groups/${id}/members/${ben.id}`)
    await ended(his, name)
    await ann.post(`/api/groups/${id}/add-user`, { user_id: ben.id })
    await enter(ben, name, his)
    await say(ann, id, 'Welcome back')
    expect(await heard(his, 'GroupMessageSent')).toEqual(['Welcome back'])
  })

  test('to a private chat brings the first message to a member who does not follow its author', async () => {
    const { ann, ben, enter } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    const his = await enter(ben, `private-chat.${ann.id}.${ben.id}`)
    await write(ann, ben, 'Hello')
    expect((await his.take('PrivateMessageSent')).data.message).toBe('Hello')
  })

  test('to a private chat ends for both with unfollowing where that closes it for both', async () => {
    const { ann, ben, enter } = await open()
    await ann.post(`/api/follow/${ben.id}`)
    const name = `private-chat.${ann.id}.${ben.id}`
    const [hers, his] = [await enter(ann, name), await enter(ben, name)]
    const own = await enter(ann, `presence-user.${ann.id}`)
    await ann.delete(`/api/unfollow/${ben.id}`)
    for (const client of [hers, his]) await ended(client, name)
    // Ann's own windows learn that the chat may be closed to her.
    expect((await own.take('ChatAccessChanged')).data).toEqual({ userId: ben.id })
    his.say('client-typing', {}, name)
    await his.sync()
    expect(await heard(hers, 'client-typing')).toEqual([])
    await ann.post(`/api/follow/${ben.id}`)
    await write(ann, ben, 'Hello')
    expect(await heard(his, 'PrivateMessageSent')).toEqual([])
    await enter(ben, name, his)
  })

  test('to a private chat outlasts unfollowing where it stays open', async () => {
    const { ann, ben, enter } = await open()
    await befriend(ann, ben)
    const name = `private-chat.${ann.id}.${ben.id}`
    await write(ben, ann, 'Hello')
    const hers = await enter(ann, name)
    await ann.delete(`/api/unfollow/${ben.id}`)
    await write(ben, ann, 'Still there?')
    expect((await hers.take('PrivateMessageSent')).data.message).toBe('Still there?')
    expect(hers.heard('pusher:subscription_error')).toEqual([])
  })

  test('ends with the socket when its member logs out, which leaves the others alone', async () => {
    const { ann, ben, enter } = await open()
    await befriend(ann, ben)
    const name = `private-chat.${ann.id}.${ben.id}`
    const [hers, second, his] = [
      await enter(ann, name),
      await enter(ann, 'presence-here'),
      await enter(ben, name),
    ]
    expect((await ann.post('/logout')).status).toBe(204)
    for (const client of [hers, second]) {
      expect(await client.take('pusher:error')).toMatchObject({ data: { code: 4009 } })
      expect((await client.gone).code).toBe(4009)
    }
    await write(ben, ann, 'Gone?')
    expect(await heard(his, 'PrivateMessageSent')).toEqual(['Gone?'])
    expect(hers.heard('PrivateMessageSent')).toEqual([])
  })
})
