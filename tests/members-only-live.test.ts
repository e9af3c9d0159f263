import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { featureModules } from '#app.ts'
import { fillChannel } from '#core/contract.ts'
import { eventually } from '#tests/eventually.ts'
import { type Dialect, databases, dialectsInTurn } from '#tests/harness.ts'
import { seedCommunity, setWhoCanRead } from '#tests/members-only.ts'
import { findRedis } from '#tests/programs.ts'
import { startRedis } from '#tests/redis.ts'
import { authFields, connectPusher, type PusherClient, realtimeApp } from '#tests/sockets.ts'

vi.setConfig({ testTimeout: 60_000 })

const declared = featureModules.flatMap(({ channels = {} }) => Object.values(channels))
const succeeded = 'pusher_internal:subscription_succeeded'
const refused = 'pusher:subscription_error'

async function open(dialect: Dialect, who_can_read: 'everyone' | 'members' = 'members') {
  const app = await realtimeApp({ dialect })
  const community = await seedCommunity(app)
  await setWhoCanRead(community.admin, who_can_read)
  return { ...app, ...community }
}
type Community = Awaited<ReturnType<typeof open>>

/**
 * Sends requests that cause events in the public channels, and in the private chat and the group of the
 * admin and the member.
 */
async function causeEvents({ admin, member, post, group, realtime, visitor }: Community) {
  await member.post('/api/posts', { text: 'Post: rhubarb' })
  await member.delete(`/api/posts/${post}/like`)
  await member.post('/api/send-private-message', { input: 'Message: pumpernickel', targetUserId: admin.id })
  await member.post('/api/group-messages/send', { group_id: group, message: 'Group: thunderstorm' })
  await member.post('/api/send-message', { message: 'Public: rhubarb' })
  await visitor().post('/api/send-message', { message: 'Public: rhubarb' })
  await admin.delete(`/api/posts/${post}`)
  realtime.broadcast(['cache-news', 'notes'], 'News', { text: 'News: rhubarb' })
  await realtime.flushed()
}

/**
 * Returns the names of the channels to which a stranger tries to subscribe in these tests: all declared ones,
 * and others.
 */
const namesOf = ({ admin, member, group }: Community) => [
  ...declared.map((channel) =>
    fillChannel(channel, { smaller: admin.id, larger: member.id, group, user: admin.id, call: 1, album: 1 }),
  ),
  ...['cache-news', 'notes', 'private-notes', 'presence-notes', `#server-to-user-${admin.id}`],
]

const signed = async (app: Community, who: Community['member'], client: PusherClient, name: string) =>
  client.subscribe(name, (await app.sign(who, client.id, name)).body)

describe.each(dialectsInTurn())('the socket of a stranger to a members-only community on %s', (dialect) => {
  test('receives nothing, whatever it subscribes to', async () => {
    const app = await open(dialect)
    app.realtime.broadcast(['cache-news'], 'News', { text: 'News: rhubarb' })
    const client = await connectPusher(app.url)
    for (const name of namesOf(app)) {
      client.subscribe(name)
      client.subscribe(name, { auth: 'engawa:0', channel_data: '{"user_id":"1"}' })
    }
    await causeEvents(app)
    await client.sync()
    const messages = client.inbox.filter(({ event }) => event !== refused)
    expect(messages).toEqual([])
    for (const { data } of client.received(refused)) expect([401, 429]).toContain(data.status)
    const missing = await connectPusher(app.url)
    for (const name of ['posts-of-nobody', 'private-chat.77.78', 'presence-user.77']) missing.subscribe(name)
    await missing.sync()
    expect(missing.received(refused).length).toBe(2)
  })

  test('is told no more in the moment in which an admin closes the community, and again when it opens', async () => {
    const app = await open(dialect, 'everyone')
    const client = await connectPusher(app.url)
    for (const name of ['posts', 'chat']) {
      client.subscribe(name)
      await client.nextMessage(succeeded)
    }
    await setWhoCanRead(app.admin, 'members')
    for (const name of ['posts', 'chat'])
      expect(await client.nextMessage(refused)).toMatchObject({ channel: name, data: { status: 401 } })
    await app.member.post('/api/posts', { text: 'Post: rhubarb' })
    await client.sync()
    expect(client.inbox).toEqual([])
    client.unsubscribe('chat')
    await setWhoCanRead(app.admin, 'everyone')
    expect((await client.nextMessage(succeeded)).channel).toBe('posts')
    await app.member.post('/api/posts', { text: 'Post: mulberry' })
    expect((await client.nextMessage('PostCreated')).channel).toBe('posts')
    expect(client.inbox).toEqual([])
  })

  test('may hold no more channels than other sockets', async () => {
    const { url } = await open(dialect)
    const client = await connectPusher(url)
    for (let n = 0; n < 201; n++) client.subscribe(`notes-${n}`)
    expect((await client.nextMessage(refused)).data.status).toBe(429)
  })
})

