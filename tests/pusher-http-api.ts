import Publisher from 'pusher'
import { expect } from 'vitest'
import { type RunningServer, startServer } from '#tests/server.ts'
import { connectSubscribed, type PusherClient } from '#tests/sockets.ts'

export const PUSHER_SECRET = 'a secret of some length'
const APP = { PUSHER_APP_ID: '42', PUSHER_APP_KEY: 'engawa', PUSHER_APP_SECRET: PUSHER_SECRET }
export let pusherServer: RunningServer
export let publisher: Publisher

/** Starts the server of a file of the HTTP API. */
export async function startPusher() {
  pusherServer = await startServer({ RATE_LIMIT: 'off', ...APP })
  publisher = createPublisher()
}

export async function stopPusher() {
  expect(await pusherServer.stop()).toBe(0)
}

export function createPublisher(more: Partial<Publisher.BaseOptions> = {}) {
  const { hostname, port } = new URL(pusherServer.url)
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
export const uniqueChannel = (name = '') => `${name}place.${++places}`

export const connectPresence = (name: string, user: string, info: object = {}) =>
  connectSubscribed(pusherServer.url, name, (id) =>
    publisher.authorizeChannel(id, name, { user_id: user, user_info: info as Record<string, unknown> }),
  )
export const expectJson = async (answer: Promise<Publisher.Response>) => {
  const got = await answer
  expect(got.status).toBe(200)
  expect(got.headers.get('content-type')).toMatch(/^application\/json/)
  return got.json()
}
export const fetchPusherJson = (path: string, params: Publisher.Params = {}) =>
  expectJson(publisher.get({ path, params }))
/**
 * Expects that a call of Pusher's library fails with a request error without internal details. Returns the
 * status of the response.
 */
export const expectPusherError = async (answer: Promise<unknown>) => {
  const error = (await answer.then(
    () => expect.unreachable('It was accepted'),
    (given: unknown) => given,
  )) as Publisher.RequestError
  expectNoDetails(error.body!)
  return error.status
}
export function expectNoDetails(body: string) {
  expect(JSON.parse(body).message).toMatch(/\S/)
  expect(body).not.toMatch(/node_modules|\.ts\b|FST_|sqlite|\/work\/|Error:|\bat \S+ \(/i)
}
export const expectNoEvent = async (client: PusherClient, event = 'Said') => {
  await client.sync()
  expect(client.received(event)).toEqual([])
}
