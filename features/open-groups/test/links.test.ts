import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import type { Actor } from '#tests/conversations.ts'
import { databases, readRows } from '#tests/harness.ts'
import { decide, isMember, join, listed, openGroupScene, requests, setAccess } from './open-group-scene.ts'

vi.setConfig({ testTimeout: 60_000 })

const makeLink = async (who: Actor, group: number): Promise<string> =>
  (await who.post(`/api/groups/${group}/link`)).body.token
const openLink = (who: Actor, token: string) => who.get(`/api/group-links/${token}`)
const joinBy = (who: Actor, token: string) => who.post(`/api/group-links/${token}/join`)

describe.each(databases)('a link to a group on %s', (dialect) => {
  test('lets members join a closed group at once, and is stored as a hash', async () => {
    const { Oda, Ben, Cas, group, db, visitor } = await openGroupScene(dialect)
    expect((await Ben.post(`/api/groups/${group}/link`)).status).toBe(403)
    const token = await makeLink(Oda, group)
    expect(JSON.stringify(await readRows(db, 'group_links'))).not.toContain(token)
    expect((await visitor().get(`/api/group-links/${token}`)).status).toBe(401)
    expect((await openLink(Cas, token)).body).toMatchObject({
      name: 'Chess Club',
      access: 'open',
      state: 'none',
    })
    expect((await Oda.get(`/api/open-groups/${group}`)).body).toHaveProperty('link_until')
    expect((await Ben.get(`/api/open-groups/${group}`)).body).not.toHaveProperty('link_until')
    expect((await joinBy(Cas, token)).body).toMatchObject({ state: 'member' })
    expect((await joinBy(Cas, token)).body).toMatchObject({ state: 'member' })
    expect([await isMember(Cas, group), await listed(Cas)]).toEqual([true, []])
  })

  test('ends when it is renewed, ended or too old, and when another member owns the group', async () => {
    const { Oda, Ben, Cas, group, db } = await openGroupScene(dialect)
    const status = async (token: string) => [
      (await openLink(Cas, token)).status,
      (await joinBy(Cas, token)).status,
    ]
    const first = await makeLink(Oda, group)
    const second = await makeLink(Oda, group)
    expect(await status(first)).toEqual([404, 404])
    expect((await Oda.delete(`/api/groups/${group}/link`)).status).toBe(200)
    expect(await status(second)).toEqual([404, 404])
    const third = await makeLink(Oda, group)
    const expires_at = new Date(Date.now() - 1000).toISOString()
    await transaction(db, (tx) => tx.updateTable('group_links').set({ expires_at }).execute())
    expect(await status(third)).toEqual([404, 404])
    const fourth = await makeLink(Oda, group)
    await Oda.put(`/api/groups/${group}/owner`, { user_id: Ben.id })
    expect(await status(fourth)).toEqual([404, 404])
    expect(await isMember(Cas, group)).toBe(false)
  })

  test('makes whoever was removed ask, and a child, and passes over a refused request', async () => {
    const { Ada, Oda, Ben, Cas, Kid, group } = await openGroupScene(dialect)
    const token = await makeLink(Oda, group)
    await Oda.delete(`/api/groups/${group}/members/${Ben.id}`)
    expect((await joinBy(Ben, token)).body).toMatchObject({ state: 'waiting' })
    expect((await joinBy(Kid, token)).body).toMatchObject({ state: 'waiting' })
    expect(await requests(Oda)).toMatchObject([{ was_removed: true }, { needs_admin: true }])
    expect(await requests(Ada)).toMatchObject([{ person: { name: 'Kid' } }])
    await decide(Oda, 'decline')
    expect((await joinBy(Ben, token)).status).toBe(403)
    await setAccess(Oda, group, 'ask')
    await join(Cas, group)
    const [, request] = await requests(Oda)
    await Oda.post(`/api/group-requests/${request!.id}/decline`)
    expect((await joinBy(Cas, token)).body).toMatchObject({ state: 'member' })
  })

  test('does not exist for whom its owner has blocked', async () => {
    const { Oda, Cas, group } = await openGroupScene(dialect)
    const token = await makeLink(Oda, group)
    await Oda.post(`/api/users/${Cas.id}/block`)
    expect([(await openLink(Cas, token)).status, (await joinBy(Cas, token)).status]).toEqual([404, 404])
  })
})
