import Publisher from 'pusher'
import { expect } from 'vitest'
import { type RunningTestServer, startTestServerProcess } from '#tests/server.ts'
import { connectSubscribedPusherWebSocketTestClient, type PusherWebSocketTestClient } from '#tests/sockets.ts'

export const TEST_PUSHER_SECRET = 'a secret of some length'
const APP = { PUSHER_APP_ID: '42', PUSHER_APP_KEY: 'engawa', PUSHER_APP_SECRET: TEST_PUSHER_SECRET }
export let pusherHttpApiTestServer: RunningTestServer
export let pusherPublisher: Publisher

/** Starts the server of a file of the HTTP API. */
export async function startPusher() {
  pusherHttpApiTestServer = await startTestServerProcess({ RATE_LIMIT: 'off', ...APP })
  pusherPublisher = createPusherHttpApiTestClient()
}

export async function stopPusher() {
  expect(await pusherHttpApiTestServer.stop()).toBe(0)
}

export function createPusherHttpApiTestClient(more: Partial<Publisher.BaseOptions> = {}) {
  const { hostname, port } = new URL(pusherHttpApiTestServer.url)
  return new Publisher({
    appId: '42',
    key: 'engawa',
    secret: TEST_PUSHER_SECRET,
    host: hostname,
    port,
    useTLS: false,
    ...more,
  })
}
let places = 0
/** Returns a channel name that no other test uses, because the tests share one server. */
export const createUniqueTestChannelName = (name = '') => `${name}place.${++places}`

export const connectPresenceChannelWebSocketTestClient = (name: string, user: string, info: object = {}) =>
  connectSubscribedPusherWebSocketTestClient(pusherHttpApiTestServer.url, name, (id) =>
    pusherPublisher.authorizeChannel(id, name, { user_id: user, user_info: info as Record<string, unknown> }),
  )
export const expectPusherHttpApiSuccessAndReturnJson = async (answer: Promise<Publisher.Response>) => {
  const got = await answer
  expect(got.status).toBe(200)
  expect(got.headers.get('content-type')).toMatch(/^application\/json/)
  return got.json()
}
export const fetchPusherHttpApiJsonInTest = (path: string, params: Publisher.Params = {}) =>
  expectPusherHttpApiSuccessAndReturnJson(pusherPublisher.get({ path, params }))
/**
 * Expects that a call of Pusher's library fails with a request error without internal details. Returns the
 * status of the response.
 */
export const expectPusherHttpApiErrorAndReturnStatus = async (answer: Promise<unknown>) => {
  const error = (await answer.then(
    () => expect.unreachable('It was accepted'),
    (given: unknown) => given,
  )) as Publisher.RequestError
  expectNoInternalDetails(error.body!)
  return error.status
}
export function expectNoInternalDetails(body: string) {
  expect(JSON.parse(body).message).toMatch(/\S/)
  expect(body).not.toMatch(/node_modules|\.ts\b|FST_|sqlite|\/work\/|Error:|\bat \S+ \(/i)
}
export const expectPusherWebSocketTestClientGotNoEvent = async (
  client: PusherWebSocketTestClient,
  event = 'Said',
) => {
  await client.sync()
  expect(client.received(event)).toEqual([])
}
