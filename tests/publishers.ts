import Publisher from 'pusher'
import { afterAll, beforeAll, expect } from 'vitest'
import { type Server, startServer } from '#tests/server.ts'
import { type Client, listener } from '#tests/sockets.ts'
import '#tests/sanctum.ts'

export const SECRET = 'a secret of some length'
const APP = { PUSHER_APP_ID: '42', PUSHER_APP_KEY: 'engawa', PUSHER_APP_SECRET: SECRET }
export let server: Server
export let api: Publisher
beforeAll(async () => {
  server = await startServer({ RATE_LIMIT: 'off', ...APP })
  api = publisher()
})
afterAll(async () => {
  expect(await server.stop()).toBe(0)
})

export function publisher(more: Partial<Publisher.BaseOptions> = {}) {
  const { hostname, port } = new URL(server.url)
  return new Publisher({
    appId: '42',
    key: 'engawa',
    secret: SECRET,
    host: hostname,
    port,
    useTLS: false,
    ...more,
  })
}
let places = 0
/** The name of a new channel: the tests share one server. */
export const fresh = (name = '') => `${name}place.${++places}`

export const presence = (name: string, user: string, info: object = {}) =>
  listener(server.url, name, (id) =>
    api.authorizeChannel(id, name, { user_id: user, user_info: info as Record<string, unknown> }),
  )
export const jsonOf = async (answer: Promise<Publisher.Response>) => {
  const got = await answer
  expect(got.status).toBe(200)
  expect(got.headers.get('content-type')).toMatch(/^application\/json/)
  return got.json()
}
export const read = (path: string, params: Publisher.Params = {}) => jsonOf(api.get({ path, params }))
/** Expects that the library throws. Returns the status of the refusal. */
export const refused = async (answer: Promise<unknown>) => {
  const error = (await answer.then(
    () => expect.unreachable('It was accepted'),
    (given: unknown) => given,
  )) as Publisher.RequestError
  expectNoLeak(error.body!)
  return error.status
}
export function expectNoLeak(body: string) {
  expect(JSON.parse(body).message).toMatch(/\S/)
  expect(body).not.toMatch(/node_modules|\.ts\b|FST_|sqlite|\/work\/|Error:|\bat \S+ \(/i)
}
export const silence = async (client: Client, event = 'Said') => {
  await client.sync()
  expect(client.heard(event)).toEqual([])
}
