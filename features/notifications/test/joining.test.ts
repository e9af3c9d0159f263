import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { mailAdmins } from '#features/registration/join-request-notices.ts'
import { deleteOld } from '#features/registration/join-requests.ts'
import { registerVisitor, saveCommunity } from '#features/registration/test/registrations.ts'
import { createTestApp, type Dialect, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { approvalScene, askAndVerify, decideRequest, waitingRequests } from '#tests/join-requests.ts'
import { verifyAllEmails } from '#tests/verified-addresses.ts'

interface Listed {
  kind: string
  waiting?: number
  people: { name: string }[]
}

const listed = async (who: TestClient, kind: string): Promise<Listed[]> =>
  (await who.get('/api/notifications')).body.filter((one: Listed) => one.kind === kind)
const joined = async (who: TestClient) =>
  (await listed(who, 'new_member')).flatMap(({ people }) => people.map(({ name }) => name))
const waiting = async (who: TestClient) => (await listed(who, 'join_request')).map((one) => one.waiting)

async function open(dialect: Dialect) {
  const app = await createTestApp({ dialect })
  const people = await app.members('Ann', 'Ben', 'Cho')
  await saveCommunity(app, { who_can_invite: 'members' })
  return { app, ...people }
}

describe.each(dialectsInTurn())('a new member on %s', (dialect) => {
  test('is told to admins and to the member who invited them, and to nobody else', async () => {
    const { app, Ann, Ben, Cho } = await open(dialect)
    const { code } = (await Ben.post('/api/invitations', { max_uses: 2, days: 7 })).body
    const { person } = await registerVisitor(app, 'Dan', { invitation: code })
    await registerVisitor(app, 'Eve')
    expect([await joined(Ann), await joined(Ben)]).toEqual([['Eve', 'Dan'], ['Dan']])
    expect([await joined(Cho), await joined(person)]).toEqual([[], []])
  })

  test('whom an admin approved is told to the other admins', async () => {
    const { app, Ann, Ben } = await approvalScene(dialect)
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    await askAndVerify(app, 'Cho')
    expect([await waiting(Ann), await waiting(Ben)]).toEqual([[1], [1]])
    const [request] = await waitingRequests(Ann)
    await decideRequest(Ann, request!.id, 'approve')
    expect([await joined(Ann), await joined(Ben)]).toEqual([[], ['Cho']])
    expect([await waiting(Ann), await waiting(Ben)]).toEqual([[], []])
  })
})

describe.each(dialectsInTurn())('a request to join on %s', (dialect) => {
  test('waits with admins alone until it is refused, replaced or too old', async () => {
    const { app, Ann, Ben } = await approvalScene(dialect)
    for (const name of ['Cho', 'Dan', 'Eve']) await askAndVerify(app, name)
    expect([await waiting(Ann), await waiting(Ben)]).toEqual([[3], []])
    expect(JSON.stringify((await Ann.get('/api/notifications')).body)).not.toMatch(/Cho|Dan|Eve/)
    expect((await Ben.get('/api/notifications/unread')).body.waiting.join_request).toBe(0)
    const [request] = await waitingRequests(Ann)
    await decideRequest(Ann, request!.id, 'refuse')
    expect(await waiting(Ann)).toEqual([2])
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    expect(await waiting(Ben)).toEqual([2])
    await Ann.delete(`/api/admin/users/${Ben.id}/admin`)
    expect(await waiting(Ben)).toEqual([])
    await transaction(app.db, (tx) =>
      tx.updateTable('join_requests').set({ entered_at: '2020-01-01' }).execute(),
    )
    await deleteOld(app.context)
    expect(await waiting(Ann)).toEqual([])
  })

  test('is not mailed to an admin who has turned these mails off', async () => {
    const { app, Ann, Ben } = await approvalScene(dialect)
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    await verifyAllEmails(app)
    const off = { kind: 'join_request', channel: 'mail', is_on: false }
    expect((await Ben.send('PATCH', '/api/notification-settings', { switch: off })).status).toBe(200)
    await askAndVerify(app, 'Cho')
    await mailAdmins(app.context)
    const mails = (await readRows(app.db, 'jobs')).filter(({ payload }) =>
      String(payload).includes('would like to join'),
    )
    expect(mails.map(({ payload }) => JSON.parse(String(payload)).to)).toEqual(['ann@engawa.example'])
  })
})
