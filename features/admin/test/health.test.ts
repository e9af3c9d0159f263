import { describe, expect, test, vi } from 'vitest'
import * as backupHistory from '#core/backup/history.ts'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { runChecks } from '#core/health/health.ts'
import { type CheckedRedis, checkRedis } from '#core/health/services.ts'
import * as storedSecrets from '#core/secrets/secrets.ts'
import type { ServerHealth } from '#features/admin/contract.ts'
import * as sessions from '#features/people/sessions.ts'
import { createTestApp, dialectsInTurn, formData, type TestApp, type TestClient } from '#tests/harness.ts'
import { blackPng, uploadFile } from '#tests/pictures.ts'

const path = '/api/admin/health'
const MINUTE = 60_000
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString()
const SMTP_URL = 'smtp://user:hidden-password@mail.example'

/** Returns the health check with this name, as the admin gets it from the API. */
async function readCheck(admin: TestClient, name: string, headers: Record<string, string> = {}, query = '') {
  const { checks } = (await admin.get(path + query, headers)).body as ServerHealth
  return checks.find((check) => check.name === name)!
}

/** Inserts a job that has ended or is waiting into the database, with the given columns. */
const addJob = ({ db }: TestApp, columns: object) =>
  transaction(db, (tx) =>
    tx
      .insertInto('jobs')
      .values({ kind: 'mail', created_at: isoNow(), run_at: isoNow(), ...columns })
      .execute(),
  )

