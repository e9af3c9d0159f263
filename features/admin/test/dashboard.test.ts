import { describe, expect, test } from 'vitest'
import * as backupHistory from '#core/backup/history.ts'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createTestApp, dialectsInTurn } from '#tests/harness.ts'

const HOUR = 3600 * 1000
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString()

describe.each(dialectsInTurn())('the dashboard on %s', (dialect) => {
  const open = () => createTestApp({ dialect })

  test('lists all groups in pages, newest first, and no private chats', async () => {
    const { members } = await open()
    const { Ann, Ben, Chika } = await members('Ann', 'Ben', 'Chika')
    await Ann.post(`/api/follow/${Ben.id}`)
    await Ann.post('/api/send-private-message', { input: 'hi', targetUserId: Ben.id })
    expect((await Ann.get('/api/admin/groups')).body).toEqual([])
    const ids = []
    for (const name of ['Pottery club', '朝市の会', 'Choir'])
      ids.push((await Ann.post('/api/groups', { name })).body.group.id)
    for (const { id } of [Ben, Chika]) await Ann.post(`/api/groups/${ids[1]}/add-user`, { user_id: id })
    const first = await Ann.get('/api/admin/groups?limit=2')
    expect(first.body).toEqual([
      { id: ids[2], name: 'Choir', members_count: 1, created_at: expect.any(String) },
      { id: ids[1], name: '朝市の会', members_count: 3, created_at: expect.any(String) },
    ])
    const next = /^<(.+)>; rel="next"$/.exec(String(first.headers.link))![1]!
    const last = await Ann.get(next)
    expect(last.body).toMatchObject([{ id: ids[0], name: 'Pottery club' }])
    expect(last.headers.link).toBeUndefined()
    expect((await Ann.get(`/api/admin/groups?after=${ids[1]}`)).body).toMatchObject([{ name: 'Choir' }])
  })

  test('shows groups to an admin who is not a member, but not their messages', async () => {
    const { members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    await Ann.put(`/api/admin/users/${Ben.id}/admin`)
    const { id } = (await Ann.post('/api/groups', { name: 'Choir' })).body.group
    expect((await Ben.get('/api/admin/groups')).body).toMatchObject([{ id, members_count: 1 }])
    expect((await Ben.get(`/api/group-messages/${id}`)).status).toBe(403)
  })

  test('counts members, groups, and the posts and authors of the last 24 hours', async () => {
    const { members, db } = await open()
    const { Ann, Ben, Chika, Dai } = await members('Ann', 'Ben', 'Chika', 'Dai')
    const backup = { nightly: false, good: null, failed: null }
    const waiting = { waiting_requests: 0, open_reports: 0, unverified_addresses: 4 }
    const none = { groups: 0, posts_today: 0, ...waiting, wrote_today: 0, backup }
    expect((await Ann.get('/api/admin/facts')).body).toEqual({ members: 4, members_this_week: 4, ...none })

    await Dai.post('/api/posts', { text: 'long ago' })
    await transaction(db, (tx) =>
      tx
        .updateTable('posts')
        .set({ created_at: hoursAgo(25) })
        .execute(),
    )
    await transaction(db, (tx) =>
      tx
        .updateTable('users')
        .set({ created_at: hoursAgo(8 * 24) })
        .where('id', 'in', [Ann.id, Dai.id])
        .execute(),
    )
    expect((await Ann.get('/api/admin/facts')).body).toEqual({ members: 4, members_this_week: 2, ...none })

    for (const text of ['one', 'two']) await Ben.post('/api/posts', { text })
    const { id } = (await Ann.post('/api/groups', { name: 'Choir' })).body.group
    for (const person of [Ben, Chika]) {
      await Ann.post(`/api/groups/${id}/add-user`, { user_id: person.id })
      await person.post('/api/group-messages/send', { group_id: id, message: 'hello' })
    }
    expect((await Ann.get('/api/admin/facts')).body).toEqual({
      members: 4,
      members_this_week: 2,
      groups: 1,
      posts_today: 2,
      ...waiting,
      wrote_today: 2,
      backup,
    })
  })

  test('reports the last successful backup and a later failure', async () => {
    const { members, db } = await createTestApp({ dialect, env: { BACKUP_AT: '03:30' } })
    const { Ann } = await members('Ann')
    const readBackupFacts = async () => (await Ann.get('/api/admin/facts')).body.backup
    expect(await readBackupFacts()).toEqual({ nightly: true, good: null, failed: null })

    const backupResult = {
      path: '/backups/one',
      bytes: 4_100_000_000,
      files: 7,
      rows: 9,
      missing: [],
      lost: [],
    }
    await backupHistory.run(db, (await backupHistory.begin(db, '2026-11-20'))!, () =>
      Promise.resolve(backupResult),
    )
    const good = { made_at: expect.any(String), bytes: 4_100_000_000, missing: 0 }
    expect(await readBackupFacts()).toEqual({ nightly: true, good, failed: null })
    expect(await backupHistory.begin(db, '2026-11-20'), 'a night has one').toBeNull()

    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    const failing = backupHistory.run(db, (await backupHistory.begin(db, '2026-11-21'))!, () =>
      Promise.reject(full),
    )
    await expect(failing).rejects.toThrow('ENOSPC')
    expect(await readBackupFacts()).toEqual({
      nightly: true,
      good,
      failed: { at: expect.any(String), reason: 'The disk is full.' },
    })

    await backupHistory.run(db, (await backupHistory.begin(db))!, () => Promise.resolve(backupResult))
    expect(await readBackupFacts()).toEqual({ nightly: true, good, failed: null })

    await transaction(db, (tx) =>
      tx
        .insertInto('backups')
        .values({ started_at: isoNow(), lease_expires_at: hoursAgo(1) })
        .execute(),
    )
    expect((await readBackupFacts()).failed).toMatchObject({ reason: 'It was broken off.' })
  })

  test('lets exactly one process take over an interrupted nightly backup', async () => {
    const { db } = await open()
    const id = (await backupHistory.begin(db, '2026-11-21'))!
    expect(await backupHistory.begin(db, '2026-11-21')).toBeNull()
    await transaction(db, (tx) =>
      tx
        .updateTable('backups')
        .set({ lease_expires_at: hoursAgo(1) })
        .execute(),
    )
    expect(
      await Promise.all([backupHistory.begin(db, '2026-11-21'), backupHistory.begin(db, '2026-11-21')]).then(
        (both) => both.toSorted(),
      ),
    ).toEqual([id, null].toSorted())
  })

  // spec: 7.18
  test('finds accounts by name or address, with all fields that admins need', async () => {
    const { members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const found = async (q: string) =>
      (await Ann.get(`/api/admin/users?q=${encodeURIComponent(q)}`)).body.userData.map(
        (row: { id: number }) => row.id,
      )
    expect(await found('BEN@')).toEqual([Ben.id])
    expect(await found('ｂｅｎ')).toEqual([Ben.id])
    expect(await found('engawa.example')).toEqual([Ann.id, Ben.id])
    expect(await found('%')).toEqual([])
    const page = await Ann.get('/api/admin/users?limit=1')
    expect(page.body.userData.map(({ id }: { id: number }) => id)).toEqual([Ann.id])
    expect(page.headers.link).toContain('rel="next"')
    expect((await Ann.get('/api/admin/users')).body.userData[1]).toEqual({
      id: Ben.id,
      name: 'Ben',
      handle: 'ben',
      shares_name: false,
      email: 'ben@engawa.example',
      is_admin: false,
      email_verified_at: null,
      created_at: expect.any(String),
      profile_image: null,
      suspended_at: null,
      has_second_step: false,
      deletion: null,
      invited_by: null,
      child: null,
    })
  })
})
