import { describe, expect, test } from 'vitest'
import { befriend, createGroup, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import { type Dialect, databases } from '#tests/harness.ts'
import { connectSubscribed, messagesArrived, realtimeApp } from '#tests/sockets.ts'

/**
 * Creates a test app in which Ann and Ben follow each other, and are in a group with Cleo. The returned
 * `mute` makes Ann mute Ben, and `unmute` takes this back.
 */
async function open(dialect: Dialect) {
  const app = await realtimeApp({ dialect })
  const { Ann, Ben, Cleo } = await app.members('Ann', 'Ben', 'Cleo')
  await befriend(Ann, Ben)
  await Ann.post(`/api/follow/${Cleo.id}`)
  const group = await createGroup(Ann, 'Garden', Ben, Cleo)
  const mute = () => Ann.post(`/api/users/${Ben.id}/mute`)
  const unmute = () => Ann.delete(`/api/users/${Ben.id}/mute`)
  return { ...app, Ann, Ben, Cleo, group, mute, unmute }
}

const textsOf = ({ body }: { body: { body: string }[] }) => body.map((post) => post.body)

describe.each(databases)('a mute on %s', (dialect) => {
  test('takes the posts out of the lists, and leaves the page of the person', async () => {
    const { Ann, Ben, Cleo, visitor, mute, unmute } = await open(dialect)
    const { post } = (await Ben.post('/api/posts', { text: 'By Ben' })).body
    await Cleo.post('/api/posts', { text: 'By Cleo' })
    const lists = ['/api/posts', '/api/posts?limit=9', '/api/posts/following', '/api/posts/following?limit=9']
    const readLists = async () => Promise.all(lists.map(async (list) => textsOf(await Ann.get(list))))
    const all = lists.map(() => ['By Cleo', 'By Ben'])
    expect(await readLists()).toEqual(all)
    await mute()
    expect(await readLists()).toEqual(lists.map(() => ['By Cleo']))
    expect(textsOf(await Ann.get(`/api/users/${Ben.id}/posts`))).toEqual(['By Ben'])
    expect((await Ann.get(`/api/posts/${post.id}`)).status).toBe(200)
    for (const who of [Ben, Cleo, visitor()])
      expect(textsOf(await who.get('/api/posts'))).toEqual(['By Cleo', 'By Ben'])
    await unmute()
    expect(await readLists()).toEqual(all)
  })

  test('makes notes of the messages in a group, and counts none as unread', async () => {
    const { Ann, Ben, Cleo, group, mute, unmute } = await open(dialect)
    await Ann.put(`/api/groups/${group}/read`, { last_read_id: 0 })
    await sendToGroup(Cleo, group, 'By Cleo')
    const { id } = await sendToGroup(Ben, group, 'By Ben')
    await sendPrivate(Ben, Ann, 'For Ann')
    expect((await Ann.get('/api/unread')).body).toEqual({ private: { [Ben.id]: 1 }, groups: { [group]: 2 } })
    await mute()
    expect((await Ann.get('/api/unread')).body).toEqual({ private: {}, groups: { [group]: 1 } })
    const note = { id, message: '', user_id: 0, is_muted: true }
    const messages = (await Ann.get(`/api/group-messages/${group}`)).body
    expect(messages).toMatchObject([{ message: 'By Cleo' }, note])
    expect(messages[1]).not.toHaveProperty('is_blocked')
    expect((await Ann.get(`/api/chat-messages/${id}`)).body).toMatchObject({ message: 'By Ben' })
    expect((await Ann.get('/api/my-groups')).body).toMatchObject([{ last_message: { message: 'By Cleo' } }])
    expect((await Ann.get('/api/conversations')).body).toMatchObject([
      { last_message: { message: 'For Ann' } },
    ])
    expect((await Ann.get(`/api/conversations/${Ben.id}`)).body).toMatchObject({ is_muted: true })
    expect((await Cleo.get(`/api/group-messages/${group}`)).body).toMatchObject([{}, { message: 'By Ben' }])
    await unmute()
    expect((await Ann.get('/api/unread')).body).toEqual({ private: { [Ben.id]: 1 }, groups: { [group]: 2 } })
    expect((await Ann.get(`/api/conversations/${Ben.id}`)).body).not.toHaveProperty('is_muted')
  })

  test('keeps live posts, group messages and typing away, but not private messages', async () => {
    const { Ann, Ben, Cleo, group, url, subscribeAs, realtime, mute } = await open(dialect)
    await sendPrivate(Ben, Ann, 'Before')
    await mute()
    const room = `presence-group-chat.${group}`
    const connect = async (who: typeof Ann) => {
      const client = await connectSubscribed(url, 'posts')
      for (const name of [`presence-user.${who.id}`, `private-group-chat.${group}`, room])
        await subscribeAs(who, name, client)
      return client
    }
    const [ann, ben, cleo] = [await connect(Ann), await connect(Ben), await connect(Cleo)]
    ben.send('client-typing', {}, room)
    await ben.sync()
    await Ben.post('/api/posts', { text: 'By Ben' })
    await sendToGroup(Ben, group, 'By Ben')
    await sendPrivate(Ben, Ann, 'For Ann')
    realtime.broadcast(['posts'], 'Last', {})
    for (const client of [ann, cleo]) await client.nextMessage('Last')
    await messagesArrived(ann, cleo)
    const eventsOf = ({ inbox }: typeof ann) =>
      inbox
        .filter(({ event }) => !event.startsWith('pusher'))
        .map(({ event, channel }) => `${event} ${channel}`)
    expect(eventsOf(ann)).toEqual([
      `PrivateMessageSent presence-user.${Ann.id}`,
      `UnreadChanged presence-user.${Ann.id}`,
    ])
    expect(ann.inbox.find(({ event }) => event === 'UnreadChanged')?.data).toEqual({
      userId: Ben.id,
      groupId: null,
      unread: 0,
    })
    expect(eventsOf(cleo)).toEqual([
      `client-typing ${room}`,
      'PostCreated posts',
      `GroupMessageSent private-group-chat.${group}`,
      `GroupMessageSent presence-user.${Cleo.id}`,
    ])
  })
})
