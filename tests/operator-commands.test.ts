import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { migratedCommunity, startUnlimited } from '#tests/backup-helpers.ts'
import { deep } from '#tests/deep.ts'
import { databases, dialectsInTurn } from '#tests/harness.ts'
import { axiosMember, axiosVisitor, PASSWORD } from '#tests/sanctum.ts'
import { bundleEnvironment, type ServerEnvironment, stopServers } from '#tests/server.ts'

vi.setConfig({ testTimeout: 120_000 })
afterAll(stopServers)

const bundle = await bundleEnvironment()

/**
 * Runs the command `bin/engawa` with a text on standard input. Returns the exit status, and what the
 * command prints.
 */
function engawa(env: ServerEnvironment, args: string[], input = '') {
  const { PATH = '', HOME = '' } = process.env
  const program = join(import.meta.dirname, '../bin/engawa')
  const options = { env: { PATH, HOME, ...bundle, ...env }, encoding: 'utf8', input } as const
  const { status, stdout, stderr } = spawnSync(program, args, options)
  return { status, output: (stdout + stderr).trim() }
}
const logIn = async (url: string, email: string, password: string) =>
  (await axiosVisitor(url).logIn(email, password)).status

// On PostgreSQL only in the deep stage: tests/multi-process-caches.test.ts runs such commands there too.
describe.each(deep ? databases : (['sqlite'] as const))('the commands of the operator on %s', (dialect) => {
  test('set a password, remove the second step and end sessions, while a server runs and after it', async () => {
    const env = await migratedCommunity(dialect)
    const server = await startUnlimited(env)
    const ana = await axiosMember(server.url, 'Ana')
    const ben = await axiosMember(server.url, 'Ben')
    const { http, email } = ben
    const kinds = async () =>
      (await ana.http.get('/api/account/security-events')).data.map(({ kind }: { kind: string }) => kind)

    expect(engawa(env, ['session', 'list', email]).output).toMatch(/^2.+Z\t2.+Z\t\S+\t/)
    expect(engawa(env, ['session', 'end', email])).toEqual({ status: 0, output: '1 session has ended.' })
    expect((await http.get('/api/user')).status).toBe(401)
    expect(engawa(env, ['session', 'list', email]).output).toBe(`${email} is not logged in.`)
    expect(engawa(env, ['session', 'end', 'nobody@engawa.example']).status).toBe(1)

    expect((await ana.http.post('/api/account/one-time-codes')).status).toBe(200)
    expect(engawa(env, ['second-step', 'remove', ana.email]).output).toBe(`${ana.email} has no second step.`)

    for (const [weak, says] of [
      ['short', '8 to 1,000'],
      ['password123', 'most common'],
    ] as const) {
      const { status, output } = engawa(env, ['password', 'set', email], weak)
      expect([status, output]).toEqual([1, expect.stringContaining(says)])
    }
    expect(await logIn(server.url, email, PASSWORD)).toBe(204)
    const set = engawa(env, ['password', 'set', ana.email], 'seven paper lanterns\n')
    expect(set).toEqual({
      status: 0,
      output: `The password of ${ana.email} is set, and all sessions have ended.`,
    })
    expect((await ana.http.get('/api/user')).status).toBe(401)
    expect(await logIn(server.url, ana.email, PASSWORD)).toBe(422)
    expect((await ana.logIn(ana.email, 'seven paper lanterns')).status).toBe(204)
    expect((await kinds()).slice(0, 3)).toEqual(['logged_in', 'log_in_failed', 'password_reset'])
    await server.stop()

    // Expects that the last admin cannot lose the admin right, and that a password that the command has
    // generated works after the next start.
    expect(engawa(env, ['admin', 'revoke', ana.email])).toEqual({
      status: 1,
      output: expect.stringContaining('is the last admin'),
    })
    expect(engawa(env, ['session', 'end', ana.email]).status).toBe(0)
    const generated = engawa(env, ['password', 'set', email])
    expect(generated.output).toMatch(/^([0-9a-z]{4}-){4}[0-9a-z]{4}$/)
    const again = await startUnlimited(env)
    expect(await logIn(again.url, email, generated.output)).toBe(204)
  })
})

describe.each(dialectsInTurn())('the doctor on %s', (dialect) => {
  test('checks the server, on a stopped one too, and fails if there is a problem', async () => {
    const env = await migratedCommunity(dialect)
    const server = await startUnlimited(env)
    await server.stop()
    const healthy = engawa(env, ['doctor'])
    expect(healthy.output).toMatch(/^ok +Database: (SQLite|PostgreSQL) \d/)
    expect(healthy.output).toMatch(
      /^ATTENTION +Backups: There is no backup yet\.\n +What to do: Set BACKUP_AT/m,
    )
    expect(healthy.output).toMatch(/\nEngawa \d.+, Node \d.+, (SQLite|PostgreSQL) \d\S+$/)
    expect(healthy.status).toBe(0)
    const open = engawa({ ...env, HOST: '0.0.0.0' }, ['doctor'])
    expect(open.output).toMatch(/^PROBLEM +HTTPS: /m)
    expect(open.status).toBe(1)
    expect(engawa({ ...env, DATA_DIR: '/nowhere', DATABASE_URL: '' }, ['doctor']).status).toBe(1)
  })
})

describe.each(dialectsInTurn())('the commands of the search on %s', (dialect) => {
  test('compare the index with all texts, and build it again while people write', async () => {
    const env = await migratedCommunity(dialect)
    const server = await startUnlimited(env)
    const ana = await axiosMember(server.url, 'Ana')
    for (let index = 0; index < 3; index++) await ana.http.post('/api/posts', { text: `雨 ${index}` })
    const whole = { status: 0, output: 'The search index has the words of all texts, and no others.' }
    expect(engawa(env, ['search', 'check'])).toEqual(whole)
    const rebuilt = engawa(env, ['search', 'rebuild'])
    expect([rebuilt.status, rebuilt.output]).toEqual([0, expect.stringContaining('All texts can be found.')])
    expect(engawa(env, ['search', 'check'])).toEqual(whole)
    expect((await ana.http.get(`/api/search?q=${encodeURIComponent('雨')}`)).data).toHaveLength(3)
    await server.stop()
  })
})
