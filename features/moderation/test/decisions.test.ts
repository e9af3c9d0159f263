import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import * as accounts from '#features/people/accounts.ts'
import { endSuspension, suspendMember } from '#features/people/admins.ts'
import { totpCode } from '#tests/authenticator-app.ts'
import { createGroup, sendToGroup } from '#tests/conversations.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import { decide, moderationScene, openCases, postAs, sendReport } from './moderation-scene.ts'

const bodiesOf = ({ body }: { body: { body: string }[] }) => body.map((post) => post.body)

describe.each(dialectsInTurn())('decisions about reports on %s', (dialect) => {
  async function reportPost() {
    const scene = await moderationScene(dialect)
    const post = await postAs(scene.Ben, 'Rude words')
    await sendReport(scene.Ann, 'post', post)
    const [{ id }] = await openCases(scene.Mo)
    return { ...scene, post, id: id as number }
  }

  test('hide a post from all but its author, and show it again', async () => {
    const { Mo, Ann, Ben, visitor, post, id } = await reportPost()
    await Ann.post(`/api/follow/${Ben.id}`)
    const readers = [Ann, Mo, visitor()]
    expect(await decide(Mo, id, 'hide')).toMatchObject({
      status: 200,
      body: { outcome: 'hide' },
    })
    for (const who of readers) {
      expect(bodiesOf(await who.get('/api/posts'))).toEqual([])
      expect((await who.get(`/api/posts/${post}`)).status).toBe(404)
    }
    expect(bodiesOf(await Ann.get('/api/posts/following'))).toEqual([])
    expect(bodiesOf(await Ann.get(`/api/users/${Ben.id}/posts`))).toEqual([])
    expect((await Ann.get(`/api/users/${Ben.id}`)).body.posts_count).toBe(0)
    expect((await Ann.put(`/api/posts/${post}/like`)).status).toBe(404)
    expect((await Ann.get(`/api/posts/${post}/likes`)).status).toBe(404)
    expect(bodiesOf(await Ben.get('/api/posts'))).toEqual(['Rude words'])
    expect((await Ben.get(`/api/users/${Ben.id}`)).body.posts_count).toBe(1)
    expect((await decide(Mo, id, 'restore')).status).toBe(200)
    for (const who of readers) expect(bodiesOf(await who.get('/api/posts'))).toEqual(['Rude words'])
  })

  test('delete a post', async () => {
    const { Mo, Ben, id } = await reportPost()
    expect((await decide(Mo, id, 'delete')).status).toBe(200)
    expect(bodiesOf(await Ben.get('/api/posts'))).toEqual([])
  })

  test('hide a message of a group from all but its author, who cannot edit it', async () => {
    const { Ada, Mo, Ann, Ben } = await moderationScene(dialect)
    const group = await createGroup(Ada, 'Garden', Ann, Ben)
    const { id: message } = await sendToGroup(Ben, group, 'Rude words')
    await sendReport(Ann, 'message', message)
    const [{ id }] = await openCases(Mo)
    expect((await Ann.get('/api/unread')).body.groups[group]).toBe(2)
    expect((await decide(Mo, id, 'hide')).status).toBe(200)
    const read = async (who: typeof Ann) => (await who.get(`/api/group-messages/${group}`)).body[0]
    expect(await read(Ann)).toMatchObject({ message: '', deleted_at: expect.any(String) })
    expect(await read(Ben)).toMatchObject({ message: 'Rude words', deleted_at: null })
    expect((await Ann.get('/api/my-groups')).body[0].last_message).toMatchObject({ message: '' })
    expect((await Ann.get('/api/unread')).body.groups[group]).toBe(1)
    expect((await Ann.get(`/api/chat-messages/${message}`)).body).toMatchObject({ message: '' })
    expect((await Ben.put(`/api/chat-messages/${message}`, { message: 'Worse' })).status).toBe(404)
    expect((await decide(Mo, id, 'restore')).status).toBe(200)
    expect(await read(Ann)).toMatchObject({ message: 'Rude words', deleted_at: null })
  })

  test('are told to the author, who acknowledges them', async () => {
    const { Mo, Ann, Ben, id } = await reportPost()
    const page = () => Ben.get('/', { accept: 'text/html' })
    expect((await page()).status).toBe(200)
    await decide(Mo, id, 'warn')
    const { body } = await Ben.get('/api/account/notices')
    expect(body).toMatchObject([{ action: 'warn', excerpt: 'Rude words', note: 'Because of the rules' }])
    expect(JSON.stringify(body)).not.toContain('Ann')
    expect((await Ann.get('/api/account/notices')).body).toEqual([])
    expect(await page()).toMatchObject({ status: 302, headers: { location: '/moderation' } })
    expect((await Ben.get('/moderation', { accept: 'text/html' })).status).toBe(200)
    expect((await Ben.get('/logout', { accept: 'text/html' })).status).toBe(200)
    const path = `/api/account/notices/${body[0].id}/acknowledge`
    expect((await Ann.post(path)).status).toBe(404)
    for (let times = 0; times < 2; times++) expect((await Ben.post(path)).status).toBe(204)
    expect((await Ben.get('/api/account/notices')).body).toEqual([])
    expect((await page()).status).toBe(200)
  })

  test('suspend a member until the end, when a job lets them in again', async () => {
    const { Mo, Ben, db, context, id } = await reportPost()
    expect((await decide(Mo, id, 'suspend')).status).toBe(422)
    expect((await decide(Mo, id, 'suspend', { days: 2 })).status).toBe(200)
    expect((await Ben.get('/api/user')).status).toBe(401)
    const [row] = await readRows(db, 'suspensions')
    expect(Date.parse(String(row!.ends_at)) - Date.now()).toBeGreaterThan(47 * 3600_000)
    await endSuspension(context, { user_id: Ben.id, ends_at: 'another' })
    expect(await readRows(db, 'suspensions')).toHaveLength(1)
    await endSuspension(context, { user_id: Ben.id, ends_at: String(row!.ends_at) })
    expect(await readRows(db, 'suspensions')).toEqual([])
  })

  test('of two moderators at the same moment are one, and nothing happens twice', async () => {
    const { Mo, May, db, id } = await reportPost()
    const answers = await Promise.all([decide(Mo, id, 'hide'), decide(May, id, 'warn')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await readRows(db, 'case_decisions')).toHaveLength(1)
    expect(await readRows(db, 'moderation_notices')).toHaveLength(1)
    expect((await May.get(`/api/moderation/cases/${id}`)).body.decisions).toHaveLength(1)
  })

  test('are not for the person concerned, for members, or for things that they do not fit', async () => {
    const { Ada, Mo, May, Ann, Ben } = await moderationScene(dialect)
    await sendReport(Ann, 'member', Mo.id)
    await sendReport(Ann, 'member', Ada.id)
    expect(await openCases(Mo)).toMatchObject([{ author: { id: Ada.id } }])
    const [aboutAda, aboutMo] = await openCases(May)
    for (const path of ['', '/open', '/decisions']) {
      const input = path === '/decisions' ? { action: 'dismiss', note: 'x' } : {}
      const url = `/api/moderation/cases/${aboutMo.id}${path}`
      expect((await Mo.send(path ? 'POST' : 'GET', url, path ? input : undefined)).status).toBe(404)
      expect((await Ben.send(path ? 'POST' : 'GET', url, path ? input : undefined)).status).toBe(403)
    }
    expect((await decide(May, aboutMo.id, 'hide')).status).toBe(422)
    expect((await decide(May, aboutMo.id, 'restore')).status).toBe(422)
    expect((await decide(May, aboutMo.id, 'dismiss', { note: ' ' })).status).toBe(422)
    // A moderator cannot suspend another moderator, and nobody can suspend an admin by a moderation decision.
    expect((await decide(May, aboutMo.id, 'suspend', { days: 1 })).status).toBe(403)
    expect((await decide(Mo, aboutAda.id, 'suspend', { days: 1 })).status).toBe(403)
    expect((await decide(Ada, aboutMo.id, 'suspend', { days: 1 })).status).toBe(200)
  })

  test('are refused to admins and moderators without a required second step', async () => {
    const { Ada, Mo, Ann, Ben, context } = await moderationScene(dialect)
    await Ada.post('/api/moderators', { handle: 'ada' })
    await sendReport(Ann, 'member', Ben.id)
    const [{ id }] = await openCases(Mo)
    await transaction(context.db, (tx) => context.settings.save(tx, { admins_need_second_step: true }))
    for (const who of [Ada, Mo]) {
      const refused = await decide(who, id, 'warn')
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('second step')])
      expect((await who.get('/api/moderation/cases')).status).toBe(403)
      const { body } = await who.get('/api/user')
      expect(body).toMatchObject({ is_admin: false, needs_second_step: true })
      expect(body).not.toHaveProperty('is_moderator')
    }
    expect((await Ann.get('/api/user')).body).not.toHaveProperty('needs_second_step')
    const { secret } = (await Mo.post('/api/account/one-time-codes')).body
    const code = totpCode(secret)
    expect((await Mo.post('/api/account/one-time-codes/confirm', { code })).status).toBe(200)
    expect((await Mo.get('/api/user')).body).toMatchObject({ is_moderator: true })
    expect((await decide(Mo, id, 'warn')).status).toBe(200)
  })

  test('are in the log with the role; members read no reason in words', async () => {
    const { Ada, Mo, Ann, db, id } = await reportPost()
    await decide(Mo, id, 'delete')
    const entry = { action: 'moderation_delete', role: 'moderator', subject: 'post', report_reason: 'insult' }
    expect((await Ada.get('/api/audit-log')).body[0]).toMatchObject({
      ...entry,
      actor: { id: Mo.id },
      reason: 'Because of the rules',
    })
    const stored = JSON.stringify(await readRows(db, 'audit_log'))
    expect(stored).not.toContain('Because of the rules')
    const [shown, before] = (await Ann.get('/api/audit-log')).body
    expect(shown).toMatchObject({ ...entry, actor: null, reason: null })
    expect(before.action).toBe('moderator_granted')
  })
})