describe.each(dialectsInTurn())('the health of the server on %s', (dialect) => {
  const open = (env: Record<string, string> = {}) => createTestApp({ dialect, env })

  test('is shown to admins only, with the versions, and without folders and secrets', async () => {
    const app = await open({ SMTP_URL, SECRET: 's'.repeat(40) })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    expect((await Ben.get(path)).status).toBe(403)
    expect((await app.visitor().get(path)).status).toBe(401)
    const { body } = await Ann.get(path)
    const names = ['database', 'disk', 'pictures', 'secrets', 'backups', 'mail', 'jobs', 'audit_log']
    expect(body.checks.map(({ name }: { name: string }) => name)).toEqual([
      ...names,
      ...['https', 'proxy', 'addresses', 'rate_limits', 'clock'],
    ])
    const kind = dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'
    expect(body.versions.map(({ name }: { name: string }) => name)).toEqual(['Engawa', 'Node', kind])
    for (const { version } of body.versions) expect(version).toMatch(/^\d+\.\d+/)
    const text = JSON.stringify(body)
    for (const hidden of ['hidden-password', app.folder, 's'.repeat(40)]) expect(text).not.toContain(hidden)
    expect(await readCheck(Ann, 'database')).toMatchObject({
      status: 'ok',
      finding: expect.stringContaining(kind),
    })
  })

  test('is in the language of the admin', async () => {
    const { members } = await open()
    const { Ann } = await members('Ann')
    const check = await readCheck(Ann, 'backups', { cookie: 'lang=ja', 'accept-language': 'ja' })
    expect(check).toMatchObject({ title: 'バックアップ', finding: 'バックアップはまだありません。' })
  })

  test('says how old the newest backup is, and whether the last attempt failed', async () => {
    const app = await open({ BACKUP_AT: '03:30' })
    const { Ann } = await app.members('Ann')
    expect(await readCheck(Ann, 'backups')).toMatchObject({ status: 'ok', advice: null })
    const result = { path: '/backup', bytes: 1, files: 0, rows: 1, missing: [], lost: [] }
    const id = (await backupHistory.begin(app.db))!
    await backupHistory.run(app.db, id, async () => result as never)
    expect(await readCheck(Ann, 'backups')).toMatchObject({ status: 'ok' })
    const incomplete = (await backupHistory.begin(app.db))!
    await backupHistory.run(app.db, incomplete, async () => ({ ...result, lost: ['a', 'b'] }))
    expect(await readCheck(Ann, 'backups')).toMatchObject({
      status: 'attention',
      finding: expect.stringContaining('lacked 2 files'),
    })
    await transaction(app.db, (tx) => tx.deleteFrom('backups').where('id', '=', incomplete).execute())
    const setEnd = (ended_at: string) =>
      transaction(app.db, (tx) =>
        tx.updateTable('backups').set({ ended_at, started_at: ended_at }).where('id', '=', id).execute(),
      )
    await setEnd(minutesAgo(40 * 60))
    expect(await readCheck(Ann, 'backups')).toMatchObject({
      status: 'problem',
      finding: 'The newest backup was made 1 day ago.',
    })
    const failing = (await backupHistory.begin(app.db))!
    await backupHistory.run(app.db, failing, () => Promise.reject(new Error('x'))).catch(() => {})
    expect(await readCheck(Ann, 'backups')).toMatchObject({
      status: 'problem',
      finding: expect.stringContaining('The last attempt failed'),
    })
  })

  test('asks for nightly backups if there are none and the last one is old', async () => {
    const { members } = await open()
    const { Ann } = await members('Ann')
    expect(await readCheck(Ann, 'backups')).toMatchObject({
      status: 'attention',
      advice: expect.stringContaining('BACKUP_AT'),
    })
  })

  test('says whether mails arrive, and quotes the answer of the mail server', async () => {
    const app = await open({ SMTP_URL, MAIL_FROM: 'engawa@town.example' })
    await app.context.jobs.close()
    const { Ann } = await app.members('Ann')
    await transaction(app.db, (tx) => tx.deleteFrom('jobs').execute())
    expect(await readCheck(Ann, 'mail')).toMatchObject({ status: 'ok' })
    await addJob(app, { last_error: '451 greylisted, try later', attempts: 1, run_at: minutesAgo(-5) })
    expect(await readCheck(Ann, 'mail')).toMatchObject({
      status: 'problem',
      finding: expect.stringContaining('will be tried again: 451 greylisted'),
    })
    await addJob(app, { finished_at: minutesAgo(130) })
    expect(await readCheck(Ann, 'mail')).toMatchObject({
      status: 'attention',
      finding: expect.stringMatching(
        /^The last mail was sent 2 hours ago\. A mail failed and will be tried again/,
      ),
    })
    await transaction(app.db, (tx) => tx.deleteFrom('jobs').where('finished_at', 'is', null).execute())
    await addJob(app, { failed_at: minutesAgo(200), last_error: '550 no such user' })
    expect(await readCheck(Ann, 'mail')).toMatchObject({ status: 'ok' })
    await addJob(app, { failed_at: minutesAgo(20), last_error: '550 no such user' })
    expect(await readCheck(Ann, 'mail')).toMatchObject({
      status: 'attention',
      finding: expect.stringContaining('A later one failed: 550 no such user'),
    })
  })

  test('says that a server without SMTP_URL, or with a sender at localhost, is not ready for mail', async () => {
    const app = await open()
    const { Ann } = await app.members('Ann')
    expect(await readCheck(Ann, 'mail')).toMatchObject({
      status: 'attention',
      advice: expect.stringContaining('SMTP_URL'),
    })
    const sources = { ...app.context, isConnected: () => true }
    const [mail] = (
      await runChecks({
        ...sources,
        listSessionNetworks: sessions.listNetworks,
        config: { ...app.config, SMTP_URL },
      })
    ).filter(({ name }) => name === 'mail')
    expect(mail).toMatchObject({ status: 'attention', advice: { en: expect.stringContaining('MAIL_FROM') } })
  })

  test('says how long due jobs wait, and how many failed', async () => {
    const app = await open()
    await app.context.jobs.close()
    const { Ann } = await app.members('Ann')
    await transaction(app.db, (tx) => tx.deleteFrom('jobs').execute())
    expect(await readCheck(Ann, 'jobs')).toMatchObject({ status: 'ok' })
    await addJob(app, { kind: 'make_export', failed_at: minutesAgo(60), last_error: 'x' })
    expect(await readCheck(Ann, 'jobs')).toMatchObject({
      status: 'attention',
      finding: 'Jobs that failed in the last seven days, without mails: 1.',
    })
    await addJob(app, { kind: 'make_export', run_at: minutesAgo(10) })
    expect(await readCheck(Ann, 'jobs')).toMatchObject({
      status: 'attention',
      finding: 'Jobs that are due: 1. The oldest has waited for 10 minutes.',
    })
    await addJob(app, { run_at: minutesAgo(90) })
    expect(await readCheck(Ann, 'jobs')).toMatchObject({ status: 'problem' })
  })

  test('looks for a sample of the pictures, and for other keys', async () => {
    const app = await open()
    const { Ann } = await app.members('Ann')
    const image = uploadFile(blackPng(40, 40), 'a.png')
    for (const text of ['One', 'Two'])
      await Ann.post('/api/posts', formData({ text }, { 'images[]': [image] }))
    expect(await readCheck(Ann, 'pictures')).toMatchObject({ status: 'ok' })
    const [first, second] = await app.mediaFiles()
    await app.files.remove(first!)
    expect(await readCheck(Ann, 'pictures')).toMatchObject({ status: 'attention' })
    await app.files.remove(second!)
    expect(await readCheck(Ann, 'pictures')).toMatchObject({ status: 'problem' })

    await storedSecrets.remember(app.config, app.db)
    expect(await readCheck(Ann, 'secrets')).toMatchObject({ status: 'ok' })
    const config = { ...app.config, SECRET: Buffer.from('another') }
    const checks = await runChecks({
      ...app.context,
      config,
      isConnected: () => true,
      listSessionNetworks: sessions.listNetworks,
    })
    expect(checks.find(({ name }) => name === 'secrets')).toMatchObject({
      status: 'problem',
      finding: { en: expect.stringContaining('SECRET. So these do not work: authenticator apps') },
    })
  })

  test('compares the clocks of the device, of the database and of the newest job', async () => {
    const app = await open()
    await app.context.jobs.close()
    const { Ann } = await app.members('Ann')
    const at = (time: number) => readCheck(Ann, 'clock', {}, `?device_time=${time}`)
    expect(await at(Date.now())).toMatchObject({ status: 'ok' })
    expect(await at(Date.now() - 3 * MINUTE)).toMatchObject({
      status: 'attention',
      finding: 'The clocks of the server and of this device differ by 3 minutes.',
    })
    const now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => now + 60 * MINUTE)
    expect(await readCheck(Ann, 'clock')).toMatchObject({ status: 'problem' })
    vi.restoreAllMocks()
    await addJob(app, { created_at: minutesAgo(-10), run_at: minutesAgo(-10) })
    expect(await at(Date.now())).toMatchObject({
      status: 'attention',
      finding: expect.stringContaining('in the future'),
    })
    expect((await Ann.get(`${path}?device_time=soon`)).status).toBe(422)
  })
})

