import { describe, expect, test } from 'vitest'
import { featureModules } from '#app.ts'
import { createTestApp, dialectsInTurn } from '#tests/harness.ts'

// Operators remove a feature by deleting its line in app.ts. These tests leave a feature out by the option
// `features`, which has the same effect.

const html = { accept: 'text/html' }
const dataOf = (page: string) =>
  JSON.parse(/<script type="application\/json" id="boot">(.*?)<\/script>/s.exec(page)![1]!)
const names = featureModules.map(({ name }) => name)
const chats = ['voice', 'conversations', 'groups', 'messages']
const withoutChats = names.filter((name) => !chats.includes(name))
const fill = (path: string) => path.replace(/:\w+/g, '1')

describe.each([
  [chats],
  [['albums']],
  [['since']],
  [['admin']],
  [['shop']],
  [['public-chat']],
  [['current-user']],
])('without %s', (left) => {
  const running = names.filter((name) => !left.includes(name))
  const modules = featureModules.filter(({ name }) => left.includes(name))
  const pages = modules.flatMap((module) => module.pages ?? [])
  const calls = modules
    .flatMap(({ contracts = {} }) => Object.values(contracts))
    .flatMap((contract) => Object.values(contract))

  test('its pages are gone; the other pages work, do not list it, and load none of its data', async () => {
    const { members } = await createTestApp({ features: running })
    const { Ann } = await members('Ann')
    await Ann.post('/api/posts', { text: 'one' })
    await Ann.post('/api/albums', { title: 'one' })
    for (const { path } of pages) expect((await Ann.get(fill(path), html)).status, path).toBe(404)
    const others = featureModules.flatMap(({ name, pages = [] }) => (left.includes(name) ? [] : pages))
    for (const { path } of others) {
      const { status, body } = await Ann.get(fill(path), html)
      expect(status, path).toBe(200)
      expect(dataOf(body).app.features, path).toEqual(running)
      const urls = dataOf(body).initialAnswers.map(({ url }: { url: string }) => url)
      for (const call of calls) expect(urls, path).not.toContain(fill(call.path))
    }
  })

  test('its endpoints are gone, also from the OpenAPI document', async () => {
    const { members } = await createTestApp({ features: running })
    const { Ann } = await members('Ann')
    const { paths } = (await Ann.get('/api/openapi.json')).body
    for (const { method, path } of calls) {
      const documented = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      expect(documented, `${method} ${path}`).toBeUndefined()
      expect([404, 405], `${method} ${path}`).toContain((await Ann.send(method, fill(path))).status)
    }
  })
})

test.each(dialectsInTurn())(
  'without chat, the dashboard counts no groups and no messages, on %s',
  async (dialect) => {
    const { members } = await createTestApp({ dialect, features: withoutChats })
    const { Ann, Ben } = await members('Ann', 'Ben')
    for (const who of [Ann, Ben, Ben]) await who.post('/api/posts', { text: 'one' })
    expect((await Ann.get('/api/admin/facts')).body).toEqual({
      members: 2,
      members_this_week: 2,
      groups: 0,
      posts_today: 3,
      waiting_requests: 0,
      open_reports: 0,
      unverified_addresses: 2,
      wrote_today: 2,
      backup: { nightly: false, good: null, failed: null },
    })
  },
)

test('without chat, members still see who is online', async () => {
  const { members } = await createTestApp({ features: withoutChats })
  const { Ann } = await members('Ann')
  const subscribe = (channel_name: string) =>
    Ann.post('/my-broadcast-auth', { socket_id: '1.1', channel_name })
  expect((await subscribe('presence-here')).status).toBe(200)
  expect((await subscribe(`presence-user.${Ann.id}`)).status).toBe(403)
})
