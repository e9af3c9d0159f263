import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { saveCommunity } from '#features/registration/test/registrations.ts'
import { makeJobsDue } from '#tests/absent-members.ts'
import { createGroup } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import { type Dialect, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { insertMembers } from '#tests/members.ts'
import { realtimeApp } from '#tests/sockets.ts'
import * as announcements from '../announcements.ts'
import { describeNotification } from '../describe.ts'
import { notificationPath } from '../path-contract.ts'
import { announced, pinAndTell } from './announcement-helpers.ts'

vi.setConfig({ testTimeout: 60_000 })
type Member = TestClient & { id: number }

/**
 * Starts an app with the members Mia (an admin), Ann (who writes the posts), Ben, Cleo, Dora, Eve and Finn.
 */
async function open(dialect: Dialect) {
  const app = await realtimeApp({ dialect })
  const people = await app.members('Mia', 'Ann', 'Ben', 'Cleo', 'Dora', 'Eve', 'Finn')
  /** Pins a post and announces it to all members, and waits until the notifications are stored. */
  const announce = async (post: number, who: Member = people.Mia) => {
    const answer = await pinAndTell(who, post)
    await announced(app.db)
    return answer
  }
  return { ...app, ...people, announce }
}
const publish = async (author: Member, more: object = {}) =>
  (await author.post('/api/posts', { text: 'The door code changes', ...more })).body.post.id as number
const listOf = async (who: Member) => (await who.get('/api/notifications')).body
const kindsOf = async (who: Member) => (await listOf(who)).map(({ kind }: { kind: string }) => kind)
const unreadOf = async (who: Member) => (await who.get('/api/notifications/unread')).body.count
const sentencesOf = async (who: Member, lang: 'en' | 'ja' = 'en') =>
  (await listOf(who)).map((one: Parameters<typeof describeNotification>[0]) => [
    describeNotification(one, lang),
    notificationPath(one),
  ])

describe.each(dialectsInTurn())('announcements of pinned posts on %s', (dialect) => {
  test('notify all other members once, and lead to the post', async () => {
    const { Mia, Ann, Ben, Cleo, announce, db } = await open(dialect)
    const id = await publish(Ann)
    expect((await announce(id)).body).toEqual({
      message: 'The post is pinned. Everyone is told of it now.',
      pinned: true,
    })
    for (const who of [Ben, Cleo]) {
      expect(await sentencesOf(who)).toEqual([['Announcement by Ann: The door code changes', `/posts/${id}`]])
      expect(await unreadOf(who)).toBe(1)
    }
    expect(await listOf(Ben)).toMatchObject([
      { kind: 'announcement', people: [{ id: Ann.id }], people_count: 1, post: { id, is_own: false } },
    ])
    expect(await sentencesOf(Ben, 'ja')).toEqual([
      ['Annさんから、みんなへのお知らせです：The door code changes', `/posts/${id}`],
    ])
    expect(await sentencesOf(Ann)).toEqual([
      ['Mia pinned your post for everyone: The door code changes', `/posts/${id}`],
    ])
    expect(await listOf(Mia)).toEqual([])
    expect(await readRows(db, 'notifications')).toHaveLength(6)
    // Sends the request of the page of the post, which marks the notification as read.
    const [{ last_event_id }] = await listOf(Ben)
    const read = { post_id: id, last_event_id }
    expect((await Ben.post('/api/notifications/read-about', read)).body).toEqual({ count: 0 })
    const { body: log } = await Mia.get('/api/audit-log')
    expect(log[0]).toMatchObject({ action: 'post_announced', subject: 'post', actor: { id: Mia.id } })
  })

  test('come once for each post, also after it is pinned again or told of again', async () => {
    const { Mia, Ann, Ben, announce, db } = await open(dialect)
    const id = await publish(Ann)
    await Mia.put(`/api/posts/${id}/pin`)
    // The post is already pinned without an announcement, and is now announced.
    await announce(id)
    expect((await announce(id)).body.message).toBe('The post is pinned. Everyone was told of it before.')
    await Mia.delete(`/api/posts/${id}/pin`)
    expect((await announce(id)).body.message).toContain('told of it before')
    expect(await readRows(db, 'post_announcements')).toHaveLength(1)
    expect(await kindsOf(Ben)).toEqual(['announcement'])
    const other = await publish(Ann)
    await Promise.all([announce(other), announce(other)])
    expect(await kindsOf(Ben)).toEqual(['announcement', 'announcement'])
    expect(await readRows(db, 'notification_events')).toHaveLength(2 * 6)
  })

  test('come only if the admin asks for it', async () => {
    const { Mia, Ann, Ben, db } = await open(dialect)
    const id = await publish(Ann)
    expect((await Mia.put(`/api/posts/${id}/pin`)).body).toEqual({
      message: 'The post is pinned.',
      pinned: true,
    })
    await Mia.put(`/api/posts/${id}/pin`, { tell_everyone: false })
    await announced(db)
    expect(await listOf(Ben)).toEqual([])
    expect(await readRows(db, 'post_announcements')).toEqual([])
  })

  test('are refused to everybody but admins, for posts of some people, and for wrong values', async () => {
    const app = await open(dialect)
    const { Mia, Ann, Ben, db } = app
    await saveCommunity(app, { who_can_create_groups: 'members' })
    const group = await createGroup(Ann, 'Garden', Mia)
    const [visible, garden, secret] = [
      await publish(Ann),
      await publish(Ann, { audience: 'group', group_id: group }),
      await publish(Mia, { audience: 'followers' }),
    ]
    const stranger = app.visitor()
    await stranger.get('/sanctum/csrf-cookie')
    expect((await pinAndTell(stranger, visible)).status).toBe(401)
    for (const who of [Ann, Ben]) expect((await pinAndTell(who, visible)).status).toBe(403)
    // Neither the owner of a group nor an admin in it can announce a post to everyone that only the group may
    // see.
    for (const who of [Ann, Mia]) {
      const { status, body } = await pinAndTell(who, garden)
      expect(status).toBe(422)
      expect(body.errors).toHaveProperty('tell_everyone')
    }
    expect((await pinAndTell(Mia, secret)).status).toBe(422)
    expect((await Mia.put(`/api/posts/${visible}/pin`, { tell_everyone: 'yes' })).status).toBe(422)
    await Ben.post(`/api/users/${Mia.id}/block`)
    expect((await pinAndTell(Mia, await publish(Ben))).status).toBe(404)
    await announced(db)
    expect(await readRows(db, 'post_announcements')).toEqual([])
    expect((await Mia.get('/api/posts/pinned')).body).toEqual([])
  })

  test('do not go to members who may not see the author, have muted the author, or are suspended', async () => {
    const { Mia, Ann, Ben, Cleo, Dora, Eve, Finn, announce, db } = await open(dialect)
    await Cleo.post(`/api/users/${Ann.id}/block`)
    await Ann.post(`/api/users/${Dora.id}/block`)
    await Eve.post(`/api/users/${Ann.id}/mute`)
    await Mia.put(`/api/admin/users/${Finn.id}/suspension`)
    const id = await publish(Ann, { audience: 'members' })
    await announce(id)
    const rows = await readRows(db, 'notifications')
    expect(rows.map(({ user_id }) => user_id).toSorted()).toEqual([Ann.id, Ben.id].toSorted())
    // The API leaves out a stored notification as soon as the member may no longer see the author or the
    // post.
    await Ben.post(`/api/users/${Ann.id}/block`)
    expect(await listOf(Ben)).toEqual([])
    expect(await unreadOf(Ben)).toBe(0)
    await Ben.delete(`/api/users/${Ann.id}/block`)
    expect(await unreadOf(Ben)).toBe(1)
    for (const who of [Cleo, Dora, Eve]) expect(await listOf(who)).toEqual([])
  })

  test('of the admin’s own post name the admin, and are not for an author who has muted the admin', async () => {
    const { Mia, Ann, Ben, announce } = await open(dialect)
    const id = await publish(Mia)
    await announce(id)
    expect(await sentencesOf(Ben)).toEqual([['Announcement by Mia: The door code changes', `/posts/${id}`]])
    expect(await listOf(Mia)).toEqual([])
    await Ann.post(`/api/users/${Mia.id}/mute`)
    await announce(await publish(Ann))
    expect(await listOf(Ann)).toEqual([])
    expect(await kindsOf(Ben)).toEqual(['announcement', 'announcement'])
  })

  test('are hidden with a hidden post, and deleted with a deleted one', async () => {
    const { Mia, Ann, Ben, Cleo, announce, db } = await open(dialect)
    const id = await publish(Ann)
    await announce(id)
    await Cleo.post('/api/reports', { kind: 'post', id, reason: 'spam' })
    const [{ id: reported }] = (await Mia.get('/api/moderation/cases')).body
    const decide = (action: string) =>
      Mia.post(`/api/moderation/cases/${reported}/decisions`, { action, note: 'x' })
    await decide('hide')
    expect(await listOf(Ben)).toEqual([])
    expect(await unreadOf(Ben)).toBe(0)
    await Ann.delete(`/api/posts/${id}`)
    await announced(db)
    expect((await readRows(db, 'notifications')).filter(isAnnouncement)).toEqual([])
    expect(await readRows(db, 'post_announcements')).toEqual([])
  })

  test('continue when a moderator shows a hidden post again', async () => {
    const { Mia, Ann, Ben, Cleo, db } = await open(dialect)
    const id = await publish(Ann)
    await Cleo.post('/api/reports', { kind: 'post', id, reason: 'spam' })
    const [{ id: reported }] = (await Mia.get('/api/moderation/cases')).body
    const decide = (action: string) =>
      Mia.post(`/api/moderation/cases/${reported}/decisions`, { action, note: 'x' })
    await decide('hide')
    const created_at = new Date().toISOString()
    await transaction(db, (tx) =>
      announcements.enqueue(tx, { id, user_id: Ann.id, actor_id: Mia.id, created_at }),
    )
    const isLater = ({ kind, run_at, finished_at }: Record<string, unknown>) =>
      kind === 'announce_post' && finished_at === null && String(run_at) > new Date().toISOString()
    await eventually(async () => expect((await readRows(db, 'jobs')).some(isLater)).toBe(true))
    expect((await readRows(db, 'notifications')).filter(isAnnouncement)).toEqual([])
    expect((await decide('restore')).status).toBe(200)
    await makeJobsDue(db)
    // Adds another job to wake the job runner, which would otherwise sleep until the earlier due time of the
    // first job.
    await transaction(db, (tx) => enqueueJob(tx, 'delete_announcement', { post: id + 1 }))
    await announced(db)
    expect(await kindsOf(Ben)).toEqual(['announcement'])
    expect(await listOf(Mia)).toEqual([])
  })

  test('reach all members but the author if the account of the admin was deleted', async () => {
    const { Ann, Ben, Cleo, Finn, db } = await open(dialect)
    const id = await publish(Ann)
    await transaction(db, async (tx) => {
      await tx.deleteFrom('users').where('id', '=', Finn.id).execute()
      await announcements.enqueue(tx, {
        ...{ id, user_id: Ann.id, actor_id: Finn.id },
        created_at: new Date().toISOString(),
      })
    })
    await announced(db)
    for (const who of [Ben, Cleo]) expect(await kindsOf(who)).toEqual(['announcement'])
    expect(await listOf(Ann)).toEqual([])
  })

  test('of a post that is deleted before the job runs notify nobody', async () => {
    const { Mia, Ann, db } = await open(dialect)
    const id = await publish(Ann)
    await Ann.delete(`/api/posts/${id}`)
    await transaction(db, (tx) =>
      announcements.enqueue(tx, { id, user_id: Ann.id, actor_id: Mia.id, created_at: '2026-01-01' }),
    )
    await announced(db)
    expect(await readRows(db, 'notifications')).toEqual([])
  })

  test('reach the members of all batches, and are live for those who are online', async () => {
    const app = await open(dialect)
    const { Mia, Ann, Ben, Cleo, db } = app
    const others = await insertMembers(app, 450)
    await Cleo.post(`/api/users/${Ann.id}/block`)
    const [bens, cleos] = [
      await app.subscribeAs(Ben, `presence-user.${Ben.id}`),
      await app.subscribeAs(Cleo, `presence-user.${Cleo.id}`),
    ]
    await pinAndTell(Mia, await publish(Ann))
    expect((await bens.nextMessage('NotificationsChanged')).data).toEqual({ is_only_read: false })
    await announced(db)
    const rows = await readRows(db, 'notifications')
    expect(rows).toHaveLength(others.length + 5)
    expect(rows.every(({ last_event_id }) => Number(last_event_id) > 0)).toBe(true)
    app.realtime.broadcast([`presence-user.${Ben.id}`, `presence-user.${Cleo.id}`], 'Last', {})
    await Promise.all([bens.nextMessage('Last'), cleos.nextMessage('Last')])
    expect(cleos.received('NotificationsChanged')).toEqual([])
  })

  test('count as read for members who have switched them off in the app', async () => {
    const { Ann, Ben, Cleo, announce } = await open(dialect)
    const change = { switch: { kind: 'announcement', channel: 'app', is_on: false } }
    expect((await Ben.send('PATCH', '/api/notification-settings', change)).status).toBe(200)
    await announce(await publish(Ann))
    expect([await unreadOf(Ben), await unreadOf(Cleo)]).toEqual([0, 1])
    expect(await listOf(Ben)).toMatchObject([{ kind: 'announcement', is_read: true }])
  })
})

const isAnnouncement = ({ kind }: Record<string, unknown>) => kind === 'announcement'
