import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { runDeletions } from '#tests/account-deletion.ts'
import { ageConfirmations } from '#tests/account-security.ts'
import { eventually } from '#tests/eventually.ts'
import { createTestApp, dialectsInTurn, formData, readRows, type TestClient } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { ageExports } from './export-times.ts'
import { exportReady, exportState, jsonOfExport, makeExport } from './exports.ts'

vi.setConfig({ testTimeout: 60_000 })

const HOUR = 3600 * 1000
const DAY = 24 * HOUR
const picture = async () => uploadFile(await fourColours(640, 320).png().toBuffer(), 'a.png')
const write = (from: TestClient, to: { id: number }, input: string) =>
  from.post('/api/send-private-message', { targetUserId: to.id, input })

describe.each(dialectsInTurn())('the export on %s', (dialect) => {
  const open = (options: object = {}) => createTestApp({ dialect, ...options })

  test('contains what the member wrote, received and may still see, and nothing of others', async () => {
    const { members } = await open()
    const { Ann, Ben, Cyd } = await members('Ann', 'Ben', 'Cyd')
    const post = await Ann.post(
      '/api/posts',
      formData(
        { text: 'My first words', 'alt[]': ['four colours'] },
        { 'images[]': [await picture()], 'files[]': [uploadFile('%PDF-1.7', 'plan.pdf')] },
      ),
    )
    expect(post.status).toBe(201)
    await Ann.put(`/api/posts/${post.body.post.id}`, { text: 'My own post' })
    const others = await Ben.post('/api/posts', { text: 'A post of Ben' })
    await Cyd.post('/api/posts', { text: 'A post of Cyd' })
    await Ann.put(`/api/posts/${others.body.post.id}/like`)
    await Ann.put(`/api/posts/${others.body.post.id}/bookmark`)
    for (const [one, other] of [
      [Ann, Ben],
      [Ben, Ann],
      [Ben, Cyd],
    ] as const)
      await one.post(`/api/follow/${other.id}`)
    await write(Ann, Ben, 'Hello Ben')
    await write(Ben, Ann, 'Hello Ann')
    await write(Ben, Cyd, 'A secret of Ben and Cyd')
    const { group: club } = (await Ann.post('/api/groups', { name: 'Club' })).body
    const { group: left } = (await Ann.post('/api/groups', { name: 'Left group' })).body
    for (const { id } of [club, left]) {
      await Ann.post(`/api/groups/${id}/add-user`, { user_id: Ben.id })
      await Ben.post('/api/group-messages/send', { group_id: id, message: `Ben in ${id}` })
    }
    const gone = await Ben.post('/api/group-messages/send', { group_id: club.id, message: 'deleted text' })
    expect((await Ben.delete(`/api/chat-messages/${gone.body.message.id}`)).status).toBe(200)
    expect((await Ann.post(`/api/groups/${left.id}/leave`)).status).toBe(200)

    await Ann.post('/api/cart/add/1', { quantity: 2 })
    const { files, headers } = await makeExport(Ann)
    expect(headers['content-disposition']).toMatch(/^attachment; filename="engawa-ann-\d{4}-\d\d-\d\d\.zip"/)
    expect(headers['cache-control']).toBe('private, no-store')
    const account = ['following', 'followers', 'sessions', 'security-log']
    const lists = [
      'replies',
      'reply-likes',
      'reactions',
      'link-previews',
      'blocked',
      'muted',
      'invitations',
      'guardians',
      'guardian-requests',
      'group-requests',
      'cards',
      'mentions',
      'notification-settings',
      'digests',
      'deliveries',
      'new-posts',
      'read-marks',
      'reports',
      'moderation-notices',
      'devices',
      'acknowledgements',
      'acknowledgement-requests',
      'poll-choices',
      'poll-votes',
      'event-answers',
      'calendar-address',
      'event-rota',
      'roll-calls',
      'scheduled',
      'drafts',
      'telephone',
      'albums',
      'album-pictures',
      'visits',
    ]
    const withoutPage = ['profile', ...lists]
    const chats = [`chats/private-${Ben.id}`, `chats/group-${club.id}`]
    const paths = [...account, 'posts', 'likes', 'bookmarks', 'cart', 'notifications', ...chats]
    expect([...files.keys()].filter((name) => !/^(pictures|files)\//.test(name)).sort()).toEqual(
      [
        'README.txt',
        'index.html',
        'data/index.json',
        // The documents in `withoutPage` have no HTML page: the profile is on the start page, and the others
        // have no records.
        ...withoutPage.map((path) => `data/${path}.json`),
        ...paths.flatMap((path) => [`${path}.html`, `data/${path}.json`]),
      ].sort(),
    )
    const posts = jsonOfExport(files, 'data/posts.json')
    expect(posts).toMatchObject([
      {
        body: 'My own post',
        edited_at: expect.any(String),
        versions: [{ body: 'My first words', written_at: expect.any(String) }],
        pictures: [{ file: expect.stringMatching(/^pictures\/.+-640\.webp$/), alt: 'four colours' }],
        files: [{ file: expect.stringMatching(/plan\.pdf$/), name: 'plan.pdf' }],
      },
    ])
    expect(files.get(posts[0].files[0].file)!.toString()).toBe('%PDF-1.7')
    expect(files.get(posts[0].pictures[0].file)!.subarray(8, 12).toString()).toBe('WEBP')
    for (const path of ['data/likes.json', 'data/bookmarks.json'])
      expect(jsonOfExport(files, path)).toMatchObject([{ body: 'A post of Ben', author: { name: 'Ben' } }])
    expect(jsonOfExport(files, `data/chats/private-${Ben.id}.json`)).toMatchObject([
      { message: 'Hello Ben', from_user_id: Ann.id },
      { message: 'Hello Ann', from_user_id: Ben.id },
    ])
    expect(jsonOfExport(files, `data/chats/group-${club.id}.json`)).toMatchObject([
      { message: `Ben in ${club.id}` },
      { message: '', deleted_at: expect.any(String) },
    ])
    expect(jsonOfExport(files, 'data/profile.json')).toMatchObject([
      { email: 'ann@engawa.example', handle: 'ann' },
    ])
    expect(jsonOfExport(files, 'data/following.json')).toMatchObject([{ name: 'Ben' }])
    expect(jsonOfExport(files, 'data/followers.json')).toMatchObject([{ name: 'Ben' }])
    expect(jsonOfExport(files, 'data/notifications.json')).toMatchObject([
      { kind: 'follow', people: [{ name: 'Ben' }] },
    ])
    expect(jsonOfExport(files, 'data/read-marks.json')).toEqual([{ is_shared: true, hidden_since: null }])
    expect(jsonOfExport(files, 'data/cart.json')).toMatchObject([{ quantity: 2 }])
    expect(jsonOfExport(files, 'data/sessions.json')).toHaveLength(1)
    const events = jsonOfExport(files, 'data/security-log.json').map(({ kind }: { kind: string }) => kind)
    expect(events).toEqual(['data_exported', 'registered', 'admin_granted'])
    const all = [...files].map(([name, bytes]) => name + (/webp$/.test(name) ? '' : bytes.toString())).join()
    for (const secret of [
      'Left group',
      `Ben in ${left.id}`,
      'Cyd',
      'deleted text',
      'password_hash',
      'argon2',
    ])
      expect(all, secret).not.toContain(secret)
    for (const session of Ann.jar.values()) expect(all).not.toContain(session)
  })

  test('has the group of an invitation, and the time at which it was ended', async () => {
    const { members } = await open()
    const { Ann } = await members('Ann')
    const { group } = (await Ann.post('/api/groups', { name: 'Club' })).body
    const invite = async (more: object) =>
      (await Ann.post('/api/admin/invitations', { max_uses: 3, ...more })).body.invitation
    const named = await invite({ group_id: group.id })
    const ended = await invite({ note: 'For Ben' })
    expect((await Ann.send('DELETE', `/api/admin/invitations/${ended.id}`)).status).toBe(200)
    const { files } = await makeExport(Ann)
    expect(jsonOfExport(files, 'data/invitations.json')).toMatchObject([
      { id: ended.id, note: 'For Ben', group_id: null, ended_at: expect.stringMatching(/^20\d\d-/) },
      { id: named.id, max_uses: 3, group_id: group.id, ended_at: null },
    ])
    expect(files.get('invitations.html')!.toString()).toContain('For Ben')
  })

  test('is refused to visitors, suspended members and stale sessions; nobody gets that of another', async () => {
    const { members, visitor, db } = await open()
    const { Ann, Ben, Cyd } = await members('Ann', 'Ben', 'Cyd')
    const stranger = visitor()
    await stranger.get('/sanctum/csrf-cookie')
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['DELETE', ''],
      ['GET', '/archive'],
    ] as const)
      expect((await stranger.send(method, `/api/account/export${path}`)).status, method).toBe(401)
    await makeExport(Ann)
    expect((await Ben.get('/api/account/export')).body).toEqual({ export: null })
    expect((await Ben.get('/api/account/export/archive')).status).toBe(404)
    expect((await Ben.delete('/api/account/export')).status).toBe(204)
    expect(await exportState(Ann)).toMatchObject({ state: 'ready' })
    await makeExport(Cyd)
    await Ann.put(`/api/admin/users/${Cyd.id}/suspension`)
    expect((await Cyd.get('/api/account/export/archive')).status).toBe(401)
    expect((await Cyd.get('/api/account/export')).status).toBe(401)
    await ageConfirmations(db)
    expect((await Ben.post('/api/account/export')).status).toBe(423)
    expect(await exportState(Ben)).toBeNull()
  })

  test('is made once at a time and five times a day', async () => {
    const { members, db } = await open()
    const { Ann } = await members('Ann')
    await Promise.all([Ann, Ann, Ann].map((client) => client.post('/api/account/export')))
    expect(await readRows(db, 'exports')).toHaveLength(1)
    await exportReady(Ann)
    for (let n = 0; n < 4; n++) await makeExport(Ann)
    const refused = await Ann.post('/api/account/export')
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '86400'])
    await Ann.delete('/api/account/export')
    expect((await Ann.post('/api/account/export')).status).toBe(429)
    await ageExports(db, DAY + HOUR)
    await makeExport(Ann)
  })

  test('escapes every text that people write', async () => {
    const { members } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const attack = `</li></style><script>alert(1)</script><img src=x onerror="alert('2')">`
    expect((await Ann.post('/api/profile', { name: attack, bio: attack })).status).toBe(200)
    await Ann.post(
      '/api/posts',
      formData({ text: attack, 'alt[]': [`" onload="${attack}`] }, { 'images[]': [await picture()] }),
    )
    await Ann.post(`/api/follow/${Ben.id}`)
    await write(Ann, Ben, attack)
    const { group } = (await Ann.post('/api/groups', { name: attack })).body
    await Ann.post('/api/group-messages/send', { group_id: group.id, message: attack })
    const { files } = await makeExport(Ann)
    for (const [name, bytes] of files) {
      if (!name.endsWith('.html')) continue
      const html = bytes.toString()
      expect(html, name).not.toMatch(/<script|<img src=x|onload="<|" onload/)
      expect(html, name).not.toMatch(/(src|href)="(https?:)?\/\//)
      expect(html, name).toContain(`default-src 'none'`)
    }
    expect(files.get('posts.html')!.toString()).toContain('&#60;script&#62;alert(1)')
  })

  test('is removed after a week, on request and with the account, with its files', async () => {
    const { members, db, folder, context } = await open()
    const { Ann, Ben } = await members('Ann', 'Ben')
    const files = () => readdir(join(folder, 'exports'))
    await makeExport(Ann)
    const [file] = await files()
    expect((await stat(join(folder, 'exports', file!))).mode & 0o777).toBe(0o600)
    expect((await Ann.delete('/api/account/export')).status).toBe(204)
    expect([await files(), await exportState(Ann)]).toEqual([[], null])
    expect((await Ann.get('/api/account/export/archive')).status).toBe(404)

    await makeExport(Ann)
    await ageExports(db, 7 * DAY - HOUR)
    expect(await exportState(Ann)).toMatchObject({ state: 'ready' })
    await ageExports(db, 2 * HOUR)
    expect(await exportState(Ann)).toBeNull()
    expect((await Ann.get('/api/account/export/archive')).status).toBe(404)
    // The job that makes Ben's archive also deletes the file of Ann's expired export.
    await makeExport(Ben)
    expect(await files()).toHaveLength(1)

    const { cleanUp } = await import('../cleanup.ts')
    await transaction(db, (tx) => tx.deleteFrom('users').where('id', '=', Ben.id).execute())
    await cleanUp(context)
    expect([await files(), await readRows(db, 'export_files')]).toEqual([[], []])
  })

  test('is removed with its job as soon as the account is deleted, and that of others stays', async () => {
    const app = await open()
    const { db, folder } = app
    const { Ann, Ben, Cyd } = await app.members('Ann', 'Ben', 'Cyd')
    const files = () => readdir(join(folder, 'exports'))
    for (const client of [Ann, Ben]) await makeExport(client)
    // Adds an export of Cyd, whose job does not run yet.
    await transaction(db, async (tx) => {
      const row = { user_id: Cyd.id, lang: 'en', created_at: new Date().toISOString() } as const
      const { id } = await tx.insertInto('exports').values(row).returning('id').executeTakeFirstOrThrow()
      await enqueueJob(tx, 'export', { id }, { runAt: new Date(Date.now() + HOUR) })
    })
    const jobsThatWait = async () =>
      (await readRows(db, 'jobs')).filter(({ kind, payload }) => kind === 'export' && payload)
    expect([await files(), await jobsThatWait()]).toMatchObject([{ length: 2 }, { length: 1 }])
    for (const client of [Ben, Cyd])
      expect((await client.send('DELETE', '/api/account', { messages: 'keep' })).status).toBe(200)
    await runDeletions(app)
    await eventually(async () => expect(await files()).toHaveLength(1))
    expect(await jobsThatWait()).toEqual([])
    expect(await readRows(db, 'exports')).toMatchObject([{ user_id: Ann.id }])
    expect(await readRows(db, 'export_files')).toHaveLength(1)
    expect((await Ann.get('/api/account/export/archive')).status).toBe(200)
  })
})
