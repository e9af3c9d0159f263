import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { computeTestTotpCode } from '#tests/authenticator-app.ts'
import {
  createTestApp,
  dialectsInTurn,
  readTestTableRows,
  type TestApp,
  type TestClient,
} from '#tests/harness.ts'
import { setPasswordAndEndSessionsAsOperator } from '../operator.ts'
import { createSimulatedPasskeyDevice } from './authenticator.ts'
import {
  addPasskeyOfSimulatedDevice,
  logInWithSimulatedPasskeyDevice,
  requestPasskeyOptionsAsTestClient,
} from './passkey-clients.ts'
import {
  createTestAppWithVerifiedAnnAndBen,
  listResetTokensInUnsentTestMails,
  listUnsentMailsOfTestApp,
  NEW_TEST_MEMBER_PASSWORD,
  OLD_TEST_MEMBER_PASSWORD,
  requestPasswordResetMailAsTestClient,
  resetPasswordAsTestClient,
} from './resets.ts'
import {
  submitLogInPasswordAsTestClient,
  submitSecondStepProofAsTestClient,
  turnOnOneTimeCodesAsTestClient,
} from './second-steps.ts'

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
async function logInWithCode(client: TestClient, code: string, password = OLD_TEST_MEMBER_PASSWORD) {
  expect((await submitLogInPasswordAsTestClient(client, 'ben', password)).body).toEqual({ two_factor: true })
  return submitSecondStepProofAsTestClient(client, { code })
}

