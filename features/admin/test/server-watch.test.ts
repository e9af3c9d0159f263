import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { judgeFreeSpace } from '#core/health/free-space.ts'
import type { Notification } from '#features/notifications/contract.ts'
import { describeNotification } from '#features/notifications/describe.ts'
import { notificationPath } from '#features/notifications/path-contract.ts'
import { createTestApp, dialectsInTurn, type TestApp, type TestClient } from '#tests/harness.ts'
import { lookAtServer } from '../server-watch.ts'

const GB = 1e9
/** Looks at the server as if `free` bytes of a disk of 100 GB were free. */
const lookWithFree = ({ context }: TestApp, free: number) =>
  lookAtServer(context, async () => judgeFreeSpace({ free, total: 100 * GB }, { MIN_FREE_MB: 2000 }))

const look = (app: TestApp) => lookWithFree(app, 50 * GB)

const listNotices = async (who: TestClient, lang: 'en' | 'ja' = 'en') =>
  (await who.get('/api/notifications')).body
    .filter(({ kind }: Notification) => kind === 'server')
    .map((one: Notification) => describeNotification(one, lang))
const countUnread = async (who: TestClient) => (await who.get('/api/notifications/unread')).body.count

const listMails = async ({ db }: TestApp) => {
  const rows = await db
    .selectFrom('jobs')
    .select('payload')
    .where('kind', '=', 'mail')
    .where('payload', 'like', '%/admin/health%')
    .orderBy('id')
    .execute()
  return rows.map(({ payload }) => JSON.parse(payload!) as { to: string; subject: string; text: string })
}

const change = (app: TestApp, statement: string) =>
  transaction(app.db, (tx) => sql.raw(statement).execute(tx))

/** Creates an app with two admins, of whom Ann has a verified address, and a member, Cem. */
async function createApp(options: Parameters<typeof createTestApp>[0] = {}) {
  const app = await createTestApp(options)
  const people = await app.members('Ann', 'Ben', 'Cem')
  await people.Ann.put(`/api/admin/users/${people.Ben.id}/admin`)
  await change(
    app,
    `update users set email_verified_at = '2026-01-01T00:00:00.000Z' where id = ${people.Ann.id}`,
  )
  // Mails stay in their jobs, so that the test can read them.
  await app.context.jobs.close()
  await change(app, `delete from jobs where kind = 'mail'`)
  return { app, ...people }
}

const addBackup = (app: TestApp, ended_at: string, error: string | null) =>
  transaction(app.db, (tx) =>
    tx
      .insertInto('backups')
      .values({
        ...{
          started_at: ended_at,
          lease_expires_at: ended_at,
          ended_at,
          error,
          bytes: 1,
          nightly_date: null,
        },
        ...{ path: '/backups/x', files: 0, row_count: 1, missing: 0 },
      })
      .execute(),
  )

const addMailJob = (app: TestApp, created_at: string, values: object) =>
  transaction(app.db, (tx) =>
    tx
      .insertInto('jobs')
      .values({ kind: 'mail', payload: '{}', created_at, run_at: '2999-01-01T00:00:00.000Z', ...values })
      .execute(),
  )

