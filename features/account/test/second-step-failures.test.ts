import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { totpCode } from '#tests/authenticator-app.ts'
import { createTestApp, dialectsInTurn, readRows, type TestApp, type TestClient } from '#tests/harness.ts'
import { setPassword } from '../operator.ts'
import { createDevice } from './authenticator.ts'
import { addPasskey, logInWithPasskey, passkeyOptions } from './passkey-clients.ts'
import {
  appWithAnnAndBen,
  NEW_PASSWORD,
  OLD_PASSWORD,
  requestReset,
  resetPassword,
  resetTokens,
  unsentMails,
} from './resets.ts'
import { submitPassword, submitProof, turnOnCodes } from './second-steps.ts'

// In the tests of this file, somebody knows the password of Ben and guesses the second step.

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const BEN = 'ben@engawa.example'
const passkeyPath = '/two-factor-challenge/passkey'
const STOPPED = {
  status: 403,
  body: {
    message:
      'Too many codes were wrong. To log in again, set a new password with “Forgot your password?”, or ask an admin for help.',
  },
}

const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const countEvents = async (client: TestClient, kind: string) =>
  (await client.get('/api/account/security-events?limit=100')).body.filter(
    (event: { kind: string }) => event.kind === kind,
  ).length

/** Stores that this number of second steps of the member have failed today. */
const setFailures = ({ db }: TestApp, user_id: number, count: number) =>
  transaction(db, (tx) =>
    tx
      .insertInto('second_step_failures')
      .values({ user_id, count, began_at: new Date().toISOString(), stopped_at: null })
      .execute(),
  )

/** Tries to log in as Ben with the password and a code. Returns the response to the code. */
async function logInWithCode(client: TestClient, code: string, password = OLD_PASSWORD) {
  expect((await submitPassword(client, 'ben', password)).body).toEqual({ two_factor: true })
  return submitProof(client, { code })
}

const changePassword = (client: TestClient) =>
  client.put('/api/account/password', {
    current_password: OLD_PASSWORD,
    password: NEW_PASSWORD,
    password_confirmation: NEW_PASSWORD,
  })

/** Stores that the identity was confirmed now in all sessions, as a confirmation with a passkey would. */
const confirmAll = ({ db }: TestApp) =>
  transaction(db, (tx) =>
    tx
      .updateTable('sessions')
      .set({ confirmed_at: new Date(Date.now()).toISOString() })
      .execute(),
  )

