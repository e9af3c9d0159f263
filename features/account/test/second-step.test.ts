import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { ageConfirmations, securityKinds } from '#tests/account-security.ts'
import { totpCode } from '#tests/authenticator-app.ts'
import { createTestApp, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { isLoggedIn, submitPassword, submitProof, turnOnCodes } from './second-steps.ts'

const PASSWORD = 'correct horse'
const MINUTE = 60_000
const FAILED = 'This code is not correct, or was used already. If it stays so, log in again from the start.'

const path = '/api/account/one-time-codes'

/** Moves the clock forward, because the authenticator app shows a new code every 30 seconds. */
const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

/** Turns the second step of a member on, and moves the clock to a time with another code. */
async function turnOn(client: TestClient) {
  const turnedOn = await turnOnCodes(client)
  wait(MINUTE)
  return turnedOn
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe.each(dialectsInTurn())('the second step on %s', (dialect) => {
  const open = (env: Record<string, string> = {}) => createTestApp({ dialect, env })

  test('is asked for after the password, and only then there is a session', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann', 'Ben')
    const { secret } = await turnOn(Ann)
    const phone = visitor()
    const first = await submitPassword(phone, 'ann')
    expect([first.status, first.body]).toEqual([200, { two_factor: true }])
    expect(await isLoggedIn(phone)).toBe(false)
    const before = phone.jar.get('engawa_session')
    expect((await submitProof(phone, { code: totpCode(secret) })).status).toBe(204)
    expect(await isLoggedIn(phone)).toBe(true)
    expect(phone.jar.get('engawa_session')).not.toBe(before)
    expect(await securityKinds(Ann)).toEqual(expect.arrayContaining(['second_step_added', 'logged_in']))
    // Members without a second step still log in with only the password.
    expect((await submitPassword(visitor(), 'ben')).status).toBe(204)
  })

  test('refuses wrong, old and used codes and other browsers with one sentence', async () => {
    const { members, visitor } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const { secret } = await turnOn(Ann)
    const other = await turnOn(Ben)
    const [phone, stranger] = [visitor(), visitor()]
    await submitPassword(phone, 'ann')
    await stranger.get('/sanctum/csrf-cookie')
    const code = totpCode(secret)
    for (const [client, given] of [
      [phone, code === '000000' ? '000001' : '000000'],
      [phone, totpCode(secret, -3)],
      [phone, totpCode(secret, 3)],
      [phone, totpCode(other.secret)],
      [stranger, code],
      [Ben, code],
    ] as const) {
      const { status, body } = await submitProof(client, { code: given })
      expect([status, body]).toEqual([422, { message: FAILED, errors: { code: [FAILED] } }])
    }
    expect((await submitProof(phone, { recovery_code: other.codes[0] })).body.errors.recovery_code).toEqual([
      FAILED,
    ])
    expect((await submitProof(phone, {})).status).toBe(422)
    expect(await isLoggedIn(phone)).toBe(false)
    expect((await submitProof(phone, { code: ` ${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(204)
    expect(await securityKinds(Ann)).toContain('second_step_failed')
    // After a log-in, the server refuses its code in another browser, and a new code for the same log-in.
    const tablet = visitor()
    await submitPassword(tablet, 'ann')
    expect((await submitProof(tablet, { code })).status).toBe(422)
    wait(30_000)
    expect((await submitProof(phone, { code: totpCode(secret) })).status).toBe(422)
    expect((await submitProof(tablet, { code: totpCode(secret) })).status).toBe(204)
  })

  test('lets one of two requests with the same code through', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann')
    const { secret, codes } = await turnOn(Ann)
    const race = async (proof: object) => {
      const clients = [visitor(), visitor(), visitor()]
      for (const client of clients) await submitPassword(client, 'ann')
      const answers = await Promise.all(clients.map((client) => submitProof(client, proof)))
      return answers.map(({ status }) => status).sort()
    }
    expect(await race({ code: totpCode(secret) })).toEqual([204, 422, 422])
    expect(await race({ recovery_code: codes[0] })).toEqual([204, 422, 422])
    // Two requests finish the same log-in with different valid codes. Only one of them succeeds.
    const phone = visitor()
    await submitPassword(phone, 'ann')
    const cookies = new Map(phone.jar)
    const again = visitor()
    for (const [name, value] of cookies) again.jar.set(name, value)
    const both = await Promise.all([
      submitProof(phone, { recovery_code: codes[1] }),
      submitProof(again, { recovery_code: codes[2] }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([204, 422])
  })

  test('takes each recovery code once', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann')
    const { codes } = await turnOn(Ann)
    const typed = codes[0]!.toUpperCase().replaceAll('-', ' ')
    for (const expected of [204, 422]) {
      const phone = visitor()
      await submitPassword(phone, 'ann')
      expect((await submitProof(phone, { recovery_code: typed })).status).toBe(expected)
      expect(await isLoggedIn(phone)).toBe(expected === 204)
    }
    expect(await securityKinds(Ann)).toContain('recovery_code_used')
    expect((await Ann.get('/api/account/recovery-codes')).body).toEqual({ left: 9 })
  })

  test('is no longer waited for after ten minutes, a new password, or a suspension', async () => {
    const { members, visitor, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const { secret } = await turnOn(Ben)
    const phone = visitor()
    await submitPassword(phone, 'ben')
    wait(10 * MINUTE)
    expect((await submitProof(phone, { code: totpCode(secret) })).status).toBe(422)
    await submitPassword(phone, 'ben')
    expect(await readRows(db, 'log_in_challenges')).toHaveLength(1)
    await Ann.post('/api/account/confirm', { password: PASSWORD })
    for (const method of ['PUT', 'DELETE'] as const) {
      expect((await Ann.send(method, `/api/admin/users/${Ben.id}/suspension`)).status).toBe(200)
      expect((await submitProof(phone, { code: totpCode(secret) })).status).toBe(422)
    }
    await submitPassword(phone, 'ben')
    expect((await submitProof(phone, { code: totpCode(secret) })).status).toBe(204)
    const tablet = visitor()
    await submitPassword(tablet, 'ben')
    await phone.send('PUT', '/api/account/password', {
      current_password: PASSWORD,
      password: 'seven paper lanterns',
      password_confirmation: 'seven paper lanterns',
    })
    wait(MINUTE)
    expect((await submitProof(tablet, { code: totpCode(secret) })).status).toBe(422)
  })

  test('slows down after ten wrong codes, for the account and not for others', async () => {
    const { members, visitor } = await open({ RATE_LIMIT: 'on' })
    const { Ann, Ben } = await members('Ann', 'Ben')
    const [anns, bens] = [await turnOn(Ann), await turnOn(Ben)]
    const [phone, tablet, other] = [visitor(), visitor(), visitor()]
    await submitPassword(phone, 'ann')
    await submitPassword(tablet, 'ann')
    await submitPassword(other, 'ben')
    // After ten failures, log-ins are delayed. The stopped clock keeps the delay from ending during the test.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    for (let tries = 0; tries < 10; tries++)
      expect((await submitProof(phone, { code: totpCode(anns.secret, 5) })).status).toBe(422)
    const delayed = await submitProof(tablet, {
      code: totpCode(anns.secret),
    })
    expect([delayed.status, delayed.headers['retry-after']]).toEqual([429, '1'])
    expect((await submitProof(tablet, { recovery_code: anns.codes[0] })).status).toBe(429)
    expect((await submitProof(other, { code: totpCode(bens.secret) })).status).toBe(204)
    // A browser that the owner has used is delayed too, because a thief may have its cookie.
    await Ann.post('/logout')
    expect((await submitPassword(Ann, 'ann')).body).toEqual({ two_factor: true })
    expect((await submitProof(Ann, { code: totpCode(anns.secret) })).status).toBe(429)
  })

  test('is on only after a code, and needs a confirmed session', async () => {
    const { members, visitor, db } = await open()
    const { Ann } = await members('Ann')
    const stale = (await Ann.post(path)).body.secret
    const { secret, address } = (await Ann.post(path)).body
    expect(address).toContain(`secret=${secret}`)
    expect((await submitPassword(visitor(), 'ann')).status).toBe(204)
    for (const code of [totpCode(stale), '123'])
      expect((await Ann.post(`${path}/confirm`, { code })).body.errors).toHaveProperty('code')
    expect((await Ann.get(path)).body).toEqual({ confirmed_at: null })
    await ageConfirmations(db)
    for (const [end, body] of [
      ['', {}],
      ['/confirm', { code: totpCode(secret) }],
      ['/remove', { code: totpCode(secret) }],
    ] as const)
      expect((await Ann.post(`${path}${end}`, body)).status, end).toBe(423)
    await Ann.post('/api/account/confirm', { password: PASSWORD })
    expect((await Ann.post(`${path}/confirm`, { code: totpCode(secret) })).status).toBe(200)
    expect((await Ann.get(path)).body).toEqual({ confirmed_at: expect.any(String) })
    // The server refuses a second set-up, because it would replace the secret without a code of the old one.
    expect((await Ann.post(path)).status).toBe(422)
  })

  test('is needed for a confirmation too, and a changed password is none', async () => {
    const { members, db } = await open()
    const { Ann } = await members('Ann')
    const { secret, codes } = await turnOn(Ann)
    await ageConfirmations(db)
    const confirm = (proof: object, password = PASSWORD) =>
      Ann.post('/api/account/confirm', { password, ...proof })
    for (const proof of [{}, { code: '' }, { code: '000000' }]) {
      const refused = await confirm(proof)
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['code']])
    }
    expect((await confirm({ recovery_code: '0000-0000-0000-0000' })).body.errors).toHaveProperty(
      'recovery_code',
    )
    const code = totpCode(secret)
    expect((await confirm({ code }, 'guessed')).body.errors).toHaveProperty('password')
    const passwords = { current_password: PASSWORD, password: PASSWORD, password_confirmation: PASSWORD }
    expect((await Ann.put('/api/account/password', passwords)).status).toBe(200)
    expect((await Ann.delete('/api/account/sessions')).status).toBe(423)
    expect((await confirm({ code })).status).toBe(204)
    expect((await Ann.delete('/api/account/sessions')).status).toBe(200)
    await ageConfirmations(db)
    expect((await confirm({ code })).status).toBe(422)
    expect((await confirm({ recovery_code: codes[0] })).status).toBe(204)
    expect((await Ann.delete('/api/account/sessions')).status).toBe(200)
  })

  test('ends the other sessions and the log-ins that wait, when it is turned on', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann')
    const thief = visitor()
    expect((await submitPassword(thief, 'ann')).status).toBe(204)
    await turnOn(Ann)
    expect([await isLoggedIn(Ann), await isLoggedIn(thief)]).toEqual([true, false])
  })

  test('is stored encrypted, and the text of one account does not work for another', async () => {
    const { members, visitor, db } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const { secret, codes } = await turnOn(Ann)
    await turnOn(Ben)
    const rows = await readRows(db, 'one_time_secrets')
    expect(JSON.stringify(rows)).not.toContain(secret)
    const own = rows.find(({ user_id }) => user_id === Ann.id)!.secret as string
    await transaction(db, (tx) =>
      tx.updateTable('one_time_secrets').set({ secret: own }).where('user_id', '=', Ben.id).execute(),
    )
    const phone = visitor()
    await submitPassword(phone, 'ben')
    expect((await submitProof(phone, { code: totpCode(secret) })).status).toBe(422)
    expect(JSON.stringify(await readRows(db, 'recovery_codes'))).not.toContain(codes[0])
  })

  test('is turned off with a code or a recovery code, not without', async () => {
    const { members, visitor } = await open()
    const { Ann } = await members('Ann')
    for (const lost of [false, true]) {
      const { secret, codes } = await turnOn(Ann)
      for (const proof of [{}, { code: totpCode(secret, 5) }, { recovery_code: 'guessed' }])
        expect((await Ann.post(`${path}/remove`, proof)).status).toBe(422)
      expect((await submitPassword(visitor(), 'ann')).status).toBe(200)
      const proof = lost ? { recovery_code: codes[3] } : { code: totpCode(secret) }
      const waiting = visitor()
      await submitPassword(waiting, 'ann')
      expect((await Ann.post(`${path}/remove`, proof)).status).toBe(204)
      expect((await submitProof(waiting, { recovery_code: codes[4] })).status).toBe(422)
      expect((await submitPassword(visitor(), 'ann')).status).toBe(204)
      expect((await Ann.get(path)).body).toEqual({ confirmed_at: null })
      expect(
        (await securityKinds(Ann)).filter((kind: string) => kind === 'second_step_removed'),
      ).toHaveLength(lost ? 2 : 1)
      wait(MINUTE)
    }
  })
})
