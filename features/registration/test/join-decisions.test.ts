import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { checkAuditLog } from '#core/audit-log.ts'
import { transaction } from '#core/database/transaction.ts'
import { listUnsentMails } from '#features/account/test/resets.ts'
import { dialects, readTableRows, type TestApp } from '#tests/harness.ts'
import {
  askToJoin,
  askToJoinAndVerifyEmail,
  createApprovalCommunity,
  listWaitingJoinRequests,
  sendJoinRequestDecision,
} from '#tests/join-requests.ts'
import { registerInNewBrowser, saveWhoCanJoinInDatabase } from './registrations.ts'

const findMail = async (app: TestApp, subject: string) =>
  (await listUnsentMails(app)).find((mail) => mail.subject.includes(subject))

describe.each(dialects)('the decision about a request to join on %s', (dialect) => {
  test('creates the account, which has the chosen password and a verified address', async () => {
    const { app, Ann } = await createApprovalCommunity(dialect)
    const cho = await askToJoinAndVerifyEmail(app, 'Cho', {}, 'ja')
    const [request] = await listWaitingJoinRequests(Ann)
    const { status, body } = await sendJoinRequestDecision(Ann, request!.id, 'approve')
    expect([status, body.user.name]).toEqual([200, 'Cho'])
    expect(await cho.readState()).toBe('approved')
    expect((await cho.logIn()).status).toBe(204)
    expect((await cho.person.get('/api/user')).body).toMatchObject({
      id: body.user.id,
      email_verified_at: expect.any(String),
      is_admin: false,
    })
    expect(await findMail(app, '【Engawa】ようこそ')).toMatchObject({ to: 'cho@engawa.example' })
    expect(await readTableRows(app.db, 'join_requests')).toEqual([])
    const [entry] = (await Ann.get('/api/audit-log')).body
    expect(entry).toMatchObject({
      action: 'join_request_approved',
      actor: { id: Ann.id },
      member: { name: 'Cho' },
    })
  })

  test('deletes a refused request with its data, and tells the person why', async () => {
    const { app, Ann, Ben } = await createApprovalCommunity(dialect)
    const cho = await askToJoinAndVerifyEmail(app, 'Cho', { answer: 'Let me in.' }, 'ja')
    const [request] = await listWaitingJoinRequests(Ann)
    expect(
      (await sendJoinRequestDecision(Ann, request!.id, 'refuse', { reason: 'x'.repeat(501) })).status,
    ).toBe(422)
    expect(
      (await sendJoinRequestDecision(Ann, request!.id, 'refuse', { reason: 'Only for neighbours' })).status,
    ).toBe(204)
    expect(await findMail(app, '参加の申し込みについて')).toMatchObject({
      to: 'cho@engawa.example',
      text: expect.stringContaining('管理者から: Only for neighbours'),
    })
    expect(await cho.readState()).toBe('refused')
    expect((await cho.logIn()).status).toBe(422)
    for (const table of ['users', 'join_requests', 'join_decisions', 'audit_log', 'security_log'])
      expect(JSON.stringify(await readTableRows(app.db, table)), table).not.toMatch(/cho@|Cho|Let me in/)
    const [forAdmin] = (await Ann.get('/api/audit-log')).body
    expect(forAdmin).toMatchObject({ action: 'join_request_refused', reason: 'Only for neighbours' })
    expect(JSON.stringify(await readTableRows(app.db, 'audit_log'))).not.toContain('neighbours')
    const [forMember] = (await Ben.get('/api/audit-log')).body
    expect(forMember).toMatchObject({ action: 'join_request_refused', reason: null, actor: null })
    expect(await checkAuditLog(app.db)).toMatchObject({ isIntact: true })
    await transaction(app.db, (tx) => sql`update join_decisions set reason = 'Something else'`.execute(tx))
    expect((await Ann.get('/api/audit-log')).body[0]).toMatchObject({ reason: null })
  })

  test('sends no mail to an address that nobody has verified', async () => {
    const { app, Ann } = await createApprovalCommunity(dialect, { mail: false })
    const [cho, dan] = [await askToJoin(app, 'Cho'), await askToJoin(app, 'Dan')]
    const [second, first] = await listWaitingJoinRequests(Ann)
    expect((await sendJoinRequestDecision(Ann, first!.id, 'approve')).status).toBe(200)
    expect((await sendJoinRequestDecision(Ann, second!.id, 'refuse', { reason: 'No' })).status).toBe(204)
    expect([await cho.readState(), await dan.readState()]).toEqual(['approved', 'refused'])
    expect((await cho.logIn()).status).toBe(204)
    expect((await cho.person.get('/api/user')).body.email_verified_at).toBeNull()
    const jobs = await readTableRows(app.db, 'jobs')
    expect(jobs.filter(({ kind }) => kind === 'mail')).toEqual([])
  })

  test('is made once: the second admin sees what the first has done', async () => {
    const { app, Ann, Ben } = await createApprovalCommunity(dialect)
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    for (const name of ['Cho', 'Dan']) await askToJoinAndVerifyEmail(app, name)
    for (const { id } of await listWaitingJoinRequests(Ann)) {
      const answers = await Promise.all([
        sendJoinRequestDecision(Ann, id, 'approve'),
        sendJoinRequestDecision(Ben, id, 'refuse'),
        sendJoinRequestDecision(Ben, id, 'approve'),
        sendJoinRequestDecision(Ann, id, 'refuse'),
      ])
      const done = answers.filter(({ status }) => status < 300)
      const late = answers.filter(({ status }) => status === 409)
      expect([done.length, late.length]).toEqual([1, 3])
      for (const { body } of late)
        expect(body.message).toMatch(/^(Ann|Ben) has (approved|refused) this request already\.$/)
      expect(new Set(late.map(({ body }) => body.message)).size).toBe(1)
    }
    const decisions = await readTableRows(app.db, 'join_decisions')
    expect(decisions).toHaveLength(2)
    const approved = decisions.filter(({ decision }) => decision === 'approved')
    expect(await readTableRows(app.db, 'users')).toHaveLength(2 + approved.length)
  })

  test('is for admins who have confirmed it in the last ten minutes, about requests that exist', async () => {
    const { app, Ann, Ben } = await createApprovalCommunity(dialect)
    const unverified = await askToJoin(app, 'Dan')
    await askToJoinAndVerifyEmail(app, 'Cho')
    const [request] = await listWaitingJoinRequests(Ann)
    const { id } = request!
    const stranger = app.visitor()
    await stranger.get('/sanctum/csrf-cookie')
    for (const decision of ['approve', 'refuse'] as const) {
      expect((await sendJoinRequestDecision(Ben, id, decision)).status).toBe(403)
      expect((await sendJoinRequestDecision(stranger, id, decision)).status).toBe(401)
      expect((await sendJoinRequestDecision(Ann, id + 99, decision)).status).toBe(404)
      // The address of this request is not verified, so admins do not see the request.
      expect((await sendJoinRequestDecision(Ann, id - 1, decision)).status).toBe(404)
    }
    expect([await unverified.readState(), (await Ben.get('/api/admin/join-requests')).status]).toEqual([
      'unverified',
      403,
    ])
    vi.setSystemTime(Date.now() + 11 * 60_000)
    for (const decision of ['approve', 'refuse'] as const)
      expect((await sendJoinRequestDecision(Ann, id, decision)).status).toBe(423)
    vi.useRealTimers()
    expect(await listWaitingJoinRequests(Ann)).toHaveLength(1)
  })

  test('is not an account if another one has taken the address meanwhile', async () => {
    const { app, Ann } = await createApprovalCommunity(dialect)
    await askToJoinAndVerifyEmail(app, 'Cho')
    await saveWhoCanJoinInDatabase(app, 'open')
    expect((await registerInNewBrowser(app, 'Cho')).status).toBe(200)
    const [request] = await listWaitingJoinRequests(Ann)
    expect((await sendJoinRequestDecision(Ann, request!.id, 'approve')).body.errors).toHaveProperty('email')
    expect(await listWaitingJoinRequests(Ann)).toHaveLength(1)
    expect((await sendJoinRequestDecision(Ann, request!.id, 'refuse')).status).toBe(204)
  })

  test('lists requests in pages, the newest first', async () => {
    const { app, Ann } = await createApprovalCommunity(dialect, { mail: false })
    for (const name of ['Cho', 'Dan', 'Eve']) await askToJoin(app, name)
    const first = await Ann.get('/api/admin/join-requests?limit=2')
    expect(first.body.map(({ name }: { name: string }) => name)).toEqual(['Eve', 'Dan'])
    const next = /<([^>]+)>;\s*rel="next"/.exec(String(first.headers.link))![1]!
    expect((await Ann.get(next)).body).toMatchObject([{ name: 'Cho' }])
  })
})