describe.each(dialectsInTurn())('the socket of a member of a members-only community on %s', (dialect) => {
  test('gets its public channels as soon as the member is known, in any order', async () => {
    const app = await open(dialect)
    const client = await connectPusher(app.url)
    client.subscribe('posts')
    client.subscribe('chat')
    client.unsubscribe('chat')
    await client.sync()
    expect(client.inbox).toEqual([])
    await signed(app, app.member, client, 'presence-here')
    const names = [await client.nextMessage(succeeded), await client.nextMessage(succeeded)]
    expect(names.map(({ channel }) => channel).sort()).toEqual(['posts', 'presence-here'])
    client.subscribe('notes')
    expect((await client.nextMessage(succeeded)).channel).toBe('notes')
    await app.admin.post('/api/posts', { text: 'Post: rhubarb' })
    expect((await client.nextMessage('PostCreated')).channel).toBe('posts')
  })

  test('keeps them when an admin closes the community, and loses them with the session', async () => {
    const app = await open(dialect, 'everyone')
    const client = await connectPusher(app.url)
    client.subscribe('posts')
    await client.nextMessage(succeeded)
    await signed(app, app.member, client, 'presence-here')
    await client.nextMessage(succeeded)
    await setWhoCanRead(app.admin, 'members')
    await app.admin.post('/api/posts', { text: 'Post: rhubarb' })
    await client.nextMessage('PostCreated')
    expect(client.received(refused)).toEqual([])
    await app.admin.put(`/api/admin/users/${app.member.id}/suspension`)
    expect(await client.whenClosed).toMatchObject({ code: 4009 })
  })

  test('is not needed by clients of a server that signs for them', async () => {
    const app = await open(dialect)
    const client = await connectPusher(app.url)
    client.subscribe('private-notes', authFields(app.config.PUSHER_APP_SECRET, client.id, 'private-notes'))
    expect((await client.nextMessage(succeeded)).channel).toBe('private-notes')
  })
})

/**
 * Starts a test app with PostgreSQL and Redis, and fills its community with content. `startSecond` starts a
 * second test app that shares the database and Redis, like a second process of the same community.
 */
async function startWithRedis() {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const env = {
    DATABASE_URL: inject('postgres')!,
    REDIS_URL: redis.url,
    SECRET: 'the secret of both processes: cookies and sessions',
  }
  const first = await realtimeApp({ dialect: 'postgres', env })
  const startSecond = () => realtimeApp({ dialect: 'postgres', env, sameDataAs: first.sameData })
  return { first, startSecond, ...(await seedCommunity(first)) }
}

describe.skipIf(!findRedis() || !databases.includes('postgres'))('two processes of one community', () => {
  test('close and open together', async () => {
    const { first, startSecond, admin, member, post } = await startWithRedis()
    const second = await startSecond()
    const stranger = second.visitor()
    const client = await connectPusher(second.url)
    client.subscribe('posts')
    await client.nextMessage(succeeded)
    await setWhoCanRead(admin, 'members')
    await client.nextMessage(refused)
    for (const path of ['/api/posts', `/api/posts/${post}`])
      expect((await stranger.get(path)).status).toBe(401)
    await member.post('/api/posts', { text: 'Post: rhubarb' })
    await first.realtime.flushed()
    await eventually(() => expect(second.context.settings.isMembersOnly()).toBe(true))
    await client.sync()
    expect(client.inbox).toEqual([])
    await setWhoCanRead(admin, 'everyone')
    await client.nextMessage(succeeded)
    expect((await stranger.get('/api/posts')).status).toBe(200)
    await member.post('/api/posts', { text: 'Post: mulberry' })
    await client.nextMessage('PostCreated')
  })

  test('keep strangers out from their start', async () => {
    const { startSecond, admin } = await startWithRedis()
    await setWhoCanRead(admin, 'members')
    const second = await startSecond()
    expect((await second.visitor().get('/api/posts')).status).toBe(401)
    const client = await connectPusher(second.url)
    client.subscribe('posts')
    await client.sync()
    expect(client.inbox).toEqual([])
  })
})
