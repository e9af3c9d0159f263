import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import {
  logInStatus,
  NEW_PASSWORD,
  resetPassword,
  resetTokens,
  unsentMails,
} from '#features/account/test/resets.ts'
import { checkLog } from '#tests/audit-log.ts'
import { dialectsInTurn, readRows, type TestApp } from '#tests/harness.ts'
import {
  approvalScene,
  askAndVerify,
  askToJoin,
  decideRequest,
  joinTokens,
  verifyJoinEmail,
  waitingRequests,
} from '#tests/join-requests.ts'
import { registerVisitor, saveWhoCanJoin } from './registrations.ts'

const findMail = async (app: TestApp, subject: string) =>
  (await unsentMails(app)).find((mail) => mail.subject.includes(subject))

describe.each(dialectsInTurn())('the decision about a request to join on %s', (dialect) => {
  test('creates the account, which has the chosen password and a verified address', async () => {
    const { app, Ann } = await approvalScene(dialect)
    expect((await askToJoin(app, 'Dan', { reading: '檀' })).body.errors).toHaveProperty('reading')
    const cho = await askAndVerify(app, 'Cho', { reading: 'チョウ' }, 'ja')
    const [request] = await waitingRequests(Ann)
    expect(request).toMatchObject({ name: 'Cho', reading: 'ちょう' })
    const { status, body } = await decideRequest(Ann, request!.id, 'approve')
    expect([status, body.user.name]).toEqual([200, 'Cho'])
    expect(await cho.readState()).toBe('approved')
    expect((await cho.logIn()).status).toBe(204)
    expect((await cho.person.get('/api/user')).body).toMatchObject({
      id: body.user.id,
      reading: 'ちょう',
      email_verified_at: expect.any(String),
      is_admin: false,
    })
    expect(await findMail(app, '【Engawa】ようこそ')).toMatchObject({ to: 'cho@engawa.example' })
    expect(await readRows(app.db, 'join_requests')).toEqual([])
    expect(await readRows(app.db, 'known_members')).toMatchObject([
      { user_id: body.user.id, known_by: Ann.id },
    ])
    const [entry] = (await Ann.get('/api/audit-log')).body
    expect(entry).toMatchObject({
      action: 'join_request_approved',
      actor: { id: Ann.id },
      member: { name: 'Cho' },
    })
  })

  test('gives a stranger no account with the address of another, whoever opens the link', async () => {
    const { app, Ann } = await approvalScene(dialect)
    const stranger = await askToJoin(app, 'Cho')
    const owner = app.visitor()
    await owner.get('/sanctum/csrf-cookie')
    const [token] = await joinTokens(app)
    expect((await verifyJoinEmail(owner, token)).body).toEqual({ state: 'waiting' })
    const [request] = await waitingRequests(Ann)
    expect(request).toMatchObject({ is_verified: true, is_proven: false })
    await decideRequest(Ann, request!.id, 'approve')
    expect((await findMail(app, 'Welcome'))!.text).toContain('another browser')
    const refused = await stranger.logIn()
    expect([refused.status, (await stranger.person.get('/api/user')).status]).toEqual([403, 401])
    await app.context.jobs.idle()
    const [reset] = await resetTokens(app)
    expect((await resetPassword(owner, { token: reset })).status).toBe(200)
    expect((await stranger.logIn()).status).toBe(422)
    expect(await logInStatus(owner, NEW_PASSWORD, 'cho@engawa.example')).toBe(204)
  })

  test('sees the proof when the link is opened again in the browser that has asked', async () => {
    const { app, Ann } = await approvalScene(dialect)
    const cho = await askToJoin(app, 'Cho')
    const gateway = app.visitor()
    await gateway.get('/sanctum/csrf-cookie')
    const [token] = await joinTokens(app)
    for (const opened of [gateway, cho.person]) await verifyJoinEmail(opened, token)
    const [request] = await waitingRequests(Ann)
    expect(request).toMatchObject({ is_verified: true, is_proven: true })
    await decideRequest(Ann, request!.id, 'approve')
    expect((await cho.logIn()).status).toBe(204)
  })

  test('deletes a refused request with its data, and tells the person why', async () => {
    const { app, Ann, Ben } = await approvalScene(dialect)
    const cho = await askAndVerify(app, 'Cho', { answer: 'Let me in.' }, 'ja')
    const [request] = await waitingRequests(Ann)
    expect((await decideRequest(Ann, request!.id, 'refuse', { reason: 'x'.repeat(501) })).status).toBe(422)
    expect(
      (
        await decideRequest(Ann, request!.id, 'refuse', {
          reason: 'Only for neighbours',
        })
      ).status,
    ).toBe(204)
    expect(await findMail(app, '参加の申し込みについて')).toMatchObject({
      to: 'cho@engawa.example',
      text: expect.stringContaining('管理者より：Only for neighbours'),
    })
    expect(await cho.readState()).toBe('refused')
    expect((await cho.logIn()).status).toBe(422)
    for (const table of ['users', 'join_requests', 'join_decisions', 'audit_log', 'security_log'])
      expect(JSON.stringify(await readRows(app.db, table)), table).not.toMatch(/cho@|Cho|Let me in/)
    const [forAdmin] = (await Ann.get('/api/audit-log')).body
    expect(forAdmin).toMatchObject({ action: 'join_request_refused', reason: 'Only for neighbours' })
    expect(JSON.stringify(await readRows(app.db, 'audit_log'))).not.toContain('neighbours')
    const [forMember] = (await Ben.get('/api/audit-log')).body
    expect(forMember).toMatchObject({ action: 'join_request_refused', reason: null, actor: null })
    expect(await checkLog(app)).toMatchObject({ isIntact: true })
    await transaction(app.db, (tx) => sql`update join_decisions set reason = 'Something else'`.execute(tx))
    expect((await Ann.get('/api/audit-log')).body[0]).toMatchObject({ reason: null })
  })

  test('sends no mail to an address that nobody has verified', async () => {
    const { app, Ann } = await approvalScene(dialect, { mail: false })
    const [cho, dan] = [await askToJoin(app, 'Cho'), await askToJoin(app, 'Dan')]
    const [second, first] = await waitingRequests(Ann)
    expect((await decideRequest(Ann, first!.id, 'approve')).status).toBe(200)
    expect((await decideRequest(Ann, second!.id, 'refuse', { reason: 'No' })).status).toBe(204)
    expect([await cho.readState(), await dan.readState()]).toEqual(['approved', 'refused'])
    expect((await cho.logIn()).status).toBe(204)
    expect((await cho.person.get('/api/user')).body.email_verified_at).toBeNull()
    const jobs = await readRows(app.db, 'jobs')
    expect(jobs.filter(({ kind }) => kind === 'mail')).toEqual([])
  })

  test('is made once: the second admin sees what the first has done', async () => {
    const { app, Ann, Ben } = await approvalScene(dialect)
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    for (const name of ['Cho', 'Dan']) await askAndVerify(app, name)
    for (const { id } of await waitingRequests(Ann)) {
      const answers = await Promise.all([
        decideRequest(Ann, id, 'approve'),
        decideRequest(Ben, id, 'refuse'),
        decideRequest(Ben, id, 'approve'),
        decideRequest(Ann, id, 'refuse'),
      ])
      const done = answers.filter(({ status }) => status < 300)
      const late = answers.filter(({ status }) => status === 409)
      expect([done.length, late.length]).toEqual([1, 3])
      for (const { body } of late)
        expect(body.message).toMatch(/^(Ann|Ben) has (approved|refused) this request already\.$/)
      expect(new Set(late.map(({ body }) => body.message)).size).toBe(1)
    }
    const decisions = await readRows(app.db, 'join_decisions')
    expect(decisions).toHaveLength(2)
    const approved = decisions.filter(({ decision }) => decision === 'approved')
    expect(await readRows(app.db, 'users')).toHaveLength(2 + approved.length)
  })

  test('is for admins who have confirmed it in the last ten minutes, about requests that exist', async () => {
    const { app, Ann, Ben } = await approvalScene(dialect)
    const unverified = await askToJoin(app, 'Dan')
    await askAndVerify(app, 'Cho')
    const [request] = await waitingRequests(Ann)
    const { id } = request!
    const stranger = app.visitor()
    await stranger.get('/sanctum/csrf-cookie')
    for (const decision of ['approve', 'refuse'] as const) {
      expect((await decideRequest(Ben, id, decision)).status).toBe(403)
      expect((await decideRequest(stranger, id, decision)).status).toBe(401)
      expect((await decideRequest(Ann, id + 99, decision)).status).toBe(404)
      // The e-mail address of this request to join is not verified, so admins do not see the request.
      expect((await decideRequest(Ann, id - 1, decision)).status).toBe(404)
    }
    expect([await unverified.readState(), (await Ben.get('/api/admin/join-requests')).status]).toEqual([
      'unverified',
      403,
    ])
    vi.setSystemTime(Date.now() + 11 * 60_000)
    for (const decision of ['approve', 'refuse'] as const)
      expect((await decideRequest(Ann, id, decision)).status).toBe(423)
    vi.useRealTimers()
    expect(await waitingRequests(Ann)).toHaveLength(1)
  })

  test('is not an account if another one has taken the address meanwhile', async () => {
    const { app, Ann } = await approvalScene(dialect)
    await askAndVerify(app, 'Cho')
    await saveWhoCanJoin(app, 'open')
    expect((await registerVisitor(app, 'Cho')).status).toBe(200)
    const [request] = await waitingRequests(Ann)
    expect((await decideRequest(Ann, request!.id, 'approve')).body.errors).toHaveProperty('email')
    expect(await waitingRequests(Ann)).toHaveLength(1)
    expect((await decideRequest(Ann, request!.id, 'refuse')).status).toBe(204)
  })

  test('lists requests in pages, the newest first', async () => {
    const { app, Ann } = await approvalScene(dialect, { mail: false })
    for (const name of ['Cho', 'Dan', 'Eve']) await askToJoin(app, name)
    const first = await Ann.get('/api/admin/join-requests?limit=2')
    expect(first.body.map(({ name }: { name: string }) => name)).toEqual(['Eve', 'Dan'])
    const next = /<([^>]+)>;\s*rel="next"/.exec(String(first.headers.link))![1]!
    expect((await Ann.get(next)).body).toMatchObject([{ name: 'Cho' }])
  })
})