describe.each(dialectsInTurn())('moderators on %s', (dialect) => {
  test('are appointed and removed by admins alone, and see it in their account', async () => {
    const { Ada, Mo, Ann, db } = await moderationScene(dialect)
    expect((await Mo.get('/api/user')).body).toMatchObject({ is_admin: false, is_moderator: true })
    expect((await Ann.get('/api/user')).body).not.toHaveProperty('is_moderator')
    expect((await Mo.post('/api/moderators', { handle: 'ann' })).status).toBe(403)
    expect((await Ada.post('/api/moderators', { handle: '@ANN' })).status).toBe(200)
    expect((await Ada.post('/api/moderators', { handle: 'nobody' })).status).toBe(422)
    expect((await Ada.get('/api/moderators')).body).toMatchObject([
      { name: 'Mo' },
      { name: 'May' },
      { name: 'Ann' },
    ])
    expect((await Ada.delete(`/api/moderators/${Ann.id}`)).status).toBe(200)
    expect((await Ada.delete(`/api/moderators/${Ann.id}`)).status).toBe(404)
    expect((await Ann.get('/api/moderation/cases')).status).toBe(403)
    expect(await readRows(db, 'moderators')).toHaveLength(2)
  })

  test('are not appointed before they have come in with their card', async () => {
    const { Ada, db } = await moderationScene(dialect)
    const list = { key: 'a list', rows: [{ name: 'Dan' }] }
    expect((await Ada.post('/api/admin/member-lists', list)).status).toBe(201)
    expect((await Ada.post('/api/moderators', { handle: 'dan' })).status).toBe(403)
    expect(await readRows(db, 'moderators')).toHaveLength(2)
  })

  test('are not appointed when they are suspended at the same moment', async () => {
    const { Ada, Ann, db, context } = await moderationScene(dialect)
    const locked = Promise.withResolvers<void>()
    const appointing = locked.promise.then(() => Ada.post('/api/moderators', { handle: 'ann' }))
    await accounts.change({ db }, Ann.id, async (tx) => {
      await suspendMember(context, tx, Ann.id, Ada.id)
      locked.resolve()
      await sleep(1000)
    })
    expect((await appointing).status).toBe(422)
    expect(await readRows(db, 'moderators')).toHaveLength(2)
  })

  test('need a confirmation for what changes something', async () => {
    const { Ada, Mo, Ann, Ben } = await moderationScene(dialect)
    await sendReport(Ann, 'member', Ben.id)
    const [{ id }] = await openCases(Mo)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
    try {
      expect((await decide(Mo, id, 'warn')).status).toBe(423)
      expect((await Mo.post(`/api/moderation/cases/${id}/open`)).status).toBe(423)
      expect((await Ada.post('/api/moderators', { handle: 'ann' })).status).toBe(423)
      expect((await Ada.delete(`/api/moderators/${Mo.id}`)).status).toBe(423)
    } finally {
      vi.useRealTimers()
    }
  })
})
