import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { endSessions } from '#features/account/operator.ts'
import { grantAdmin, revokeAdmin } from '#features/people/admins.ts'
import { checkLog } from '#tests/audit-log.ts'
import { createTestApp, dialectsInTurn, type TestApp, type TestClient } from '#tests/harness.ts'

const list = async (who: TestClient, query = '') => (await who.get(`/api/audit-log${query}`)).body
const actionsOf = async (who: TestClient) =>
  (await list(who)).map((entry: { action: string }) => entry.action)

/**
 * Does what the audit log then lists: Ann, an admin, deletes a post of Cem, makes Ben an admin, and so on.
 */
async function createHistory(app: TestApp) {
  const { Ann, Ben, Cem } = await app.members('Ann', 'Ben', 'Cem')
  const { post } = (await Cem.post('/api/posts', { text: 'a bad word' })).body
  await Ann.delete(`/api/posts/${post.id}`)
  await Ann.put(`/api/admin/users/${Cem.id}/suspension`)
  await Ann.delete(`/api/admin/users/${Cem.id}/suspension`)
  await Ann.put(`/api/admin/users/${Ben.id}/admin`)
  await Ann.send('PATCH', '/api/admin/settings', { show_samples: false })
  return { Ann, Ben, Cem }
}

const columns = 'created_at, role, actor_id, action, subject, subject_id, detail, hash'
const addCopyWithId = (id: number) =>
  `insert into audit_log (id, ${columns}) select ${id}, ${columns} from audit_log where id = 6`

