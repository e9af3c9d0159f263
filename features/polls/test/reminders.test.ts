import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { asChild } from '#features/guardians/test/guardian-scene.ts'
import { decide, openCases, sendReport } from '#features/moderation/test/moderation-scene.ts'
import { sendPrivate } from '#tests/conversations.ts'
import { databases, type TestClient } from '#tests/harness.ts'
import { answer, askInGroup, askInPost, choice, choose, pollScene } from './poll-scene.ts'

interface Listed {
  kind: string
  is_read: boolean
  message_id?: number
  post?: { id: number }
}
/** In a group before those in a post. */
const remindersOf = async (who: TestClient) =>
  ((await who.get('/api/notifications')).body as Listed[])
    .filter(({ kind }) => kind.endsWith('poll_reminder'))
    .sort((a, b) => a.kind.localeCompare(b.kind))
const remind = (who: TestClient, { id }: { id: number }) => who.post(`/api/polls/${id}/reminders`)

/** As if the last reminder had been sent thirteen hours ago. */
const age = (db: Db) => {
  const then = new Date(Date.now() - 13 * 3600_000).toISOString()
  return transaction(db, async (tx) => {
    await sql`update polls set reminded_at = ${then}`.execute(tx)
    await sql`update notification_events set created_at = ${then}`.execute(tx)
  })
}

describe.each(databases)('reminders of a poll on %s', (dialect) => {
  test('are not for groups that have ended, which wait for nobody', async () => {
    const { Ann, Cleo, group } = await pollScene(dialect)
    const asked = [
      await askInPost(Ann, choice(), { audience: 'group', group_id: group }),
      await askInGroup(Ann, group),
    ]
    const waiting = async () => (await Cleo.get('/api/polls/waiting')).body.length
    expect(await waiting()).toBe(2)
    await Ann.put(`/api/groups/${group}/ending`, { has_ended: true })
    expect(await waiting()).toBe(0)
    for (const poll of asked) expect((await remind(Ann, poll)).status).toBe(403)
    await Ann.put(`/api/groups/${group}/ending`, { has_ended: false })
    expect(await waiting()).toBe(2)
    for (const poll of asked) expect((await remind(Ann, poll)).status).toBe(200)
  })

  test('reach exactly those who see it and have not answered, and end with the answer', async () => {
    const { Ann, Ben, Cleo, Dan, Eva, group, context } = await pollScene(dialect)
    const inPost = await askInPost(Ann, choice(), { audience: 'group', group_id: group })
    const inChat = await askInGroup(Ann, group)
    for (const poll of [inPost, inChat]) await choose(Ben, poll, 0)
    await Dan.post(`/api/users/${Ann.id}/mute`)
    for (const poll of [inPost, inChat]) expect((await remind(Ann, poll)).status).toBe(200)
    await context.jobs.idle()
    for (const who of [Ann, Ben, Dan, Eva]) expect(await remindersOf(who)).toEqual([])
    expect(await remindersOf(Cleo)).toMatchObject([
      { kind: 'group_poll_reminder', message_id: inChat.message, is_read: false },
      { kind: 'poll_reminder', post: { id: inPost.post }, is_read: false },
    ])
    await choose(Cleo, inChat, 1)
    expect(await remindersOf(Cleo)).toMatchObject([{ kind: 'poll_reminder' }])
    await choose(Cleo, inPost, 1)
    expect(await remindersOf(Cleo)).toEqual([])
  })

  test('come once in twelve hours, from the author alone, until the end; each is unread again', async () => {
    const { Ann, Ben, group, db, context } = await pollScene(dialect)
    const poll = await askInGroup(Ann, group)
    expect((await remind(Ben, poll)).status).toBe(403)
    const both = await Promise.all([remind(Ann, poll), remind(Ann, poll)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
    await context.jobs.idle()
    const [{ last_event_id }] = (await Ben.get('/api/notifications')).body
    await Ben.post('/api/notifications/read', { last_event_id })
    expect(await remindersOf(Ben)).toMatchObject([{ is_read: true }])
    await age(db)
    expect((await remind(Ann, poll)).status).toBe(200)
    await context.jobs.idle()
    expect(await remindersOf(Ben)).toMatchObject([{ is_read: false }])
    await age(db)
    await Ann.post(`/api/polls/${poll.id}/end`)
    expect((await remind(Ann, poll)).status).toBe(403)
    await context.jobs.idle()
    expect(await remindersOf(Ben)).toEqual([])
  })

  test('of everybody are for who may tell everybody, and of nobody while the message is hidden', async () => {
    const { Ann, Ben, Cleo, group, context } = await pollScene(dialect)
    const [own, inGroup] = [
      await askInPost(Ben),
      await askInPost(Ben, choice(), { audience: 'group', group_id: group }),
    ]
    expect((await remind(Ben, own)).status).toBe(403)
    expect((await remind(Ben, inGroup)).status).toBe(200)
    const hidden = await askInGroup(Ben, group)
    await sendReport(Cleo, 'message', hidden.message)
    const [{ id }] = await openCases(Ann)
    expect((await decide(Ann, id, 'hide')).status).toBe(200)
    expect((await remind(Ben, hidden)).status).toBe(404)
    await context.jobs.idle()
  })

  test('go to guardians of children who have not answered about coming', async () => {
    const { Ann, Ben, Cleo, Dan, group, context } = await pollScene(dialect)
    expect((await asChild(Ann, Dan, ['cleo'])).status).toBe(200)
    const coming = await askInGroup(Ann, group, { poll: { kind: 'attendance' } })
    const cake = await askInPost(Ann, choice(), { audience: 'group', group_id: group })
    for (const who of [Ben, Cleo]) {
      await answer(who, coming, ['yes'])
      await choose(who, cake, 0)
    }
    for (const poll of [coming, cake]) await remind(Ann, poll)
    await context.jobs.idle()
    expect(await remindersOf(Ben)).toEqual([])
    expect(await remindersOf(Cleo)).toMatchObject([{ kind: 'group_poll_reminder' }])
    expect(await remindersOf(Dan)).toMatchObject([{ kind: 'group_poll_reminder' }, { kind: 'poll_reminder' }])
    await answer(Dan, coming, ['no'])
    expect(await remindersOf(Cleo)).toEqual([])
    expect(await remindersOf(Dan)).toMatchObject([{ kind: 'poll_reminder' }])
  })

  test('are refused in a private chat', async () => {
    const { Ann, Ben } = await pollScene(dialect)
    await Ann.post(`/api/follow/${Ben.id}`)
    const { id: message } = await sendPrivate(Ann, Ben, 'Cake?', { extras: choice() })
    const { body } = await Ann.get(`/api/polls?messages=${message}`)
    expect((await remind(Ann, body.messages[message])).status).toBe(403)
  })
})