const changePassword = (client: TestClient) =>
  client.put('/api/account/password', {
    current_password: OLD_TEST_MEMBER_PASSWORD,
    password: NEW_TEST_MEMBER_PASSWORD,
    password_confirmation: NEW_TEST_MEMBER_PASSWORD,
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
    const { app, Ann, Ben } = await createTestAppWithVerifiedAnnAndBen(dialect, env)
    const device = createSimulatedPasskeyDevice()
    await addPasskeyOfSimulatedDevice(Ben, device)
    const { secret, codes } = await turnOnOneTimeCodesAsTestClient(Ben)
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

  const tryRightCode = async ({ app, secret }: Opened, password = OLD_TEST_MEMBER_PASSWORD) => {
    wait(MINUTE)
    return logInWithCode(app.visitor(), computeTestTotpCode(secret), password)
  }

  test('count together for the account, from old devices and with any kind of proof', async () => {
    const app = await createTestApp({ dialect, env: { RATE_LIMIT: 'on' } })
    const { Ben } = await app.members('Ben')
    // The thieves get device cookies by log-ins before Ben turns the second step on.
    const thieves = [app.visitor(), app.visitor()] as const
    for (const thief of thieves)
      expect((await submitLogInPasswordAsTestClient(thief, 'ben')).status).toBe(204)
    const device = createSimulatedPasskeyDevice()
    await addPasskeyOfSimulatedDevice(Ben, device)
    const { secret } = await turnOnOneTimeCodesAsTestClient(Ben)
    wait(MINUTE)
    for (const thief of thieves)
      expect((await submitLogInPasswordAsTestClient(thief, 'ben')).status).toBe(200)
    // After ten failures, log-ins are delayed by a second. The stopped clock keeps the delay from ending
    // during the test.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const signWrongly = async (client: TestClient) => {
      const options = await requestPasskeyOptionsAsTestClient(client, passkeyPath)
      return client.post(passkeyPath, { credential: device.get(options, { isVerified: false }) })
    }
    for (const thief of thieves) {
      for (const code of ['000000', '000001'])
        expect((await submitSecondStepProofAsTestClient(thief, { code })).status).toBe(422)
      expect(
        (await submitSecondStepProofAsTestClient(thief, { recovery_code: '0000-0000-0000-0000' })).status,
      ).toBe(422)
      for (let n = 0; n < 2; n++) expect((await signWrongly(thief)).status).toBe(422)
    }
    for (const client of [...thieves, app.visitor(), Ben]) {
      await submitLogInPasswordAsTestClient(client, 'ben')
      expect(
        (await submitSecondStepProofAsTestClient(client, { code: computeTestTotpCode(secret) })).status,
      ).toBe(429)
      expect((await signWrongly(client)).status).toBe(429)
    }
    expect(await readTestTableRows(app.db, 'second_step_failures')).toMatchObject([{ count: 10 }])
  })

  test.each([
    ['en', 'Somebody may know your password for Engawa', 'Log-ins with your password for Engawa are stopped'],
    ['ja', '【Engawa】パスワードが知られているおそれがあります', '【Engawa】パスワードでのログインの停止'],
  ])('are told by mail once, in the language of the member (%s)', async (lang, warning, end) => {
    const { app, Ben, secret } = await open()
    const owner = app.visitor({ 'accept-language': lang })
    await logInWithCode(owner, computeTestTotpCode(secret))
    const thief = app.visitor({ 'accept-language': lang === 'en' ? 'ja' : 'en' })
    const sent = (await listUnsentMailsOfTestApp(app)).length
    const readSubjects = async () =>
      (await listUnsentMailsOfTestApp(app)).slice(sent).map(({ subject }) => subject)
    await submitLogInPasswordAsTestClient(thief, 'ben')
    for (let n = 0; n < 9; n++) await submitSecondStepProofAsTestClient(thief, { code: 'wrong' })
    expect(await readSubjects()).toEqual([])
    for (let n = 0; n < 3; n++) await submitSecondStepProofAsTestClient(thief, { code: 'wrong' })
    expect(await readSubjects()).toEqual([warning])
    await transaction(app.db, (tx) => tx.updateTable('second_step_failures').set({ count: 99 }).execute())
    for (let n = 0; n < 3; n++) await submitSecondStepProofAsTestClient(thief, { code: 'wrong' })
    expect(await readSubjects()).toEqual([warning, end])
    expect((await listUnsentMailsOfTestApp(app)).at(-1)).toMatchObject({ to: BEN })
    expect([
      await countEvents(Ben, 'second_step_failed'),
      await countEvents(Ben, 'second_step_stopped'),
    ]).toEqual([13, 1])
  })

  test('stop codes and passkeys after the password, for good and for this account alone', async () => {
    const opened = await openStopped()
    const { app, Ann, Ben, device, codes } = opened
    expect(await readTestTableRows(app.db, 'log_in_challenges')).toEqual([])
    expect(await tryRightCode(opened)).toMatchObject(STOPPED)
    wait(2 * DAY)
    expect(await tryRightCode(opened)).toMatchObject(STOPPED)
    const phone = app.visitor()
    await submitLogInPasswordAsTestClient(phone, 'ben')
    expect(await submitSecondStepProofAsTestClient(phone, { recovery_code: codes[0]! })).toMatchObject(
      STOPPED,
    )
    const credential = device.get(await requestPasskeyOptionsAsTestClient(phone, passkeyPath))
    expect(await phone.post(passkeyPath, { credential })).toMatchObject(STOPPED)
    // The server does not accept codes in a session of Ben either.
    const code = computeTestTotpCode(opened.secret)
    expect(
      await Ben.post('/api/account/confirm', { password: OLD_TEST_MEMBER_PASSWORD, code }),
    ).toMatchObject(STOPPED)
    // Ben can still log in with only a passkey, because nobody can guess a passkey. Below, the second step of
    // Ann still works.
    expect((await logInWithSimulatedPasskeyDevice(phone, device)).status).toBe(204)
    expect(await phone.post('/api/account/one-time-codes/remove', { code })).toMatchObject(STOPPED)
    await Ann.post('/api/account/confirm', { password: OLD_TEST_MEMBER_PASSWORD })
    const anns = await turnOnOneTimeCodesAsTestClient(Ann)
    wait(MINUTE)
    const tablet = app.visitor()
    await submitLogInPasswordAsTestClient(tablet, 'ann')
    expect(
      (await submitSecondStepProofAsTestClient(tablet, { code: computeTestTotpCode(anns.secret) })).status,
    ).toBe(204)
  })

  test.each<[string, (opened: Opened) => Promise<unknown>]>([
    [
      'a reset by mail',
      async ({ app }) => {
        await requestPasswordResetMailAsTestClient(app.visitor(), BEN)
        await resetPasswordAsTestClient(app.visitor(), {
          token: (await listResetTokensInUnsentTestMails(app)).at(-1),
        })
      },
    ],
    [
      'a code of an admin',
      async ({ app, Ann, Ben }) => {
        await Ann.post('/api/account/confirm', { password: OLD_TEST_MEMBER_PASSWORD })
        const { code } = (await Ann.post(`/api/admin/users/${Ben.id}/reset-code`)).body
        await resetPasswordAsTestClient(app.visitor(), { email: BEN, code })
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
        await transaction(app.db, (tx) =>
          setPasswordAndEndSessionsAsOperator(app.context, tx, Ben.id, password_hash),
        )
      },
    ],
  ])('are forgotten after %s, and the second step stays', async (way, act) => {
    const opened = await openStopped()
    await act(opened)
    expect(await readTestTableRows(opened.app.db, 'second_step_failures')).toEqual([])
    const password = way === 'the operator' ? OLD_TEST_MEMBER_PASSWORD : NEW_TEST_MEMBER_PASSWORD
    expect((await tryRightCode(opened, password)).status).toBe(204)
  })

  test('stay after a new password without a confirmation', async () => {
    const { app, Ben } = await openStopped()
    wait(11 * MINUTE)
    expect((await changePassword(Ben)).status).toBe(200)
    expect(await readTestTableRows(app.db, 'second_step_failures')).toHaveLength(1)
  })

  test('are forgotten when an admin removes the second step', async () => {
    const { app, Ann, Ben } = await openStopped()
    expect((await Ann.delete(`/api/admin/users/${Ben.id}/second-step`)).status).toBe(200)
    expect(await readTestTableRows(app.db, 'second_step_failures')).toEqual([])
    expect((await submitLogInPasswordAsTestClient(app.visitor(), 'ben')).status).toBe(204)
  })

  test('are forgotten a day after the first one, and not after a right code', async () => {
    const opened = await open()
    const { app, Ben } = opened
    await setFailures(app, Ben.id, 98)
    expect((await tryRightCode(opened)).status).toBe(204)
    expect((await logInWithCode(app.visitor(), 'wrong')).status).toBe(422)
    expect(await readTestTableRows(app.db, 'second_step_failures')).toMatchObject([{ count: 99 }])
    wait(DAY)
    expect((await logInWithCode(app.visitor(), 'wrong')).status).toBe(422)
    expect(await readTestTableRows(app.db, 'second_step_failures')).toMatchObject([
      { count: 1, stopped_at: null },
    ])
    expect((await tryRightCode(opened)).status).toBe(204)
  })

  test('stop the second step once, if several fail at the same moment', async () => {
    const opened = await open()
    const { app, Ben } = opened
    await setFailures(app, Ben.id, 97)
    const thieves = Array.from({ length: 8 }, () => app.visitor())
    for (const thief of thieves) await submitLogInPasswordAsTestClient(thief, 'ben')
    const answers = await Promise.all(
      thieves.map((thief) => submitSecondStepProofAsTestClient(thief, { code: 'wrong' })),
    )
    for (const { status } of answers) expect([403, 422]).toContain(status)
    expect(await readTestTableRows(app.db, 'second_step_failures')).toMatchObject([{ count: 100 }])
    expect(await countEvents(Ben, 'second_step_stopped')).toBe(1)
    expect(await tryRightCode(opened)).toMatchObject(STOPPED)
  })
})