describe.each(dialectsInTurn())('the audit log on %s', (dialect) => {
  test('contains what admins did, newest first, with names for admins only', async () => {
    const app = await createTestApp({ dialect })
    const { Ann, Ben, Cem } = await createHistory(app)
    expect(await actionsOf(Ann)).toEqual([
      'settings_changed',
      'admin_granted',
      'unsuspended',
      'suspended',
      'post_deleted',
      'admin_granted',
    ])
    const [settings, granted, , suspended] = await list(Ann)
    expect(settings).toMatchObject({ subject: 'settings', settings: { show_samples: false }, role: 'admin' })
    expect(granted).toMatchObject({ actor: { id: Ann.id }, member: { id: Ben.id, name: 'Ben' } })
    expect(suspended).toMatchObject({ actor: { id: Ann.id, name: 'Ann' }, member: { id: Cem.id } })

    const stranger = app.visitor()
    await stranger.get('/sanctum/csrf-cookie')
    expect((await stranger.get('/api/audit-log')).status).toBe(401)
    await Cem.post('/login', { email: 'cem@engawa.example', password: 'correct horse' })
    const seen = await list(Cem)
    expect(seen).toHaveLength(6)
    expect(seen.every(({ actor, member }: { actor: null; member: null }) => !actor && !member)).toBe(true)
    expect(JSON.stringify(seen)).not.toMatch(/Ann|Ben|Cem|hash|subject_id|actor_id/)
  })

  test('names an admin who has blocked the other admins, as the list of invitations does', async () => {
    const { members } = await createTestApp({ dialect })
    const { Ann, Ben } = await members('Ann', 'Ben')
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    expect((await Ben.post(`/api/users/${Ann.id}/block`)).status).toBeLessThan(300)
    await Ben.post('/api/admin/invitations', { max_uses: 1 })
    expect((await list(Ann))[0]).toMatchObject({ action: 'invitation_created', actor: { id: Ben.id } })
    expect((await Ann.get('/api/admin/invitations')).body[0]).toMatchObject({ created_by: { id: Ben.id } })
  })

  test('contains the invitations that admins make and end, and who can join', async () => {
    const app = await createTestApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const { invitation } = (await Ann.post('/api/admin/invitations', { max_uses: 1, note: 'For Cho' })).body
    for (const _ of [1, 2]) await Ann.delete(`/api/admin/invitations/${invitation.id}`)
    await Ann.send('PATCH', '/api/admin/settings', { who_can_join: 'closed' })
    expect((await Ben.post('/api/admin/invitations', { max_uses: 1 })).status).toBe(403)
    expect(await list(Ann)).toMatchObject([
      { action: 'settings_changed', settings: { who_can_join: 'closed' } },
      { action: 'invitation_ended', subject: 'invitation', actor: { id: Ann.id }, settings: null },
      { action: 'invitation_created', subject: 'invitation', member: null },
      { action: 'admin_granted' },
    ])
    expect(JSON.stringify(await list(Ben))).not.toMatch(/Ann|Cho/)
  })

  test('does not contain what members do to their own posts, nor failed and repeated actions', async () => {
    const app = await createTestApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const { post } = (await Ben.post('/api/posts', { text: 'mine' })).body
    await Ben.delete(`/api/posts/${post.id}`)
    const { post: own } = (await Ann.post('/api/posts', { text: 'mine too' })).body
    await Ann.delete(`/api/posts/${own.id}`)
    expect((await Ben.put(`/api/admin/users/${Ann.id}/suspension`)).status).toBe(403)
    expect((await Ann.put('/api/admin/users/999999/suspension')).status).toBe(404)
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    expect(await actionsOf(Ann)).toEqual(['suspended', 'admin_granted'])
  })

  test('names the operator for changes by the command line', async () => {
    const app = await createTestApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await transaction(app.db, (tx) => grantAdmin(tx, Ben.id))
    await transaction(app.db, (tx) => revokeAdmin(tx, Ben.id))
    expect(await transaction(app.db, (tx) => endSessions(tx, Ben.id))).toBe(1)
    const [ended, revoked, granted] = await list(Ann)
    expect(ended).toMatchObject({ action: 'session_ended', role: 'operator', member: { id: Ben.id } })
    expect(revoked).toMatchObject({ action: 'admin_revoked', role: 'operator', actor: null })
    expect(granted).toMatchObject({ action: 'admin_granted', role: 'operator', member: { id: Ben.id } })
  })

  test('comes in pages', async () => {
    const app = await createTestApp({ dialect })
    const { Ann } = await createHistory(app)
    const first = await Ann.get('/api/audit-log?limit=4')
    expect(first.body).toHaveLength(4)
    const next = /<([^>]+)>;\s*rel="next"/.exec(String(first.headers.link))![1]!
    expect((await Ann.get(next)).body).toHaveLength(2)
  })

  test('is one chain, also when admins act at the same moment', async () => {
    const app = await createTestApp({ dialect })
    const { Ann, Ben, Cem } = await createHistory(app)
    const people = await app.members('Dan', 'Eve', 'Fay')
    const answers = await Promise.all(
      Object.values(people).flatMap(({ id }) => [
        Ann.put(`/api/admin/users/${id}/suspension`),
        Ben.put(`/api/admin/users/${Cem.id}/suspension`),
      ]),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    const check = await checkLog(app)
    expect(check).toMatchObject({ isIntact: true, entries: 10 })
  })

  test('shows at the check which entry was changed, deleted or added with another tool', async () => {
    const app = await createTestApp({ dialect })
    await createHistory(app)
    const checkAfter = (change: string) =>
      transaction(app.db, async (tx) => {
        await sql.raw(change).execute(tx)
        const result = await checkLog(app, tx)
        throw Object.assign(new Error('undone'), { result })
      }).catch(({ result }: { result: object }) => result)
    expect(await checkLog(app)).toMatchObject({ isIntact: true, entries: 6 })
    for (const [change, firstWrongId] of [
      [`update audit_log set actor_id = 2 where id = 3`, 3],
      [`update audit_log set created_at = '2020-01-01T00:00:00.000Z' where id = 4`, 4],
      [`update audit_log set detail = '{"show_samples":true}' where id = 6`, 6],
      [`delete from audit_log where id = 2`, 2],
      [`delete from audit_log where id = 6`, 6],
      [`update audit_log_head set entries = 5`, 6],
      [`delete from audit_log_head`, 1],
      [`update audit_log set id = 7 where id = 6`, 6],
      [addCopyWithId(7), 7],
      [addCopyWithId(-1), -1],
    ] as const)
      expect(await checkAfter(change), change).toMatchObject({ isIntact: false, firstWrongId })
  })

  test('keeps its entries when the people concerned are deleted, and names them no longer', async () => {
    const app = await createTestApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    await transaction(app.db, (tx) => sql`delete from users where id = ${Ben.id}`.execute(tx))
    const [suspended] = await list(Ann)
    expect(suspended).toMatchObject({ action: 'suspended', member: null, actor: { id: Ann.id } })
    expect(await checkLog(app)).toMatchObject({ isIntact: true })
  })
})
