import { describe, expect, test } from 'vitest'
import { createTestApp, dialectsInTurn, type TestClient } from '#tests/harness.ts'
import { realtimeApp } from '#tests/sockets.ts'

const path = '/api/admin/settings'
const html = { accept: 'text/html' }
const change = (actor: TestClient, changes: object) => actor.send('PATCH', path, changes)
const readAccentLink = async (viewer: TestClient, page: string) =>
  /<link id="accent"[^>]*>/.exec((await viewer.get(page, html)).body)?.[0]
const linkOf = (colour: string) => `<link id="accent" rel="stylesheet" href="/accent/${colour}.css">`

describe.each(dialectsInTurn())('the look on %s', (dialect) => {
  const open = () => createTestApp({ dialect })

  test('begins with the standard colour, and an admin changes it for everyone', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const readAll = () => Promise.all([Ann, Ben, visitor()].map((viewer) => readAccentLink(viewer, '/login')))
    expect(await readAll()).toEqual(Array(3).fill('<link id="accent">'))
    expect((await change(Ann, { accent_colour: '#3A5F8B' })).body.settings.accent_colour).toBe('#3a5f8b')
    expect(await readAll()).toEqual(Array(3).fill(linkOf('3a5f8b')))
    expect(await readAccentLink(Ben, '/no-such-page')).toBe(linkOf('3a5f8b'))
    await change(Ann, { accent_colour: null })
    expect(await readAll()).toEqual(Array(3).fill('<link id="accent">'))
  })

  test('accepts only colours, and only from admins', async () => {
    const { members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    for (const accent_colour of ['red', '#fff', '#12345g', '"><script>', 7, {}, ''])
      expect(await change(Ann, { accent_colour }), String(accent_colour)).toMatchObject({
        status: 422,
        body: { errors: { accent_colour: [expect.any(String)] } },
      })
    expect((await change(Ben, { accent_colour: '#3a5f8b' })).status).toBe(403)
    expect(await readAccentLink(Ann, '/')).toBe('<link id="accent">')
  })

  test('of a members-only community is told to members only', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    await change(Ann, { accent_colour: '#3a5f8b', who_can_read: 'members' })
    expect(await readAccentLink(Ben, '/login')).toBe(linkOf('3a5f8b'))
    for (const page of ['/login', '/register', '/setup'])
      expect((await visitor().get(page, html)).body, page).not.toContain('3a5f8b')
  })

  test('is told to members who are online', async () => {
    const { members, subscribeAs } = await realtimeApp({ dialect })
    const { Ann, Ben } = await members('Ann', 'Ben')
    const ben = await subscribeAs(Ben, 'presence-here')
    await change(Ann, { who_can_invite: 'members' })
    await change(Ann, { accent_colour: '#3a5f8b' })
    expect((await ben.nextMessage('LookChanged')).data).toEqual({ accent_colour: '#3a5f8b' })
  })
})

test('each colour has a style sheet', async () => {
  const { visitor } = await createTestApp()
  const sheet = await visitor().get('/accent/3a5f8b.css')
  expect(sheet.headers['content-type']).toBe('text/css; charset=utf-8')
  expect(sheet.body).toMatch(/^:root\{(--[\w-]+:light-dark\(#\w{6},#\w{6}\);?)+\}$/)
  for (const name of ['red.css', '3a5f8.css', '3a5f8b', '3A5F8G.css'])
    expect((await visitor().get(`/accent/${name}`)).status, name).toBe(404)
})
