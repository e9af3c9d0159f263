import Echo from 'laravel-echo'
import Pusher, { type PresenceChannel } from 'pusher-js'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  PUSHER_SECRET,
  publisher,
  pusherServer,
  startPusher,
  stopPusher,
  uniqueChannel,
} from '#tests/pusher-http-api.ts'
import { authFields } from '#tests/sockets.ts'
import '#tests/sanctum.ts'

beforeAll(startPusher)
afterAll(stopPusher)

// Tests a server with Pusher's client for browsers, Laravel Echo and Pusher's library for Node, used as their
// documentation describes.

const options = () => {
  const { hostname, port } = new URL(pusherServer.url)
  return {
    cluster: '',
    wsHost: hostname,
    wsPort: Number(port),
    forceTLS: false,
    enabledTransports: ['ws' as const],
    disableStats: true,
    channelAuthorization: {
      customHandler: (
        { channelName, socketId }: { channelName: string; socketId: string },
        done: (error: Error | null, data: { auth: string } | null) => void,
      ) => {
        const isPresence = channelName.startsWith('presence-')
        done(
          null,
          publisher.authorizeChannel(socketId, channelName, isPresence ? { user_id: '7' } : undefined),
        )
      },
    },
    userAuthentication: {
      customHandler: (
        { socketId }: { socketId: string },
        done: (error: Error | null, data: { auth: string; user_data: string } | null) => void,
      ) =>
        done(null, publisher.authenticateUser(socketId, { id: 'ann', user_info: { name: 'Ann' } }) as never),
    },
  }
}
// Corrects the type of pusher-js, which is a CommonJS module: its types describe a module with a default
// export, but the import is the class itself.
const Client = Pusher as unknown as typeof Pusher.default
function client() {
  const client = new Client('engawa', options() as never)
  onTestFinished(() => client.disconnect())
  return client
}
const next = <T>(begin: (resolveWith: (data: T) => void) => unknown) =>
  new Promise<T>((resolve) => void begin(resolve))

test('pusher-js signs a user in, receives the user’s events, and is disconnected by terminate_connections', async () => {
  const ann = client()
  ann.signin()
  await ann.user.signinDonePromise
  expect(ann.user.user_data).toEqual({ id: 'ann', user_info: { name: 'Ann' } })
  const nextEvent = next((done) => ann.user.bind('Said', done))
  await expect
    .poll(async () => {
      await publisher.sendToUser('ann', 'Said', { n: 1 })
      return Promise.race([nextEvent, new Promise((resolve) => setTimeout(resolve, 50, null))])
    })
    .toEqual({ n: 1 })
  const gone = next((done) => ann.connection.bind('disconnected', done))
  await publisher.terminateUserConnections('ann')
  await gone
})

test.each(['cache-', 'private-cache-', 'presence-cache-'])(
  'pusher-js receives the stored event of %s channels',
  async (kind) => {
    const name = uniqueChannel(kind)
    const first = client().subscribe(name)
    await next((done) => first.bind('pusher:cache_miss', done))
    await publisher.trigger(name, 'Said', { n: 1 })
    const second = client().subscribe(name)
    expect(await next((done) => second.bind('Said', done))).toEqual({ n: 1 })
  },
)

test('pusher-js receives subscription counts', async () => {
  const name = uniqueChannel()
  const [one, two] = [client().subscribe(name), client().subscribe(name)]
  await next((done) => two.bind('pusher:subscription_succeeded', done))
  await expect.poll(() => one.subscriptionCount, { timeout: 5000 }).toBe(2)
})

test('pusher-js receives a numeric id as a number', async () => {
  const name = uniqueChannel('presence-')
  const given = {
    customHandler: ({ socketId }: { socketId: string }, done: (error: null, data: object) => void) =>
      done(null, authFields(PUSHER_SECRET, socketId, name, '{"user_id":7,"user_info":{"name":"Ben"}}')),
  }
  const client = new Client('engawa', { ...options(), channelAuthorization: given } as never)
  onTestFinished(() => client.disconnect())
  const club = client.subscribe(name) as PresenceChannel
  await next((done) => club.bind('pusher:subscription_succeeded', done))
  expect([club.members.me, club.members.count]).toEqual([{ id: 7, info: { name: 'Ben' } }, 1])
})

test.each(['pusher', 'reverb'] as const)(
  'laravel-echo works with its broadcaster %s',
  async (broadcaster) => {
    const echo = new Echo({ broadcaster, key: 'engawa', Pusher: Client as never, ...options() } as never)
    onTestFinished(() => echo.disconnect())
    const name = uniqueChannel()
    const channel = echo.private(name)
    const nextEvent = next((done) => channel.listen('.Said', done))
    await next<void>((done) => channel.subscribed(done))
    await publisher.trigger(`private-${name}`, 'Said', { n: 1 })
    expect(await nextEvent).toEqual({ n: 1 })
    const club = echo.join(name)
    expect(await next((done) => club.here(done))).toHaveLength(1)
  },
)
