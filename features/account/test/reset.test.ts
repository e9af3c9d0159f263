import { afterEach, describe, expect, test, vi } from 'vitest'
import { securityKinds } from '#tests/account-security.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import {
  ANN_EMAIL,
  appWithMails,
  logInStatus,
  NEW_PASSWORD,
  OLD_PASSWORD,
  requestReset,
  resetPassword,
  resetTokens,
  unsentMails,
} from './resets.ts'

const inMinutes = (minutes: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
afterEach(() => vi.useRealTimers())

describe.each(dialectsInTurn())('a password reset by mail on %s', (dialect) => {
  const open = () => appWithMails(dialect)

  test('sets a new password, ends all sessions, verifies the address and tells the owner', async () => {
    const app = await open()
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const stranger = app.visitor()
    expect((await requestReset(stranger)).status).toBe(200)
    const [token] = await resetTokens(app)
    expect(token).toMatch(/^[\w-]{43}$/)
    const answer = await resetPassword(stranger, { token })
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['message']])
    expect((await Ann.get('/api/user')).status).toBe(401)
    expect((await Ben.get('/api/user')).status).toBe(200)
    expect((await stranger.get('/api/user')).status).toBe(401)
    expect(await logInStatus(app.visitor(), OLD_PASSWORD)).toBe(422)
    const phone = app.visitor()
    expect(await logInStatus(phone, NEW_PASSWORD)).toBe(204)
    expect((await phone.get('/api/user')).body.email_verified_at).not.toBeNull()
    expect((await securityKinds(phone)).slice(0, 4)).toEqual([
      'logged_in',
      'log_in_failed',
      'password_reset',
      'email_verified',
    ])
    const mails = await unsentMails(app)
    expect(mails.map(({ to, subject }) => [to, subject])).toContainEqual([
      ANN_EMAIL,
      'Your password for Engawa was reset',
    ])
  })

  test('works once; other links of the account end with it, and so does a change of the address', async () => {
    const app = await open()
    const { Ann } = await app.members('Ann')
    await Ann.post('/api/account/email', { email: 'new@engawa.example' })
    await requestReset(app.visitor())
    await requestReset(app.visitor())
    const [first, second] = await resetTokens(app)
    expect(await readRows(app.db, 'email_changes')).toHaveLength(1)
    expect((await resetPassword(app.visitor(), { token: second })).status).toBe(200)
    for (const token of [first, second, `${first?.slice(0, -1)}_`]) {
      const refused = await resetPassword(app.visitor(), { token }, 'a third password')
      expect([refused.status, refused.body]).toEqual([
        422,
        {
          message: 'This link does not work any more. Please request a new one.',
          errors: { token: ['This link does not work any more. Please request a new one.'] },
        },
      ])
    }
    expect(await logInStatus(app.visitor(), NEW_PASSWORD)).toBe(204)
    expect(await readRows(app.db, 'email_changes')).toEqual([])
  })

  test('of two uses of a link at the same time, one wins', async () => {
    const app = await open()
    await app.members('Ann')
    await requestReset(app.visitor())
    const [token] = await resetTokens(app)
    const passwords = ['seven paper lanterns', 'eight paper lanterns']
    const answers = await Promise.all(
      passwords.map((password) => resetPassword(app.visitor(), { token }, password)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(await logInStatus(app.visitor(), passwords[winner]!)).toBe(204)
    expect(await logInStatus(app.visitor(), passwords[1 - winner]!)).toBe(422)
  })

  test('ends after thirty minutes, with a suspension, and with a change of the address', async () => {
    const app = await open()
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await requestReset(app.visitor())
    const [old] = await resetTokens(app)
    inMinutes(31)
    expect((await resetPassword(app.visitor(), { token: old })).status).toBe(422)
    vi.useRealTimers()
    await requestReset(app.visitor(), 'ben@engawa.example')
    const [, token] = await resetTokens(app)
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    expect((await resetPassword(app.visitor(), { token })).status).toBe(422)
    // The server sends no mail to a suspended member who asks for a new password.
    await requestReset(app.visitor(), 'ben@engawa.example')
    expect(await resetTokens(app)).toHaveLength(2)
    await requestReset(app.visitor())
    const [, , mine] = await resetTokens(app)
    await Ann.post('/api/account/email', { email: 'new@engawa.example' })
    const link = (await unsentMails(app)).find(({ to }) => to === 'new@engawa.example')!.text
    await Ann.post('/api/account/email/verify', { token: /#verify=([\w-]+)/.exec(link)![1]! })
    expect((await Ann.get('/api/user')).body.email).toBe('new@engawa.example')
    expect((await resetPassword(app.visitor(), { token: mine })).status).toBe(422)
    expect(await logInStatus(app.visitor(), OLD_PASSWORD, 'new@engawa.example')).toBe(204)
  })

  test('sends no mail while three links are valid, and all of them work', async () => {
    const app = await open()
    await app.members('Ann')
    await Promise.all(Array.from({ length: 5 }, () => requestReset(app.visitor())))
    const tokens = await resetTokens(app)
    expect(tokens).toHaveLength(3)
    // The requests above came from a stranger and used up the limit of mails. Half an hour later, the server
    // sends the owner a link again.
    inMinutes(31)
    await requestReset(app.visitor())
    app.context.jobs.wake()
    const later = await resetTokens(app)
    expect(later).toHaveLength(4)
    expect((await resetPassword(app.visitor(), { token: tokens[0] })).status).toBe(422)
    expect((await resetPassword(app.visitor(), { token: later[3] })).status).toBe(200)
  })

  test('keeps no token and no code that somebody could use', async () => {
    const app = await open()
    await app.members('Ann')
    await requestReset(app.visitor())
    const [token] = await resetTokens(app)
    expect(JSON.stringify(await readRows(app.db, 'password_resets'))).not.toContain(token)
    const requests = (await readRows(app.db, 'jobs')).filter(({ kind }) => kind === 'password_reset_mail')
    expect(requests).toMatchObject([{ payload: null, last_error: null }])
  })

  test('refuses common and short passwords and keeps the link', async () => {
    const app = await open()
    await app.members('Ann')
    await requestReset(app.visitor())
    const [token] = await resetTokens(app)
    for (const password of ['short', 'password123']) {
      const refused = await resetPassword(app.visitor(), { token }, password)
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['password']])
    }
    expect((await resetPassword(app.visitor(), { token })).status).toBe(200)
  })
})