describe.each(dialectsInTurn())('who looks after the server on %s', (dialect) => {
  test('is told of a failed backup once, also by a second process, and when it is over', async () => {
    const { app, Ann, Ben, Cem } = await createApp({ dialect })
    await look(app)
    expect(await listNotices(Ann)).toEqual([])
    await addBackup(app, '2026-11-01T00:00:00.000Z', 'The disk is full.')
    await Promise.all([look(app), look(app)])
    for (const admin of [Ann, Ben]) {
      expect(await listNotices(admin)).toEqual(['The backup failed or is overdue'])
      expect(await countUnread(admin)).toBe(1)
    }
    expect(await listNotices(Cem)).toEqual([])
    const [notice] = (await Ann.get('/api/notifications')).body
    expect(notice.server).toEqual({ condition: 'backup', is_over: false })
    expect(notificationPath(notice)).toBe('/admin/health')
    const [mail, ...others] = await listMails(app)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      to: 'ann@engawa.example',
      subject: 'Engawa: The backup failed or is overdue',
      text: expect.stringContaining('The last attempt failed: The disk is full.'),
    })

    await addBackup(app, '2026-11-02T00:00:00.000Z', null)
    await look(app)
    await look(app)
    expect(await listNotices(Ann)).toEqual(['Backups work again'])
    expect(await listNotices(Ann, 'ja')).toEqual(['バックアップは正常に戻りました'])
    expect((await listMails(app)).map(({ subject }) => subject)).toEqual([
      'Engawa: The backup failed or is overdue',
      'Engawa: Backups work again',
    ])
  })

  test('is warned early of a full disk, and not again and again at the bound', async () => {
    const { app, Ann } = await createApp({ dialect })
    await lookWithFree(app, 9.9 * GB)
    expect(await listNotices(Ann)).toEqual(['The disk of the server is getting full'])
    await lookWithFree(app, 10.1 * GB)
    await lookWithFree(app, 9.9 * GB)
    expect(await listMails(app)).toHaveLength(1)
    await lookWithFree(app, 4 * GB)
    expect((await listNotices(Ann))[0]).toBe('The disk of the server is almost full')
    await lookWithFree(app, 20 * GB)
    expect(await listNotices(Ann)).toEqual([
      'The disk of the server is no longer almost full',
      'The disk of the server has enough space again',
    ])
    expect(await listMails(app)).toHaveLength(4)
  })

  test('is told of mails that keep failing, not of one that was refused, and of the next success', async () => {
    const { app, Ann } = await createApp({ dialect, env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
    await addMailJob(app, '2026-11-01T00:00:00.000Z', {
      ...{ attempts: 1, last_error: '550 nobody', failed_at: '2026-11-01T00:00:01.000Z' },
    })
    await look(app)
    expect(await listNotices(Ann)).toEqual([])
    await addMailJob(app, '2026-11-01T01:00:00.000Z', { attempts: 2, last_error: 'connect ECONNREFUSED' })
    await look(app)
    expect(await listNotices(Ann)).toEqual(['Mails cannot be sent'])
    expect((await listMails(app))[0]!.text).toContain('connect ECONNREFUSED')
    // Jobs that failed are deleted after thirty days. That is no success.
    await change(app, `delete from jobs where last_error is not null`)
    await look(app)
    expect(await listNotices(Ann)).toEqual(['Mails cannot be sent'])
    await addMailJob(app, '2026-11-02T00:00:00.000Z', {
      attempts: 1,
      finished_at: '2026-11-02T00:00:01.000Z',
    })
    await look(app)
    expect(await listNotices(Ann)).toEqual(['Mails are being sent again'])
  })

  test('is told that the log of admins was changed with another tool', async () => {
    const { app, Ann } = await createApp({ dialect })
    await look(app)
    await change(app, 'delete from audit_log where id > 1')
    await change(
      app,
      `update audit_log_head set entries = 1, hash = (select hash from audit_log where id = 1)`,
    )
    await look(app)
    expect(await listNotices(Ann)).toEqual(['The log of what admins did was changed with another tool'])
    const { checks } = (await Ann.get('/api/admin/health')).body
    expect(checks.find(({ name }: { name: string }) => name === 'audit_log')).toMatchObject({
      status: 'problem',
    })
  })
})

test('a condition that cannot be looked at changes nothing, and the others are looked at', async () => {
  const { app, Ann } = await createApp()
  await addBackup(app, '2026-11-01T00:00:00.000Z', 'It failed.')
  await lookAtServer(app.context, () => Promise.reject(new Error('no disk')))
  expect(await listNotices(Ann)).toEqual(['The backup failed or is overdue'])
})

test('a certificate that ends soon is named by the doctor and to the admins, until it is renewed', async () => {
  const { app: folder } = await createApp()
  const makeServer = (days: number) => {
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder.folder, name))
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        String(days),
      ].concat(['-subj', '/CN=localhost', '-keyout', key!, '-out', cert!]),
      { stdio: 'ignore' },
    )
    return { key: readFileSync(key!), cert: readFileSync(cert!) }
  }
  const server = createServer(makeServer(3)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const { app, Ann } = await createApp({ env: { PUBLIC_URL: `https://127.0.0.1:${port}` } })
  await look(app)
  expect(await listNotices(Ann)).toEqual([])
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2.5 * 24 * 3600_000 })
  onTestFinished(() => void vi.useRealTimers())
  await look(app)
  expect(await listNotices(Ann)).toEqual(['The certificate for HTTPS ends soon'])
  expect((await listMails(app))[0]!.text).toMatch(/The certificate for HTTPS ends in 1\d hours/)
  const { checks } = (await Ann.get('/api/admin/health')).body
  expect(checks.find(({ name }: { name: string }) => name === 'https')).toMatchObject({ status: 'attention' })
  server.setSecureContext(makeServer(365))
  await look(app)
  expect(await listNotices(Ann)).toEqual(['The certificate for HTTPS has been renewed'])
})
