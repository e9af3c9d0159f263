import { describe, expect, test } from 'vitest'
import { createDevice } from '#features/account/test/authenticator.ts'
import { addPasskey, logInWithPasskey, passkeyOptions } from '#features/account/test/passkey-clients.ts'
import { totpCode } from '#tests/authenticator-app.ts'
import { createTestApp, databases, type TestClient } from '#tests/harness.ts'

const PASSWORD = 'correct horse'

const require = (client: TestClient, admins_need_second_step: boolean) =>
  client.send('PATCH', '/api/admin/settings', { admins_need_second_step })
const mayAdministrate = async (client: TestClient) => (await client.get('/api/admin/users')).status === 200

async function logInByPassword(client: TestClient, name: string) {
  await client.get('/sanctum/csrf-cookie')
  const { status } = await client.post('/login', { email: `${name}@engawa.example`, password: PASSWORD })
  expect(status).toBe(204)
}

describe.each(databases)('admins with passkeys on %s', (dialect) => {
  /**
   * Creates an app with the setting that admins need a second step. The admin Ann has a passkey; the admin
   * Ben has no second step.
   */
  async function openWithRule() {
    const app = await createTestApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const device = createDevice()
    const { id } = await addPasskey(Ann, device)
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    // Ann cannot turn on the setting that admins need a second step in a session that she began with a
    // password.
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
    // If a member confirms the identity by password, the session gets no admin rights. If the member confirms
    // it with the passkey, the session gets them.
    await phone.post('/api/account/confirm', { password: PASSWORD })
    expect(await mayAdministrate(phone)).toBe(false)
    const options = await passkeyOptions(phone, '/api/account/confirm-passkey')
    const credential = device.get(options)
    expect((await phone.post('/api/account/confirm-passkey', { credential })).status).toBe(204)
    expect(await mayAdministrate(phone)).toBe(true)
    expect(await mayAdministrate(Ann)).toBe(false)
    // A log-in by password in the same browser replaces the session that was confirmed with the passkey, and
    // so ends its admin rights.
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
    const credential = createDevice().create({ challenge: 'x' })
    expect((await Ann.post('/api/account/passkeys', { credential })).status).toBe(403)
    const code = '000000'
    expect((await Ann.post('/api/account/one-time-codes/confirm', { code })).status).toBe(403)
    expect(await mayAdministrate(Ann)).toBe(false)
    // Ben, who has no second step yet, can still set up his first one. In the session that Ann began with a
    // passkey, she can add another passkey.
    expect((await Ben.post('/api/account/one-time-codes')).status).toBe(200)
    await addPasskey(laptop, createDevice())
  })

  test('lose their rights with their last passkey', async () => {
    const { passkey, laptop } = await openWithRule()
    const { id } = await addPasskey(laptop, createDevice())
    expect((await laptop.delete(`/api/account/passkeys/${id}`)).status).toBe(204)
    expect(await mayAdministrate(laptop)).toBe(true)
    expect((await laptop.delete(`/api/account/passkeys/${passkey}`)).status).toBe(204)
    expect(await mayAdministrate(laptop)).toBe(false)
  })

  test('lose their rights in the sessions of a removed passkey, and keep them in others', async () => {
    const { app, passkey, laptop } = await openWithRule()
    const other = createDevice()
    await addPasskey(laptop, other)
    const phone = app.visitor()
    expect((await logInWithPasskey(phone, other)).status).toBe(204)
    // Ann has lost the laptop. On the phone, she removes the passkey with which the session on the laptop
    // began.
    expect((await phone.delete(`/api/account/passkeys/${passkey}`)).status).toBe(204)
    expect([await mayAdministrate(laptop), await mayAdministrate(phone)]).toEqual([false, true])
    expect((await laptop.get('/api/user')).body).toMatchObject({ needs_second_step: true })
    expect((await laptop.post('/api/account/passkeys/options')).status).toBe(403)
    // Confirming the session on the laptop with another passkey of the account gives it the admin rights
    // back.
    const options = await passkeyOptions(laptop, '/api/account/confirm-passkey')
    await laptop.post('/api/account/confirm-passkey', { credential: other.get(options) })
    expect(await mayAdministrate(laptop)).toBe(true)
  })

  test('lose their rights in sessions by codes when the codes are turned off', async () => {
    const { Ben, laptop } = await openWithRule()
    const { secret } = (await Ben.post('/api/account/one-time-codes')).body
    const code = totpCode(secret)
    const { recovery_codes } = (await Ben.post('/api/account/one-time-codes/confirm', { code })).body
    await addPasskey(Ben, createDevice())
    expect(await mayAdministrate(Ben)).toBe(true)
    const proof = { recovery_code: recovery_codes[0] }
    expect((await Ben.post('/api/account/one-time-codes/remove', proof)).status).toBe(204)
    // Ben's account has a passkey, but Ben did not log in with the passkey in this session.
    expect([await mayAdministrate(Ben), await mayAdministrate(laptop)]).toEqual([false, true])
  })

  test('have their rights after the password and a passkey', async () => {
    const { app, device, laptop } = await openWithRule()
    const { secret } = (await laptop.post('/api/account/one-time-codes')).body
    const code = totpCode(secret)
    expect((await laptop.post('/api/account/one-time-codes/confirm', { code })).status).toBe(200)
    const phone = app.visitor()
    await phone.get('/sanctum/csrf-cookie')
    await phone.post('/login', { email: 'ann@engawa.example', password: PASSWORD })
    const credential = device.get(await passkeyOptions(phone, '/two-factor-challenge/passkey'))
    expect((await phone.post('/two-factor-challenge/passkey', { credential })).status).toBe(204)
    expect(await mayAdministrate(phone)).toBe(true)
  })
})