describe.each(dialectsInTurn())('failed second steps on %s', (dialect) => {
  /** Creates an app whose member Ben has one-time codes and a passkey. */
  async function open(env: Record<string, string> = {}) {
    const { app, Ann, Ben } = await appWithAnnAndBen(dialect, env)
    const device = createDevice()
    await addPasskey(Ben, device)
    const { secret, codes } = await turnOnCodes(Ben)
    wait(MINUTE)
    return { app, Ann, Ben, device, secret, codes }
  }
  type Opened = Awaited<ReturnType<typeof open>>

  /** Creates the same app as `open`, then stops Ben's second step by a hundredth failure. */
  async function openStopped() {
    const opened = await open()
    await setFailures(opened.app, opened.Ben.id, 99)
    expect((await logInWithCode(opened.app.visitor(), '')).status).toBe(422)
    return opened
  }

  const tryRightCode = async ({ app, secret }: Opened, password = OLD_PASSWORD) => {
    wait(MINUTE)
    return logInWithCode(app.visitor(), totpCode(secret), password)
  }

  test('count together for the account, from old devices and with any kind of proof', async () => {
    const app = await createTestApp({ dialect, env: { RATE_LIMIT: 'on' } })
    const { Ben } = await app.members('Ben')
    // The thieves get device cookies by log-ins before Ben turns the second step on.
    const thieves = [app.visitor(), app.visitor()] as const
    for (const thief of thieves) expect((await submitPassword(thief, 'ben')).status).toBe(204)
    const device = createDevice()
    await addPasskey(Ben, device)
    const { secret } = await turnOnCodes(Ben)
    wait(MINUTE)
    for (const thief of thieves) expect((await submitPassword(thief, 'ben')).status).toBe(200)
    // After ten failures, log-ins are delayed by a second. The stopped clock keeps the delay from ending
    // during the test.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const signWrongly = async (client: TestClient) => {
      const options = await passkeyOptions(client, passkeyPath)
      return client.post(passkeyPath, { credential: device.get(options, { isVerified: false }) })
    }
    for (const thief of thieves) {
      for (const code of ['000000', '000001']) expect((await submitProof(thief, { code })).status).toBe(422)
      expect((await submitProof(thief, { recovery_code: '0000-0000-0000-0000' })).status).toBe(422)
      for (let n = 0; n < 2; n++) expect((await signWrongly(thief)).status).toBe(422)
    }
    for (const client of [...thieves, app.visitor(), Ben]) {
      await submitPassword(client, 'ben')
      expect((await submitProof(client, { code: totpCode(secret) })).status).toBe(429)
      expect((await signWrongly(client)).status).toBe(429)
    }
    expect(await readRows(app.db, 'second_step_failures')).toMatchObject([{ count: 10 }])
  })

  test.each([
    ['en', 'Somebody may know your password for Engawa', 'Log-ins with your password for Engawa are stopped'],
    [
      'ja',
      '【Engawa】パスワードが知られているおそれがあります',
      '【Engawa】パスワードでのログインを停止しました',
    ],
  ])('are told by mail once, in the language of the member (%s)', async (lang, warning, end) => {
    const { app, Ben, secret } = await open()
    const owner = app.visitor({ 'accept-language': lang })
    await logInWithCode(owner, totpCode(secret))
    const thief = app.visitor({ 'accept-language': lang === 'en' ? 'ja' : 'en' })
    const sent = (await unsentMails(app)).length
    const readSubjects = async () => (await unsentMails(app)).slice(sent).map(({ subject }) => subject)
    await submitPassword(thief, 'ben')
    for (let n = 0; n < 9; n++) await submitProof(thief, { code: 'wrong' })
    expect(await readSubjects()).toEqual([])
    for (let n = 0; n < 3; n++) await submitProof(thief, { code: 'wrong' })
    expect(await readSubjects()).toEqual([warning])
    await transaction(app.db, (tx) => tx.updateTable('second_step_failures').set({ count: 99 }).execute())
    for (let n = 0; n < 3; n++) await submitProof(thief, { code: 'wrong' })
    expect(await readSubjects()).toEqual([warning, end])
    expect((await unsentMails(app)).at(-1)).toMatchObject({ to: BEN })
    expect([
      await countEvents(Ben, 'second_step_failed'),
      await countEvents(Ben, 'second_step_stopped'),
    ]).toEqual([13, 1])
  })

  test('stop codes and passkeys after the password, for good and for this account alone', async () => {
    const opened = await openStopped()
    const { app, Ann, Ben, device, codes } = opened
    expect(await readRows(app.db, 'log_in_challenges')).toEqual([])
    expect(await tryRightCode(opened)).toMatchObject(STOPPED)
    wait(2 * DAY)
    expect(await tryRightCode(opened)).toMatchObject(STOPPED)
    const phone = app.visitor()
    await submitPassword(phone, 'ben')
    expect(await submitProof(phone, { recovery_code: codes[0]! })).toMatchObject(STOPPED)
    const credential = device.get(await passkeyOptions(phone, passkeyPath))
    expect(await phone.post(passkeyPath, { credential })).toMatchObject(STOPPED)
    // The server does not accept codes in a session of Ben either.
    const code = totpCode(opened.secret)
    expect(await Ben.post('/api/account/confirm', { password: OLD_PASSWORD, code })).toMatchObject(STOPPED)
    // Ben can still log in with only a passkey, because nobody can guess a passkey. Below, the second step of
    // Ann still works.
    expect((await logInWithPasskey(phone, device)).status).toBe(204)
    expect(await phone.post('/api/account/one-time-codes/remove', { code })).toMatchObject(STOPPED)
    await Ann.post('/api/account/confirm', { password: OLD_PASSWORD })
    const anns = await turnOnCodes(Ann)
    wait(MINUTE)
    const tablet = app.visitor()
    await submitPassword(tablet, 'ann')
    expect((await submitProof(tablet, { code: totpCode(anns.secret) })).status).toBe(204)
  })

  test.each<[string, (opened: Opened) => Promise<unknown>]>([
    [
      'a reset by mail',
      async ({ app }) => {
        await requestReset(app.visitor(), BEN)
        await resetPassword(app.visitor(), {
          token: (await resetTokens(app)).at(-1),
        })
      },
    ],
    [
      'a code of an admin',
      async ({ app, Ann, Ben }) => {
        await Ann.post('/api/account/confirm', { password: OLD_PASSWORD })
        const { code } = (await Ann.post(`/api/admin/users/${Ben.id}/reset-code`)).body
        await resetPassword(app.visitor(), { email: BEN, code })
      },
    ],
    [
      'a new password in a confirmed session',
      async ({ app, Ben }) => {
        await confirmAll(app)
        await changePassword(Ben)
      },
    ],
    [
      'the operator',
      async ({ app, Ben }) => {
        const { password_hash } = await app.db
          .selectFrom('users')
          .select('password_hash')
          .where('id', '=', Ben.id)
          .executeTakeFirstOrThrow()
        await transaction(app.db, (tx) => setPassword(app.context, tx, Ben.id, password_hash))
      },
    ],
  ])('are forgotten after %s, and the second step stays', async (way, act) => {
    const opened = await openStopped()
    await act(opened)
    expect(await readRows(opened.app.db, 'second_step_failures')).toEqual([])
    const password = way === 'the operator' ? OLD_PASSWORD : NEW_PASSWORD
    expect((await tryRightCode(opened, password)).status).toBe(204)
  })

  test('stay after a new password without a confirmation', async () => {
    const { app, Ben } = await openStopped()
    wait(11 * MINUTE)
    expect((await changePassword(Ben)).status).toBe(200)
    expect(await readRows(app.db, 'second_step_failures')).toHaveLength(1)
  })

  test('are forgotten when an admin removes the second step', async () => {
    const { app, Ann, Ben } = await openStopped()
    expect((await Ann.delete(`/api/admin/users/${Ben.id}/second-step`)).status).toBe(200)
    expect(await readRows(app.db, 'second_step_failures')).toEqual([])
    expect((await submitPassword(app.visitor(), 'ben')).status).toBe(204)
  })

  test('are forgotten a day after the first one, and not after a right code', async () => {
    const opened = await open()
    const { app, Ben } = opened
    await setFailures(app, Ben.id, 98)
    expect((await tryRightCode(opened)).status).toBe(204)
    expect((await logInWithCode(app.visitor(), 'wrong')).status).toBe(422)
    expect(await readRows(app.db, 'second_step_failures')).toMatchObject([{ count: 99 }])
    wait(DAY)
    expect((await logInWithCode(app.visitor(), 'wrong')).status).toBe(422)
    expect(await readRows(app.db, 'second_step_failures')).toMatchObject([{ count: 1, stopped_at: null }])
    expect((await tryRightCode(opened)).status).toBe(204)
  })

  test('stop the second step once, if several fail at the same moment', async () => {
    const opened = await open()
    const { app, Ben } = opened
    await setFailures(app, Ben.id, 97)
    const thieves = Array.from({ length: 8 }, () => app.visitor())
    for (const thief of thieves) await submitPassword(thief, 'ben')
    const answers = await Promise.all(thieves.map((thief) => submitProof(thief, { code: 'wrong' })))
    for (const { status } of answers) expect([403, 422]).toContain(status)
    expect(await readRows(app.db, 'second_step_failures')).toMatchObject([{ count: 100 }])
    expect(await countEvents(Ben, 'second_step_stopped')).toBe(1)
    expect(await tryRightCode(opened)).toMatchObject(STOPPED)
  })
})