describe('the health of the network', () => {
  const forwarded = { 'x-forwarded-for': '192.0.2.7' }

  test.each([
    ['off', {}, 'ok'],
    ['off', forwarded, 'problem'],
    ['127.0.0.1', forwarded, 'ok'],
    ['127.0.0.1', {}, 'attention'],
    ['10.0.0.1', forwarded, 'problem'],
  ] as const)('with TRUST_PROXY=%s and the headers %o is: %s', async (TRUST_PROXY, headers, status) => {
    const { members } = await createTestApp({ env: { TRUST_PROXY } })
    const { Ann } = await members('Ann')
    expect(await readCheck(Ann, 'proxy', headers)).toMatchObject({ status })
  })

  test.each([
    [{}, 'ok'],
    [{ HOST: '0.0.0.0' }, 'problem'],
    [{ PUBLIC_URL: 'http://town.example' }, 'problem'],
    [{ PUBLIC_URL: 'https://town.example', HOST: '0.0.0.0' }, 'ok'],
  ] as const)('checks HTTPS with %o: %s', async (env, status) => {
    const { context } = await createTestApp({ env })
    const checks = await runChecks({
      ...context,
      isConnected: () => true,
      listSessionNetworks: sessions.listNetworks,
    })
    expect(checks.find(({ name }) => name === 'https')).toMatchObject({ status })
    expect(checks.find(({ name }) => name === 'rate_limits')).toMatchObject({ status: 'problem' })
    expect(checks.find(({ name }) => name === 'proxy')).toBeUndefined()
  })

  test('a part that does not answer is a problem, and its error is not shown', async () => {
    const { context } = await createTestApp()
    const failing = () => Promise.reject(new Error('secret detail'))
    const redis: CheckedRedis = { keyPrefix: '', runScript: failing }
    const storage = { check: failing, has: failing, read: failing }
    const checks = await runChecks({
      ...context,
      storage,
      redis,
      isConnected: () => true,
      listSessionNetworks: sessions.listNetworks,
    })
    for (const name of ['pictures', 'redis'])
      expect(checks.find((check) => check.name === name)).toMatchObject({ status: 'problem' })
    expect(JSON.stringify(checks)).not.toContain('secret detail')
  })

  test('Redis needs to send back what is published', async () => {
    const redis: CheckedRedis = {
      keyPrefix: 'x',
      runScript: async () => '# Server\r\nredis_version:7.4.1\r\n',
    }
    expect(await checkRedis(redis, () => true)).toMatchObject({
      status: 'ok',
      finding: { en: 'Redis 7.4.1 answers.' },
    })
    expect(await checkRedis(redis, () => false)).toMatchObject({ status: 'problem' })
  })
})
