import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import * as channels from '#features/conversations/channels.ts'
import { registerVisitor } from '#features/registration/test/registrations.ts'
import { createTestApp, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'

const invite = (admin: TestClient, group_id: unknown, max_uses = 5) =>
  admin.post('/api/admin/invitations', { max_uses, group_id })
const listGroups = async (who: TestClient) => (await who.get('/api/my-groups')).body as { name: string }[]

describe.each(dialectsInTurn())('an invitation that names a group, on %s', (dialect) => {
  async function open() {
    const app = await createTestApp({ dialect })
    const { Ann, Ben } = await app.members('Ann', 'Ben')
    const { group } = (await Ann.post('/api/groups', { name: 'Class 5b' })).body
    await Ann.post('/api/group-messages/send', { group_id: group.id, message: 'Welcome' })
    return { app, Ann, Ben, group: group.id as number }
  }

  test('adds each person who registers with it to the group', async () => {
    const { app, Ann, group } = await open()
    const { code, invitation } = (await invite(Ann, group)).body
    expect(invitation.group_id).toBe(group)
    for (const name of ['Cho', 'Dan']) {
      const { person } = await registerVisitor(app, name, { invitation: code })
      expect(await listGroups(person)).toMatchObject([{ name: 'Class 5b', added_by: { id: Ann.id } }])
      const { body } = await person.get(`/api/group-messages/${group}`)
      expect(JSON.stringify(body)).toContain('Welcome')
    }
    const { body } = await Ann.get(`/api/groups/${group}`)
    expect(body.members_count).toBe(3)
    const changes = body.changes as { kind: string; user?: { name: string } }[]
    expect(changes.filter(({ kind }) => kind === 'added')).toHaveLength(2)
    const without = (await invite(Ann, '')).body
    const { person } = await registerVisitor(app, 'Eve', {
      invitation: without.code,
    })
    expect(await listGroups(person)).toEqual([])
  })

  test('can name only a group of its maker', async () => {
    const { app, Ann, Ben, group } = await open()
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    await Ann.post(`/api/follow/${Ben.id}`)
    await Ben.post(`/api/follow/${Ann.id}`)
    await Ann.post('/api/send-private-message', { targetUserId: Ben.id, input: 'Hello' })
    expect((await invite(Ben, group)).status).toBe(403)
    expect((await invite(Ann, 999)).status).toBe(403)
    // The server also refuses an invitation to a private chat, which is a conversation but no group.
    for (const { id } of await readRows(app.db, 'conversations'))
      if (id !== group) expect((await invite(Ann, id)).status).toBe(403)
    expect(await readRows(app.db, 'invitations')).toEqual([])
  })

  test('admits people without the group after its maker has left, or the group is deleted', async () => {
    const { app, Ann, Ben, group } = await open()
    const { code } = (await invite(Ann, group)).body
    await Ann.post(`/api/groups/${group}/add-user`, { user_id: Ben.id })
    expect((await Ann.post(`/api/groups/${group}/leave`)).status).toBe(200)
    const cho = await registerVisitor(app, 'Cho', { invitation: code })
    expect([cho.status, await listGroups(cho.person)]).toEqual([200, []])
    expect((await Ann.delete(`/api/groups/${group}`)).status).toBe(200)
    const dan = await registerVisitor(app, 'Dan', { invitation: code })
    expect([dan.status, await listGroups(dan.person)]).toEqual([200, []])
  })

  test('adds people under the lock of the group, so that events keep the order of the commits', async () => {
    const { app, Ann, group } = await open()
    const { code } = (await invite(Ann, group)).body
    const held = Promise.withResolvers<void>()
    const order: string[] = []
    const rename = app.context.withLock(channels.group(group), async () => {
      await held.promise
      order.push('renamed')
    })
    const registered = registerVisitor(app, 'Cho', { invitation: code }).then(() => order.push('registered'))
    await sleep(700)
    held.resolve()
    await Promise.all([rename, registered])
    expect(order).toEqual(['renamed', 'registered'])
  })

  test('adds nobody if the registration fails', async () => {
    const { app, Ann, group } = await open()
    const { code } = (await invite(Ann, group)).body
    expect((await registerVisitor(app, 'Ben', { invitation: code })).status).toBe(422)
    expect((await Ann.get(`/api/groups/${group}`)).body.members_count).toBe(1)
  })
})
