import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import * as deletions from '#features/account/deletion.ts'
import { revokeAdmin } from '#features/people/admins.ts'
import { runDeletions } from '#tests/account-deletion.ts'
import { ageConfirmations } from '#tests/account-security.ts'
import { createTestApp, databases, readRows, type TestApp, type TestClient } from '#tests/harness.ts'

const WEEK = 7 * 24 * 3600_000
const request = (who: TestClient, messages: unknown = 'keep') =>
  who.send('DELETE', '/api/account', { messages })
const requestFor = (admin: TestClient, id: number, messages: unknown = 'keep') =>
  admin.send('DELETE', `/api/admin/users/${id}`, { messages })

/**
 * Marks the email addresses of all members as verified, because the server sends no mail about an account to
 * an unverified address.
 */
const verifyAll = (db: TestApp['db']) =>
  transaction(db, (tx) =>
    tx.updateTable('users').set({ email_verified_at: new Date().toISOString() }).execute(),
  )

/** Lists the mails in the table `jobs` that are not sent yet, oldest first. */
const listWaitingMails = async (db: TestApp['db']) =>
  (await readRows(db, 'jobs'))
    .filter(({ kind, payload }) => kind === 'mail' && payload)
    .sort((a, b) => Number(a.id) - Number(b.id))
    .map(({ payload }) => JSON.parse(String(payload)) as { to: string; subject: string; text: string })

/** The environment of a server whose mail server does not exist, so that mails stay in the table `jobs`. */
const mailEnv = { SMTP_URL: 'smtp://127.0.0.1:1' }

