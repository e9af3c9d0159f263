import Publisher from 'pusher'
import { afterAll, beforeAll, expect } from 'vitest'
import { type RunningServer, startServer } from '#tests/server.ts'
import { connectSubscribedClient, type PusherTestClient } from '#tests/sockets.ts'
import '#tests/sanctum.ts'

export const PUSHER_SECRET = 'a secret of some length'
const APP = { PUSHER_APP_ID: '42', PUSHER_APP_KEY: 'engawa', PUSHER_APP_SECRET: PUSHER_SECRET }
export let server: RunningServer
export let pusherPublisher: Publisher
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'off', ...APP })
  pusherPublisher = createPusherApiClient()
})
afterAll(async () => {
  expect(await server.stop()).toBe(0)
})

export function createPusherApiClient(more: Partial<Publisher.BaseOptions> = {}) {
  const { hostname, port } = new URL(server.url)
  return new Publisher({
    appId: '42',
    key: 'engawa',
    secret: PUSHER_SECRET,
    host: hostname,
    port,
    useTLS: false,
    ...more,
  })
}
let places = 0
/** Returns a channel name that no other test uses, because the tests share one server. */
export const createUniqueChannelName = (name = '') => `${name}place.${++places}`

export const connectToPresenceChannel = (name: string, user: string, info: object = {}) =>
  connectSubscribedClient(server.url, name, (id) =>
    pusherPublisher.authorizeChannel(id, name, { user_id: user, user_info: info as Record<string, unknown> }),
  )
export const expectJsonResponse = async (answer: Promise<Publisher.Response>) => {
  const got = await answer
  expect(got.status).toBe(200)
  expect(got.headers.get('content-type')).toMatch(/^application\/json/)
  return got.json()
}
export const getPublisherApiJson = (path: string, params: Publisher.Params = {}) =>
  expectJsonResponse(pusherPublisher.get({ path, params }))
/**
 * Expects that Pusher's library throws a request error without internal details. Returns the status of the
 * response.
 */
export const getPublisherErrorStatus = async (answer: Promise<unknown>) => {
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
export const expectNoEvent = async (client: PusherTestClient, event = 'Said') => {
  await client.sync()
  expect(client.received(event)).toEqual([])
}
