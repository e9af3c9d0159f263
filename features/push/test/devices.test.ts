import { describe, expect, test } from 'vitest'
import { runDeletions } from '#tests/account-deletion.ts'
import { createTestApp, type Dialect, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { type PushBrowser, type PushService, startPushService } from '#tests/push-service.ts'
import { MAX_DEVICES } from '../contract.ts'
import { parseRetryAfter } from '../push-service.ts'

async function open(dialect: Dialect) {
  const service = await startPushService()
  const app = await createTestApp({ dialect, env: { PUSH_LOCAL_SERVICE: service.origin } })
  /** Logs a member in again in a new browser session, and returns its client. */
  const logIn = async (name: string, password = 'correct horse') => {
    const client = app.visitor()
    await client.get('/sanctum/csrf-cookie')
    const email = `${name.toLowerCase()}@engawa.example`
    expect((await client.post('/login', { email, password })).status).toBe(204)
    return client
  }
  return { ...app, service, logIn, ...(await app.members('Ann', 'Ben')) }
}

const subscribe = (who: TestClient, browser: PushBrowser) =>
  who.post('/api/push/devices', browser.subscription)
const devicesOf = async (who: TestClient) => (await who.get('/api/push')).body.devices

/**
 * Subscribes a new simulated browser of the member to push messages. Returns the browser with the id of its
 * device.
 */
async function addDevice(service: PushService, who: TestClient) {
  const browser = service.createBrowser()
  const { status, body } = await subscribe(who, browser)
  expect(status).toBe(201)
  return { ...browser, id: body.id as number }
}

describe.each(dialectsInTurn())('devices for push messages on %s', (dialect) => {
  test('are listed with the public key, and removed by their member only', async () => {
    const { Ann, Ben, service } = await open(dialect)
    const { id } = await addDevice(service, Ann)
    const { body } = await Ann.get('/api/push')
    expect(body).toEqual({
      public_key: expect.stringMatching(/^B[\w-]{86}$/),
      privacy: 'text',
      devices: [{ id, device: null, created_at: expect.any(String), last_sent_at: null, is_current: true }],
    })
    expect(await devicesOf(Ben)).toEqual([])
    for (const path of [`/api/push/devices/${id}`, '/api/push/devices/999999'])
      expect((await Ben.delete(path)).status).toBe(404)
    expect((await Ben.post(`/api/push/devices/${id}/test`)).status).toBe(404)
    expect(service.received).toEqual([])
    expect((await Ann.delete(`/api/push/devices/${id}`)).status).toBe(204)
    expect(await devicesOf(Ann)).toEqual([])
  })

  test('get a test message that is signed, and that only the browser can read', async () => {
    const { Ann, service } = await open(dialect)
    const browser = await addDevice(service, Ann)
    expect((await Ann.post(`/api/push/devices/${browser.id}/test`)).body).toEqual({ result: 'sent' })
    const [push] = service.received
    const { public_key } = (await Ann.get('/api/push')).body
    expect(push).toMatchObject({
      path: browser.path,
      publicKey: public_key,
      headers: { ttl: '60', urgency: 'high', 'content-encoding': 'aes128gcm' },
      claims: { aud: service.origin.replace('http:', 'https:'), sub: 'mailto:engawa@localhost' },
    })
    expect(push!.claims.exp * 1000).toBeLessThan(Date.now() + 24 * 3600_000)
    expect(push!.body.length).toBeLessThanOrEqual(4096)
    expect(browser.decrypt(push!)).toMatchObject({
      title: 'Engawa',
      body: 'Notifications work on this device.',
      tag: 'test',
    })
    expect(() => service.createBrowser().decrypt(push!)).toThrow()
    expect(await devicesOf(Ann)).toMatchObject([{ last_sent_at: expect.any(String) }])
  })

  test('are dropped after 404 and 410, and kept after other refusals', async () => {
    const { Ann, service } = await open(dialect)
    for (const status of [403, 429, 500]) {
      const { id, path } = await addDevice(service, Ann)
      service.answer(path, [status])
      expect((await Ann.post(`/api/push/devices/${id}/test`)).body).toEqual({ result: 'failed' })
      expect(await devicesOf(Ann)).toMatchObject([{ id, last_sent_at: null }])
    }
    for (const status of [404, 410]) {
      const { id, path } = await addDevice(service, Ann)
      service.answer(path, [status])
      expect((await Ann.post(`/api/push/devices/${id}/test`)).body).toEqual({ result: 'gone' })
      expect(await devicesOf(Ann)).toEqual([])
    }
  })

  test('are one for each session and browser, also if another member logs in there', async () => {
    const { Ann, Ben, service } = await open(dialect)
    await addDevice(service, Ann)
    const browser = await addDevice(service, Ann)
    expect(await devicesOf(Ann)).toMatchObject([{ id: browser.id }])
    expect((await subscribe(Ben, browser)).status).toBe(201)
    expect(await devicesOf(Ann)).toEqual([])
    expect(await devicesOf(Ben)).toHaveLength(1)
  })

  test('end with their session, and with the account', async () => {
    const { Ann, Ben, db, service, logIn } = await open(dialect)
    await addDevice(service, Ann)
    await addDevice(service, Ben)
    const elsewhere = await logIn('Ann')
    const { id } = await addDevice(service, elsewhere)
    expect((await devicesOf(Ann)).map((row: { is_current: boolean }) => row.is_current)).toEqual([
      false,
      true,
    ])
    await elsewhere.post('/logout')
    expect((await devicesOf(Ann)).map((row: { id: number }) => row.id)).not.toContain(id)
    const { id: other } = await addDevice(service, await logIn('Ann'))
    await Ann.delete('/api/account/sessions')
    expect((await devicesOf(Ann)).map((row: { id: number }) => row.id)).not.toContain(other)
    expect(await readRows(db, 'push_subscriptions')).toHaveLength(2)
  })

  test('end with a new password, with a suspension, and with the deletion of the account', async () => {
    const { Ann, Ben, db, context, service, logIn } = await open(dialect)
    const subscriptions = () => readRows(db, 'push_subscriptions')
    await addDevice(service, Ben)
    const { code } = (await Ann.post(`/api/admin/users/${Ben.id}/reset-code`)).body
    const password = 'a new horse battery'
    const reset = { email: 'ben@engawa.example', code, password, password_confirmation: password }
    expect((await Ann.post('/reset-password', reset)).status).toBeLessThan(400)
    expect(await subscriptions()).toEqual([])
    await addDevice(service, await logIn('Ben', password))
    expect(await subscriptions()).toHaveLength(1)
    expect((await Ann.put(`/api/admin/users/${Ben.id}/suspension`)).status).toBeLessThan(300)
    expect(await subscriptions()).toEqual([])
    await Ann.delete(`/api/admin/users/${Ben.id}/suspension`)
    const again = await logIn('Ben', password)
    await addDevice(service, again)
    expect((await again.send('DELETE', '/api/account', { messages: 'keep' })).status).toBe(200)
    await runDeletions({ context, db })
    expect(await subscriptions()).toEqual([])
  })

  test('are refused for visitors, other addresses and wrong keys', async () => {
    const { Ann, visitor, service } = await open(dialect)
    const { subscription } = service.createBrowser()
    const stranger = visitor()
    await stranger.get('/sanctum/csrf-cookie')
    expect((await stranger.get('/api/push')).status).toBe(401)
    expect((await stranger.post('/api/push/devices', subscription)).status).toBe(401)
    const endpoints = [
      'http://push.example/a',
      'https://127.0.0.1/a',
      'https://[::1]/a',
      'https://169.254.169.254/latest',
      'https://0x7f.1/a',
      'https://localhost/a',
      'https://push.example:8443/a',
      'https://ann:secret@push.example/a',
      'ftp://push.example/a',
      'push.example',
      `https://push.example/${'a'.repeat(1000)}`,
    ]
    for (const endpoint of endpoints)
      expect((await Ann.post('/api/push/devices', { ...subscription, endpoint })).status, endpoint).toBe(422)
    const { p256dh, auth } = subscription.keys
    const point = Buffer.from(p256dh, 'base64url').fill(7, 1).toString('base64url')
    for (const keys of [{}, { p256dh }, { p256dh: point, auth }, { p256dh, auth: `${auth}A` }])
      expect((await Ann.post('/api/push/devices', { ...subscription, keys })).status).toBe(422)
    expect(await devicesOf(Ann)).toEqual([])
  })

  test('are limited for each member', async () => {
    const { service, logIn, Ann } = await open(dialect)
    for (let n = 0; n < MAX_DEVICES; n++) await addDevice(service, await logIn('Ann'))
    const answer = await subscribe(Ann, service.createBrowser())
    expect(answer.status).toBe(422)
    expect(answer.body.message).toContain(String(MAX_DEVICES))
  })

  test('show what the member allows', async () => {
    const { Ann, Ben } = await open(dialect)
    expect((await Ann.send('PATCH', '/api/push', { privacy: 'none' })).body.privacy).toBe('none')
    expect((await Ann.send('PATCH', '/api/push', { privacy: 'name' })).body.privacy).toBe('name')
    expect((await Ann.send('PATCH', '/api/push', { privacy: 'all' })).status).toBe(422)
    expect((await Ann.get('/api/push')).body.privacy).toBe('name')
    expect((await Ben.get('/api/push')).body.privacy).toBe('text')
  })
})

test('a host name that leads to a private address gets no request', async () => {
  const service = await startPushService()
  const app = await createTestApp()
  const { Ann } = await app.members('Ann')
  // The host name `push.localhost` resolves to 127.0.0.1 (RFC 6761), or to no address if the resolver does
  // not know the name.
  const { subscription } = service.createBrowser()
  const endpoint = 'https://push.localhost/a'
  const { status, body } = await Ann.post('/api/push/devices', { ...subscription, endpoint })
  expect(status).toBe(201)
  expect((await Ann.post(`/api/push/devices/${body.id}/test`)).body).toEqual({ result: 'failed' })
})

test('Retry-After is a number of seconds or a date', () => {
  expect(parseRetryAfter('120')).toBe(120_000)
  expect(parseRetryAfter(new Date(Date.now() + 60_000).toUTCString())).toBeGreaterThan(50_000)
  for (const given of [undefined, 'soon', '-5x']) expect(parseRetryAfter(given)).toBeUndefined()
  expect(parseRetryAfter('Thu, 01 Jan 1970 00:00:00 GMT')).toBe(0)
})