describe.each(databases)('a request to delete an account on %s', (dialect) => {
  test('says what there is to delete, and takes effect after a week', async () => {
    const app = await createTestApp({ dialect })
    const { ben } = await app.members('ann', 'ben')
    await ben.post('/api/posts', { text: 'one' })
    const noContent = {
      replies: 0,
      pictures: 0,
      private_messages: 0,
      group_messages: 0,
      groups: 0,
      album_pictures: 0,
    }
    const state = async () => (await ben.get('/api/account/deletion')).body
    expect(await state()).toEqual({ deletion: null, content: { posts: 1, ...noContent } })
    const { status, body } = await request(ben, 'delete')
    expect([status, body]).toEqual([
      200,
      { messages: 'delete', by_admin: false, created_at: expect.any(String), due_at: expect.any(String) },
    ])
    expect(Date.parse(body.due_at) - Date.parse(body.created_at)).toBeCloseTo(WEEK, -3)
    expect((await state()).deletion).toEqual(body)
    // The member can still use the account until the deletion.
    expect((await ben.post('/api/posts', { text: 'two' })).status).toBe(201)
    await app.context.jobs.idle()
    const [job] = (await readRows(app.db, 'jobs')).filter(({ kind }) => kind === 'delete_account')
    expect(job).toMatchObject({ run_at: body.due_at, attempts: 0 })
  })

  test('is taken back, and the account stays when the job runs', async () => {
    const app = await createTestApp({ dialect })
    const { ben } = await app.members('ann', 'ben')
    await request(ben)
    for (let times = 0; times < 2; times++) expect((await ben.post('/api/account/keep')).status).toBe(204)
    expect((await ben.get('/api/account/deletion')).body.deletion).toBeNull()
    await runDeletions(app)
    expect((await ben.get('/api/user')).status).toBe(200)
    const kinds = (await ben.get('/api/account/security-events')).body.map(
      ({ kind }: { kind: string }) => kind,
    )
    expect(kinds).toEqual(['deletion_cancelled', 'deletion_requested', 'registered'])
  })

  test('that is taken back and repeated takes effect a week after the repetition', async () => {
    const app = await createTestApp({ dialect })
    const { ben } = await app.members('ann', 'ben')
    const first = (await request(ben)).body
    await ben.post('/api/account/keep')
    await new Promise((later) => setTimeout(later, 5))
    const second = (await request(ben)).body
    await deletions.run(app.context, { user_id: ben.id, due_at: first.due_at })
    expect((await ben.get('/api/user')).status).toBe(200)
    await deletions.run(app.context, { user_id: ben.id, due_at: second.due_at })
    expect((await ben.get('/api/user')).status).toBe(401)
  })

  test('is refused without a confirmation, without a choice, a second time, and for visitors', async () => {
    const app = await createTestApp({ dialect })
    const { ben } = await app.members('ann', 'ben')
    const guest = app.visitor()
    await guest.get('/sanctum/csrf-cookie')
    expect((await request(guest)).status).toBe(401)
    expect((await guest.get('/api/account/deletion')).status).toBe(401)
    for (const messages of ['', 'all', null, 1]) expect((await request(ben, messages)).status).toBe(422)
    await ageConfirmations(app.db)
    expect((await request(ben)).status).toBe(423)
    await ben.post('/api/account/confirm', { password: 'correct horse' })
    expect((await request(ben)).status).toBe(200)
    expect((await request(ben)).status).toBe(422)
    expect(await readRows(app.db, 'account_deletions')).toHaveLength(1)
  })

  test('is refused for the last admin who stays', async () => {
    const app = await createTestApp({ dialect })
    const { ann, ben } = await app.members('ann', 'ben')
    expect((await request(ann)).status).toBe(422)
    await ann.put(`/api/admin/users/${ben.id}/admin`)
    const both = await Promise.all([request(ann), request(ben)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test('waits for another admin if the member has become the last one', async () => {
    const app = await createTestApp({ dialect })
    const { ann, ben } = await app.members('ann', 'ben')
    await ann.put(`/api/admin/users/${ben.id}/admin`)
    const { body } = await request(ann)
    // An admin whose account will be deleted (ann) cannot remove the admin right of the other admin (ben).
    // The command of the operator can.
    expect((await ann.delete(`/api/admin/users/${ben.id}/admin`)).status).toBe(403)
    await transaction(app.db, (tx) => revokeAdmin(tx, ben.id))
    await deletions.run(app.context, { user_id: ann.id, due_at: body.due_at })
    const { deletion } = (await ann.get('/api/account/deletion')).body
    expect(Date.parse(deletion.due_at)).toBeGreaterThan(Date.now() + 23 * 3600_000)
    await ann.put(`/api/admin/users/${ben.id}/admin`)
    await runDeletions(app)
    expect((await ann.get('/api/user')).status).toBe(401)
    expect((await ben.get('/api/admin/users')).body.userData).toMatchObject([{ id: ben.id }])
  })

  test('is announced by mail, and the last mail is the only one that waits after the deletion', async () => {
    const app = await createTestApp({ dialect, env: mailEnv, jobRetryDelays: [WEEK] })
    const { ben } = await app.members('ann', 'ben')
    await verifyAll(app.db)
    await ben.send('POST', '/api/account/email', { email: 'new@engawa.example' })
    const { body } = await request(ben)
    const day = new Date(body.due_at).getUTCDate()
    const toBen = async () => (await listWaitingMails(app.db)).filter(({ to }) => !to.startsWith('ann@'))
    expect((await toBen()).at(-1)).toMatchObject({
      to: 'ben@engawa.example',
      subject: 'Your account on Engawa will be deleted',
      text: expect.stringContaining(`${day}`),
    })
    expect((await toBen()).map(({ to }) => to)).toContain('new@engawa.example')
    await deletions.run(app.context, { user_id: ben.id, due_at: body.due_at })
    expect(await toBen()).toMatchObject([
      { to: 'ben@engawa.example', subject: 'Your account on Engawa has been deleted' },
    ])
    expect(await listWaitingMails(app.db)).toHaveLength(2)
  })

  test('runs once, however often its job runs', async () => {
    const app = await createTestApp({ dialect })
    const { ben } = await app.members('ann', 'ben')
    await ben.post('/api/posts', { text: 'one' })
    const job = { user_id: ben.id, due_at: (await request(ben)).body.due_at }
    await Promise.all([deletions.run(app.context, job), deletions.run(app.context, job)])
    await deletions.run(app.context, job)
    expect((await readRows(app.db, 'users')).map(({ name }) => name)).toEqual(['ann'])
    const files = (await readRows(app.db, 'jobs')).filter(({ kind }) => kind === 'delete_mail_files')
    // The deletion of the account adds two jobs that delete mail files: one for the files that name the
    // account, one for the files of version 0.2.
    expect(files).toHaveLength(2)
  })
})

describe.each(databases)('the deletion of a member by an admin on %s', (dialect) => {
  test('suspends the member for a week, shows in the list, and can be taken back', async () => {
    const app = await createTestApp({ dialect, env: mailEnv, jobRetryDelays: [WEEK] })
    const { ann, ben } = await app.members('ann', 'ben')
    await verifyAll(app.db)
    const { status, body } = await requestFor(ann, ben.id, 'delete')
    expect([status, body]).toMatchObject([
      200,
      { id: ben.id, suspended_at: expect.any(String), deletion: { messages: 'delete', by_admin: true } },
    ])
    expect((await ann.get('/api/admin/users')).body.userData[1]).toEqual(body)
    expect((await ben.get('/api/user')).status).toBe(401)
    const kept = await ann.post(`/api/admin/users/${ben.id}/keep`)
    expect(kept.body).toMatchObject({ suspended_at: null, deletion: null })
    const subjects = (await listWaitingMails(app.db)).map(({ subject }) => subject)
    expect(subjects.slice(-2)).toEqual([
      'Your account on Engawa will be deleted',
      'Your account on Engawa stays',
    ])
    await runDeletions({ ...app, context: { ...app.context } }).catch(() => {})
    expect((await ann.get('/api/admin/users')).body.userData).toHaveLength(2)
  })

  test('deletes the member after the week', async () => {
    const app = await createTestApp({ dialect })
    const { ann, ben } = await app.members('ann', 'ben')
    await requestFor(ann, ben.id)
    await runDeletions(app)
    expect((await ann.get('/api/admin/users')).body.userData).toMatchObject([{ id: ann.id }])
  })

  test('keeps an earlier suspension when it is taken back', async () => {
    const app = await createTestApp({ dialect })
    const { ann, ben } = await app.members('ann', 'ben')
    await ann.put(`/api/admin/users/${ben.id}/suspension`)
    await new Promise((later) => setTimeout(later, 5))
    await requestFor(ann, ben.id)
    const kept = await ann.post(`/api/admin/users/${ben.id}/keep`)
    expect(kept.body).toMatchObject({ suspended_at: expect.any(String), deletion: null })
  })

  test('is refused for oneself, for admins, twice, without a confirmation, and by members', async () => {
    const app = await createTestApp({ dialect })
    const { ann, ben, eve } = await app.members('ann', 'ben', 'eve')
    await ann.put(`/api/admin/users/${eve.id}/admin`)
    expect((await requestFor(ann, ann.id)).status).toBe(403)
    expect((await requestFor(ann, eve.id)).status).toBe(403)
    expect((await requestFor(ben, ann.id)).status).toBe(403)
    expect((await requestFor(ann, 999)).status).toBe(404)
    expect((await requestFor(ann, ben.id, 'some')).status).toBe(422)
    await ageConfirmations(app.db)
    expect((await requestFor(ann, ben.id)).status).toBe(423)
    await ann.post('/api/account/confirm', { password: 'correct horse' })
    expect((await requestFor(ann, ben.id)).status).toBe(200)
    expect((await requestFor(ann, ben.id)).status).toBe(422)
    expect((await ben.post(`/api/admin/users/${ben.id}/keep`)).status).toBe(401)
  })

  test('is not taken back by the member, and a member’s own request not by an admin', async () => {
    const app = await createTestApp({ dialect })
    const { ann, ben, eve } = await app.members('ann', 'ben', 'eve')
    await request(eve)
    expect((await ann.post(`/api/admin/users/${eve.id}/keep`)).status).toBe(403)
    expect((await requestFor(ann, eve.id)).status).toBe(422)
    await requestFor(ann, ben.id)
    await ann.delete(`/api/admin/users/${ben.id}/suspension`)
    await ben.get('/sanctum/csrf-cookie')
    await ben.post('/login', { email: 'ben@engawa.example', password: 'correct horse' })
    expect((await ben.get('/api/account/deletion')).body.deletion).toMatchObject({ by_admin: true })
    expect((await ben.post('/api/account/keep')).status).toBe(403)
  })
})
