import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, databases, type TestApp, type TestClient } from '#tests/harness.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'
import { connectPusher, messagesArrived } from '#tests/sockets.ts'
import type { VisibilityRule } from '../visibility.ts'
import * as visibility from '../visibility.ts'

type Member = TestClient & { id: number }

const NAME = 'Hidden Person'
const WORDS = 'hidden words'
const HERE = 'presence-here'

/**
 * The server set-ups in which all tests of this file run: one process, or two processes that share PostgreSQL
 * and Redis. With two processes, HTTP requests go to the first one, and sockets connect to the second one.
 */
const settings = [
  ...databases.map((dialect) => ({ name: `one process on ${dialect}`, dialect, processes: 1 })),
  ...(databases.includes('postgres') && findRedis()
    ? [{ name: 'two processes over Redis', dialect: 'postgres' as const, processes: 2 }]
    : []),
]
type Setting = (typeof settings)[number]

async function listen({ app }: TestApp) {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

async function openProcesses({ dialect, processes }: Setting) {
  if (processes === 1) {
    const first = await createTestApp({ dialect })
    return { first, url: await listen(first) }
  }
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const env = {
    DATABASE_URL: inject('postgres')!,
    REDIS_URL: redis.url,
    SECRET: 'the secret of both processes: cookies and sessions',
    PUSHER_APP_SECRET: 'the secret of both processes',
  }
  const first = await createTestApp({ dialect, env })
  const second = await createTestApp({ dialect, env, sameDataAs: first })
  return { first, url: await listen(second) }
}

/**
 * Creates a test app with Ann, Cid and Shy. They are in the same group; Ann and Shy follow each other, and
 * Shy follows Cid.
 */
async function open(setting: Setting) {
  const { first, url } = await openProcesses(setting)
  const { Admin, Ann, Cid, Shy } = await first.members('Admin', 'Ann', 'Cid', 'Shy')
  await Shy.post('/api/profile', { name: NAME })
  const { group } = (await Admin.post('/api/groups', { name: 'Garden' })).body
  for (const { id } of [Ann, Cid, Shy]) await Admin.post(`/api/groups/${group.id}/add-user`, { user_id: id })
  await Ann.post(`/api/follow/${Shy.id}`)
  for (const { id } of [Ann, Cid]) await Shy.post(`/api/follow/${id}`)
  const pair = `private-chat.${Math.min(Ann.id, Shy.id)}.${Math.max(Ann.id, Shy.id)}`
  const names = { pair, group: `private-group-chat.${group.id}`, room: `presence-group-chat.${group.id}` }

  /**
   * Opens a socket to the last server process, and subscribes it to the channels with signatures from the
   * first process. Returns the socket, and the member ids of the presence channels.
   */
  async function enter(who: Member, ...channels: string[]) {
    const client = await connectPusher(url)
    const members: Record<string, string[]> = {}
    for (const channel of channels) {
      const body = { socket_id: client.id, channel_name: channel }
      const isPublic = channel === 'posts'
      client.subscribe(channel, isPublic ? {} : (await who.post('/my-broadcast-auth', body)).body)
      const { data } = await client.nextMessage('pusher_internal:subscription_succeeded')
      if (data.presence) members[channel] = data.presence.ids
    }
    return { ...client, members }
  }
  const all = (who: Member) => [`presence-user.${who.id}`, 'posts', names.group, names.room, HERE]
  return { ...first, ...names, url, groupId: group.id as number, enter, all, Admin, Ann, Cid, Shy }
}
type Fixture = Awaited<ReturnType<typeof open>>

/**
 * Adds a visibility rule that hides Shy from everybody except Cid, Admin and Shy. Returns a function that
 * removes the rule.
 */
async function hide({ Ann, Admin, Cid, Shy }: Fixture) {
  const friends = [Shy, Cid, Admin].map(({ id }) => id)
  const rule: VisibilityRule = {
    hiddenPeople: (viewer) =>
      friends.includes(viewer) ? null : sql`select id from users where id = ${Shy.id}`,
    hiddenFrom: (person) =>
      person === Shy.id
        ? sql`select id from users where id not in (${sql.join(friends)}) union all select 0`
        : null,
  }
  visibility.allRules.push(rule)
  const remove = () => {
    const at = visibility.allRules.indexOf(rule)
    if (at >= 0) visibility.allRules.splice(at, 1)
  }
  onTestFinished(remove)
  // Changes a profile to clear the caches: they are cleared only when a table changes, and the visibility
  // rule is not in the database.
  const clearCaches = () => Ann.post('/api/profile', { name: 'Ann' })
  await clearCaches()
  return async () => {
    remove()
    await clearCaches()
  }
}

/**
 * Sends, as Shy, requests that send real-time events to others: a post, likes, messages, typing, a read
 * mark and the end of a membership.
 */
async function doEverything({ Shy, Cid, Admin, groupId, room, group, pair, enter }: Fixture) {
  const { post } = (await Cid.post('/api/posts', { text: 'By Cid' })).body
  const own = (await Shy.post('/api/posts', { text: WORDS })).body.post
  await Cid.put(`/api/posts/${own.id}/like`)
  await Shy.put(`/api/posts/${post.id}/like`)
  const shys = await enter(Shy, room, HERE, group, pair)
  for (const channel of [room, group, pair]) shys.send('client-typing', {}, channel)
  await shys.sync()
  const { message } = (await Shy.post('/api/group-messages/send', { group_id: groupId, message: WORDS })).body
  await Shy.send('PUT', `/api/chat-messages/${message.id}`, { message: `${WORDS}, again` })
  const { id } = (await Cid.post('/api/group-messages/send', { group_id: groupId, message: 'Hi' })).body
    .message
  await Shy.send('PUT', `/api/groups/${groupId}/read`, { last_read_id: id })
  await Shy.post('/api/send-private-message', { input: WORDS, targetUserId: Cid.id })
  shys.ws.close()
  await shys.whenClosed
  await Admin.delete(`/api/groups/${groupId}/members/${Shy.id}`)
}

describe.each(settings)('live events about a hidden person, $name', (setting) => {
  test('reach the viewers who may see the person, and nobody else', async () => {
    const opened = await open(setting)
    const { Ann, Cid, all, enter: subscribeAs, context, room, pair, url } = opened
    const annSocket = await subscribeAs(Ann, ...all(Ann), pair)
    const cidSocket = await subscribeAs(Cid, ...all(Cid))
    const visitors = await connectPusher(url)
    visitors.subscribe('posts')
    await visitors.nextMessage('pusher_internal:subscription_succeeded')
    await messagesArrived(annSocket, cidSocket, visitors)
    for (const { inbox } of [annSocket, cidSocket]) inbox.length = 0
    await hide(opened)
    await doEverything(opened)
    context.realtime.broadcast(['posts'], 'Last', {})
    for (const client of [annSocket, cidSocket, visitors]) await client.nextMessage('Last')
    await eventually(() => expect(cidSocket.received('GroupChanged')).toHaveLength(2))
    const left = () => expect(cidSocket.received('pusher_internal:member_removed')).toHaveLength(2)
    await eventually(left)
    await messagesArrived(annSocket, cidSocket, visitors)

    const eventsOf = ({ inbox }: typeof visitors) => inbox.map(({ event }) => event).sort()
    expect(eventsOf(visitors)).toEqual(['PostCreated', 'PostLiked'])
    expect(eventsOf(annSocket)).toEqual([
      ...Array(2).fill('GroupChanged'),
      ...Array(2).fill('GroupMessageSent'),
      ...['PostCreated', 'PostLiked'],
    ])
    expect(JSON.stringify([annSocket.inbox, visitors.inbox])).not.toMatch(new RegExp(`${NAME}|${WORDS}`))
    for (const { data } of annSocket.received('GroupChanged'))
      expect(data.change).toMatchObject({ kind: 'removed', actor: null, person: null })

    expect(eventsOf(cidSocket)).toEqual([
      ...Array(2).fill('GroupChanged'),
      ...Array(2).fill('GroupMessageChanged'),
      ...Array(4).fill('GroupMessageSent'),
      'MessagesRead',
      ...Array(2).fill('NotificationsChanged'),
      ...Array(2).fill('PostCreated'),
      ...Array(2).fill('PostLiked'),
      'PrivateMessageSent',
      ...Array(2).fill('client-typing'),
      ...Array(2).fill('pusher_internal:member_added'),
      ...Array(2).fill('pusher_internal:member_removed'),
    ])
    expect(cidSocket.received('client-typing').map(({ channel }) => channel)).toContain(room)
    expect(cidSocket.received('GroupChanged')[0]!.data.change.person).toMatchObject({ name: NAME })
  })

  test('keep the order of their channel', async () => {
    const opened = await open(setting)
    const { Ann, Cid, Shy, enter, context } = opened
    const [anns, cids] = [await enter(Ann, 'presence-here', 'posts'), await enter(Cid, HERE, 'posts')]
    await hide(opened)
    const numbers = Array.from({ length: 60 }, (_, n) => n)
    for (const n of numbers)
      context.realtime.broadcast(
        ['posts'],
        'Said',
        { n },
        n % 3 ? {} : { aboutUsers: [n % 2 ? Shy.id : Cid.id] },
      )
    context.realtime.broadcast(['posts'], 'Last', {})
    for (const client of [anns, cids]) await client.nextMessage('Last')
    const readReceivedNumbers = ({ received }: typeof anns) => received('Said').map(({ data }) => data.n)
    expect(readReceivedNumbers(cids)).toEqual(numbers)
    expect(readReceivedNumbers(anns)).toEqual(numbers.filter((n) => n % 6 !== 3))
  })

  test('leave the person out of presence lists, which are sent again when a rule changes', async () => {
    const opened = await open(setting)
    const { Ann, Cid, Shy, enter, room, context } = opened
    const early = await enter(Ann, HERE, room)
    const shySocket = await enter(Shy, HERE, room)
    await early.nextMessage('pusher_internal:member_added')
    await early.nextMessage('pusher_internal:member_added')
    const show = await hide(opened)
    const anns = await enter(Ann, HERE, room)
    expect(anns.members).toEqual({ [HERE]: [`${Ann.id}`], [room]: [`${Ann.id}`] })
    expect((await enter(Cid, room)).members[room]).toContain(`${Shy.id}`)

    const readPresenceLists = async () => {
      context.realtime.recheckGuards(Ann.id)
      const lists = [1, 2].map(() => early.nextMessage('pusher_internal:subscription_succeeded'))
      return (await Promise.all(lists)).map(({ data }) => data.presence)
    }
    for (const { ids, hash, count } of await readPresenceLists()) {
      expect(ids).not.toContain(`${Shy.id}`)
      expect([Object.keys(hash), count]).toEqual([ids, ids.length])
    }
    await show()
    for (const { ids } of await readPresenceLists()) expect(ids).toContain(`${Shy.id}`)
    shySocket.ws.terminate()
    await early.nextMessage('pusher_internal:member_removed')
  })
})
