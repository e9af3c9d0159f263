import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp, type TestClient } from '#tests/harness.ts'
import { createDevice, type PasskeyDevice } from './authenticator.ts'
import { addPasskey, logInWithPasskey, passkeyOptions, passkeyRefusal } from './passkey-clients.ts'
import { isLoggedIn, submitPassword, turnOnCodes } from './second-steps.ts'

const path = '/two-factor-challenge/passkey'

const sign = async (client: TestClient, device: PasskeyDevice, conditions = {}) =>
  client.post(path, {
    credential: device.get(await passkeyOptions(client, path), conditions),
  })

const ageChallenges = ({ db }: TestApp) =>
  transaction(db, (tx) =>
    tx
      .updateTable('log_in_challenges')
      .set({ created_at: new Date(Date.now() - 11 * 60_000).toISOString() })
      .execute(),
  )

describe.each(dialectsInTurn())('a passkey as the second step on %s', (dialect) => {
  const open = (env = {}) => createTestApp({ dialect, env })

  /** Creates an app with the members Ann and Ben, who each have a passkey; Ann also has one-time codes. */
  async function openWithDevices() {
    const app = await open()
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const [anns, bens] = [createDevice(), createDevice()]
    await addPasskey(Ann, anns)
    await addPasskey(Ben, bens)
    await turnOnCodes(Ann)
    return { app, Ann, Ben, anns, bens }
  }

  test('finishes the log-in after the password', async () => {
    const { app, Ann, anns } = await openWithDevices()
    const phone = app.visitor()
    expect((await submitPassword(phone, 'ann')).body).toEqual({ two_factor: true })
    const options = await passkeyOptions(phone, path)
    expect(options).toMatchObject({
      userVerification: 'required',
      allowCredentials: [{ id: anns.id, type: 'public-key', transports: ['internal'] }],
    })
    const before = phone.jar.get('engawa_session')
    const credential = anns.get(options)
    expect((await phone.post(path, { credential })).status).toBe(204)
    expect((await phone.get('/api/user')).body.id).toBe(Ann.id)
    expect(phone.jar.get('engawa_session')).not.toBe(before)
    expect(await readRows(app.db, 'log_in_challenges')).toEqual([])
    // The server refuses the same signature a second time, because the signature and its challenge were used.
    expect(await phone.post(path, { credential })).toMatchObject(passkeyRefusal)
    const { body } = await Ann.get('/api/account/security-events')
    expect(body.map(({ kind }: { kind: string }) => kind)).toContain('logged_in_with_passkey')
  })

  test('is refused without a log-in that waits, of another person, and unchecked', async () => {
    const { app, Ann, Ben, anns, bens } = await openWithDevices()
    const [phone, stranger] = [app.visitor(), app.visitor()]
    await stranger.get('/sanctum/csrf-cookie')
    for (const client of [stranger, Ann, Ben])
      expect(await client.post(`${path}/options`)).toMatchObject(passkeyRefusal)
    await submitPassword(phone, 'ann')
    expect(await sign(phone, bens)).toMatchObject(passkeyRefusal)
    expect(await sign(phone, anns, { isVerified: false })).toMatchObject(passkeyRefusal)
    expect(await sign(phone, anns, { origin: 'http://localhost:4000' })).toMatchObject(passkeyRefusal)
    // Expects that the server refuses a signature for a log-in as a second step, and a signature for a second
    // step as a log-in.
    const forLogIn = anns.get(await passkeyOptions(phone, '/api/passkeys/log-in'))
    expect(await phone.post(path, { credential: forLogIn })).toMatchObject(passkeyRefusal)
    const forSecondStep = anns.get(await passkeyOptions(phone, path))
    expect(await phone.post('/api/passkeys/log-in', { credential: forSecondStep })).toMatchObject(
      passkeyRefusal,
    )
    // The server refuses a signature that another browser requested for its own log-in.
    const other = app.visitor()
    await submitPassword(other, 'ann')
    const credential = anns.get(await passkeyOptions(other, path))
    expect(await phone.post(path, { credential })).toMatchObject(passkeyRefusal)
    expect(await isLoggedIn(phone)).toBe(false)
    const waiting = anns.get(await passkeyOptions(phone, path))
    await ageChallenges(app)
    expect(await phone.post(path, { credential: waiting })).toMatchObject(passkeyRefusal)
    expect(await phone.post(`${path}/options`)).toMatchObject(passkeyRefusal)
    expect(await isLoggedIn(phone)).toBe(false)
  })

  test('of a suspended member does not log in', async () => {
    const { app, Ann, Ben, bens } = await openWithDevices()
    await turnOnCodes(Ben)
    const phone = app.visitor()
    await submitPassword(phone, 'ben')
    const options = await passkeyOptions(phone, path)
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    expect((await phone.post(path, { credential: bens.get(options) })).status).toBe(422)
    expect(await isLoggedIn(phone)).toBe(false)
  })

  test('finishes one of two log-ins that answer the same challenge at once', async () => {
    const { app, anns } = await openWithDevices()
    const phone = app.visitor()
    await submitPassword(phone, 'ann')
    const again = app.visitor()
    for (const [name, value] of phone.jar) again.jar.set(name, value)
    const credentials = [
      anns.get(await passkeyOptions(phone, path)),
      anns.get(await passkeyOptions(again, path)),
    ]
    const answers = await Promise.all([
      phone.post(path, { credential: credentials[0] }),
      again.post(path, { credential: credentials[1] }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422])
  })

  test('is not asked of somebody who logs in with the passkey alone, although codes are on', async () => {
    const { app, Ann, anns } = await openWithDevices()
    const phone = app.visitor()
    expect((await logInWithPasskey(phone, anns)).status).toBe(204)
    expect((await phone.get('/api/user')).body.id).toBe(Ann.id)
    // A log-in with a passkey ends the log-in that waits for a code in the same browser.
    const tablet = app.visitor()
    await submitPassword(tablet, 'ann')
    expect((await logInWithPasskey(tablet, anns)).status).toBe(204)
    expect(await tablet.post(`${path}/options`)).toMatchObject(passkeyRefusal)
  })
})
