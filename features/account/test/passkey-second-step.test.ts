import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import {
  createTestApp,
  dialectsInTurn,
  readTestTableRows,
  type TestApp,
  type TestClient,
} from '#tests/harness.ts'
import { createSimulatedPasskeyDevice, type SimulatedPasskeyDevice } from './authenticator.ts'
import {
  addPasskeyOfSimulatedDevice,
  expectedPasskeyRefusalResponse,
  logInWithSimulatedPasskeyDevice,
  requestPasskeyOptionsAsTestClient,
} from './passkey-clients.ts'
import {
  isTestClientLoggedIn,
  submitLogInPasswordAsTestClient,
  turnOnOneTimeCodesAsTestClient,
} from './second-steps.ts'

const path = '/two-factor-challenge/passkey'

const sign = async (client: TestClient, device: SimulatedPasskeyDevice, conditions = {}) =>
  client.post(path, {
    credential: device.get(await requestPasskeyOptionsAsTestClient(client, path), conditions),
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
    const [anns, bens] = [createSimulatedPasskeyDevice(), createSimulatedPasskeyDevice()]
    await addPasskeyOfSimulatedDevice(Ann, anns)
    await addPasskeyOfSimulatedDevice(Ben, bens)
    await turnOnOneTimeCodesAsTestClient(Ann)
    return { app, Ann, Ben, anns, bens }
  }

  test('finishes the log-in after the password', async () => {
    const { app, Ann, anns } = await openWithDevices()
    const phone = app.visitor()
    expect((await submitLogInPasswordAsTestClient(phone, 'ann')).body).toEqual({ two_factor: true })
    const options = await requestPasskeyOptionsAsTestClient(phone, path)
    expect(options).toMatchObject({
      userVerification: 'required',
      allowCredentials: [{ id: anns.id, type: 'public-key', transports: ['internal'] }],
    })
    const before = phone.jar.get('engawa_session')
    const credential = anns.get(options)
    expect((await phone.post(path, { credential })).status).toBe(204)
    expect((await phone.get('/api/user')).body.id).toBe(Ann.id)
    expect(phone.jar.get('engawa_session')).not.toBe(before)
    expect(await readTestTableRows(app.db, 'log_in_challenges')).toEqual([])
    // The server refuses the same signature a second time, because the signature and its challenge were used.
    expect(await phone.post(path, { credential })).toMatchObject(expectedPasskeyRefusalResponse)
    const { body } = await Ann.get('/api/account/security-events')
    expect(body.map(({ kind }: { kind: string }) => kind)).toContain('logged_in_with_passkey')
  })

  test('is refused without a log-in that waits, of another person, and unchecked', async () => {
    const { app, Ann, Ben, anns, bens } = await openWithDevices()
    const [phone, stranger] = [app.visitor(), app.visitor()]
    await stranger.get('/sanctum/csrf-cookie')
    for (const client of [stranger, Ann, Ben])
      expect(await client.post(`${path}/options`)).toMatchObject(expectedPasskeyRefusalResponse)
    await submitLogInPasswordAsTestClient(phone, 'ann')
    expect(await sign(phone, bens)).toMatchObject(expectedPasskeyRefusalResponse)
    expect(await sign(phone, anns, { isVerified: false })).toMatchObject(expectedPasskeyRefusalResponse)
    expect(await sign(phone, anns, { origin: 'http://localhost:4000' })).toMatchObject(
      expectedPasskeyRefusalResponse,
    )
    // Expects that the server refuses a signature for a log-in as a second step, and a signature for a second
    // step as a log-in.
    const forLogIn = anns.get(await requestPasskeyOptionsAsTestClient(phone, '/api/passkeys/log-in'))
    expect(await phone.post(path, { credential: forLogIn })).toMatchObject(expectedPasskeyRefusalResponse)
    const forSecondStep = anns.get(await requestPasskeyOptionsAsTestClient(phone, path))
    expect(await phone.post('/api/passkeys/log-in', { credential: forSecondStep })).toMatchObject(
      expectedPasskeyRefusalResponse,
    )
    // The server refuses a signature that another browser requested for its own log-in.
    const other = app.visitor()
    await submitLogInPasswordAsTestClient(other, 'ann')
    const credential = anns.get(await requestPasskeyOptionsAsTestClient(other, path))
    expect(await phone.post(path, { credential })).toMatchObject(expectedPasskeyRefusalResponse)
    expect(await isTestClientLoggedIn(phone)).toBe(false)
    const waiting = anns.get(await requestPasskeyOptionsAsTestClient(phone, path))
    await ageChallenges(app)
    expect(await phone.post(path, { credential: waiting })).toMatchObject(expectedPasskeyRefusalResponse)
    expect(await phone.post(`${path}/options`)).toMatchObject(expectedPasskeyRefusalResponse)
    expect(await isTestClientLoggedIn(phone)).toBe(false)
  })

  test('of a suspended member does not log in', async () => {
    const { app, Ann, Ben, bens } = await openWithDevices()
    await turnOnOneTimeCodesAsTestClient(Ben)
    const phone = app.visitor()
    await submitLogInPasswordAsTestClient(phone, 'ben')
    const options = await requestPasskeyOptionsAsTestClient(phone, path)
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    expect((await phone.post(path, { credential: bens.get(options) })).status).toBe(422)
    expect(await isTestClientLoggedIn(phone)).toBe(false)
  })

  test('finishes one of two log-ins that answer the same challenge at once', async () => {
    const { app, anns } = await openWithDevices()
    const phone = app.visitor()
    await submitLogInPasswordAsTestClient(phone, 'ann')
    const again = app.visitor()
    for (const [name, value] of phone.jar) again.jar.set(name, value)
    const credentials = [
      anns.get(await requestPasskeyOptionsAsTestClient(phone, path)),
      anns.get(await requestPasskeyOptionsAsTestClient(again, path)),
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
    expect((await logInWithSimulatedPasskeyDevice(phone, anns)).status).toBe(204)
    expect((await phone.get('/api/user')).body.id).toBe(Ann.id)
    // A log-in with a passkey ends the log-in that waits for a code in the same browser.
    const tablet = app.visitor()
    await submitLogInPasswordAsTestClient(tablet, 'ann')
    expect((await logInWithSimulatedPasskeyDevice(tablet, anns)).status).toBe(204)
    expect(await tablet.post(`${path}/options`)).toMatchObject(expectedPasskeyRefusalResponse)
  })
})
