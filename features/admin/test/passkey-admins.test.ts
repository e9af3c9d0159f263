import { describe, expect, test } from 'vitest'
import { createAuthenticator } from '#features/account/test/authenticator.ts'
import { addPasskey, logInWithPasskey, requestOptions } from '#features/account/test/passkey-clients.ts'
import { showAuthenticatorCode } from '#tests/authenticator-app.ts'
import { createTestApp, dialects, type TestClient } from '#tests/harness.ts'

const PASSWORD = 'correct horse'

const require = (client: TestClient, admins_need_second_step: boolean) =>
  client.send('PATCH', '/api/admin/settings', { admins_need_second_step })
const mayAdministrate = async (client: TestClient) => (await client.get('/api/admin/users')).status === 200

async function logInByPassword(client: TestClient, name: string) {
  await client.get('/sanctum/csrf-cookie')
  const { status } = await client.post('/login', { email: `${name}@engawa.example`, password: PASSWORD })
  expect(status).toBe(204)
}

describe.each(dialects)('admins with passkeys on %s', (dialect) => {
  /** Requires a second step of admins: Ann has a passkey, Ben is an admin without a second step. */
  async function openWithRule() {
    const app = await createTestApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const device = createAuthenticator()
    const { id } = await addPasskey(Ann, device)
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    // The session is one by password.
    expect((await require(Ann, true)).status).toBe(422)
    const laptop = app.visitor()
    await logInWithPasskey(laptop, device)
    expect((await require(laptop, true)).status).toBe(200)
    return { app, Ann, Ben, device, passkey: id, laptop }
  }

  test('have their rights in a session by passkey, and not in one by password', async () => {
    const { app, Ann, Ben, device, laptop } = await openWithRule()
    expect(await mayAdministrate(laptop)).toBe(true)
    expect((await laptop.get('/api/user')).body).toMatchObject({ is_admin: true })
    for (const client of [Ann, Ben]) {
      expect(await mayAdministrate(client)).toBe(false)
      expect((await client.get('/api/user')).body).toMatchObject({ needs_second_step: true })
    }
    const phone = app.visitor()
    await logInByPassword(phone, 'ann')
    expect(await mayAdministrate(phone)).toBe(false)
    // A confirmation by password changes nothing, one with the passkey gives the rights to this session.
    await phone.post('/api/account/confirm', { password: PASSWORD })
    expect(await mayAdministrate(phone)).toBe(false)
    const options = await requestOptions(phone, '/api/account/confirm-passkey')
    const credential = device.get(options)
    expect((await phone.post('/api/account/confirm-passkey', { credential })).status).toBe(204)
    expect(await mayAdministrate(phone)).toBe(true)
    expect(await mayAdministrate(Ann)).toBe(false)
    // A session by password of the same browser takes the place of that by passkey.
    await logInByPassword(phone, 'ann')
    expect(await mayAdministrate(phone)).toBe(false)
  })

  test('cannot add or remove a second step with the password alone', async () => {
    const { Ann, Ben, passkey, laptop } = await openWithRule()
    for (const [method, url] of [
      ['POST', '/api/account/passkeys/options'],
      ['DELETE', `/api/account/passkeys/${passkey}`],
      ['POST', '/api/account/one-time-codes'],
    ] as const)
      expect((await Ann.send(method, url)).status, url).toBe(403)
    const credential = createAuthenticator().create({ challenge: 'x' })
    expect((await Ann.post('/api/account/passkeys', { credential })).status).toBe(403)
    const code = '000000'
    expect((await Ann.post('/api/account/one-time-codes/confirm', { code })).status).toBe(403)
    expect(await mayAdministrate(Ann)).toBe(false)
    // A member without a second step can set one up, and a session with a passkey can add another passkey.
    expect((await Ben.post('/api/account/one-time-codes')).status).toBe(200)
    await addPasskey(laptop, createAuthenticator())
  })

  test('lose their rights with their last passkey', async () => {
    const { passkey, laptop } = await openWithRule()
    const { id } = await addPasskey(laptop, createAuthenticator())
    expect((await laptop.delete(`/api/account/passkeys/${id}`)).status).toBe(204)
    expect(await mayAdministrate(laptop)).toBe(true)
    expect((await laptop.delete(`/api/account/passkeys/${passkey}`)).status).toBe(204)
    expect(await mayAdministrate(laptop)).toBe(false)
  })

  test('have their rights after the password and a passkey', async () => {
    const { app, device, laptop } = await openWithRule()
    const { secret } = (await laptop.post('/api/account/one-time-codes')).body
    const code = showAuthenticatorCode(secret)
    expect((await laptop.post('/api/account/one-time-codes/confirm', { code })).status).toBe(200)
    const phone = app.visitor()
    await phone.get('/sanctum/csrf-cookie')
    await phone.post('/login', { email: 'ann@engawa.example', password: PASSWORD })
    const credential = device.get(await requestOptions(phone, '/two-factor-challenge/passkey'))
    expect((await phone.post('/two-factor-challenge/passkey', { credential })).status).toBe(204)
    expect(await mayAdministrate(phone)).toBe(true)
  })
})
