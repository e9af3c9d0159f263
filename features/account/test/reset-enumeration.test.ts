import { beforeEach, describe, expect, test, vi } from 'vitest'
import { dialectsInTurn, type TestApp } from '#tests/harness.ts'
import { ANN_EMAIL, appWithMails, requestReset, resetPassword, resetTokens } from './resets.ts'
import { databaseIdle, recordSql } from './statements.ts'

/**
 * The number of password hashes that the server has computed. The tests compare this number, because a hash
 * takes a time that strangers can measure.
 */
const hashes = vi.hoisted(() => ({ count: 0 }))
vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>()
  const argon2 = (...input: Parameters<typeof crypto.argon2>) => {
    hashes.count++
    return crypto.argon2(...input)
  }
  return { ...crypto, argon2 }
})
beforeEach(() => vi.restoreAllMocks())

const SUSPENDED = 'ben@engawa.example'
const UNKNOWN = 'zoe@engawa.example'

describe.each(dialectsInTurn())('a stranger on %s', (dialect) => {
  /**
   * Creates an app with a member and a suspended member. Stops the job runner, so that no job runs besides
   * the request.
   */
  async function open(env: Record<string, string> = {}) {
    const app = await appWithMails(dialect, env)
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const { codes } = (await Ben.post('/api/account/recovery-codes')).body
    await Ann.post('/api/account/recovery-codes')
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    await app.context.jobs.close()
    await databaseIdle(app)
    return { app, suspendedCode: codes[0] as string }
  }

  /**
   * Sends a request about an email address. Returns all that the client sees of the response, the SQL
   * statements and the number of hashes, so that tests can compare known and unknown addresses.
   */
  async function observe(app: TestApp, email: string, call: typeof requestReset) {
    const visitor = app.visitor()
    await visitor.get('/sanctum/csrf-cookie')
    const statements = recordSql(app)
    hashes.count = 0
    const { status, body, headers } = await call(visitor, email)
    vi.restoreAllMocks()
    const { date: _, 'x-request-id': __, ...others } = headers
    return { status, body, headers: others, statements, hashes: hashes.count }
  }

  test('cannot learn from the request of a link whether an account exists', async () => {
    const { app } = await open()
    const [known, suspended, unknown] = [
      await observe(app, ANN_EMAIL, requestReset),
      await observe(app, SUSPENDED, requestReset),
      await observe(app, UNKNOWN, requestReset),
    ]
    expect(known.status).toBe(200)
    expect(known.statements.length).toBeGreaterThan(0)
    expect(suspended).toEqual(known)
    expect(unknown).toEqual(known)
  })

  test('cannot learn from a refused code whether an account exists', async () => {
    const { app, suspendedCode } = await open()
    const tryCode = (code: string) => (client: Parameters<typeof requestReset>[0], email?: string) =>
      resetPassword(client, { email, code })
    const known = await observe(app, ANN_EMAIL, tryCode('0000-0000-0000-0000'))
    expect([known.status, known.hashes]).toEqual([422, 2])
    expect(known.statements.length).toBeGreaterThan(3)
    for (const [email, code] of [
      [ANN_EMAIL, '0000-0000-0000'],
      [ANN_EMAIL, 'x'],
      [SUSPENDED, '0000-0000-0000-0000'],
      [SUSPENDED, suspendedCode],
      [UNKNOWN, '0000-0000-0000-0000'],
    ] as const)
      expect(await observe(app, email, tryCode(code)), `${email} ${code}`).toEqual(known)
  })

  test('has to wait after ten wrong codes, for each address alike, and delays nobody else', async () => {
    const { app } = await open({ RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' })
    let now = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    const guess = async (email: string, address: string) => {
      const stranger = app.visitor({ 'x-forwarded-for': address })
      return (await resetPassword(stranger, { email, code: '0000-0000-0000' })).status
    }
    for (const email of [ANN_EMAIL, SUSPENDED, UNKNOWN]) {
      const statuses = []
      for (let tries = 0; tries < 12; tries++) statuses.push(await guess(email, '198.51.100.1'))
      expect(statuses, email).toEqual([...Array(10).fill(422), 429, 429])
      expect(await guess(email, '203.0.113.1'), email).toBe(422)
    }
    now += 1100
    expect(await guess(ANN_EMAIL, '198.51.100.1')).toBe(422)
    expect(await guess(ANN_EMAIL, '198.51.100.1')).toBe(429)
  })

  test('cannot flood the mailbox of a member from many addresses', async () => {
    const app = await appWithMails(dialect, { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' })
    await app.members('Ann')
    for (let n = 1; n <= 10; n++)
      expect((await requestReset(app.visitor({ 'x-forwarded-for': `198.51.100.${n}` }))).status).toBe(200)
    expect(await resetTokens(app)).toHaveLength(3)
    const stranger = app.visitor()
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await requestReset(stranger, UNKNOWN)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })
})

test('without a mail server, the answer for each address says to ask an admin', async () => {
  const app = await appWithMails('sqlite', { SMTP_URL: '' })
  await app.members('Ann')
  const [known, unknown] = [await requestReset(app.visitor()), await requestReset(app.visitor(), UNKNOWN)]
  expect(known.body.message).toContain('ask an admin for a code')
  expect(unknown.body).toEqual(known.body)
})
