import { describe, expect, onTestFinished, test } from 'vitest'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { daysAgo, ageMember as leave, makeJobsDue } from '#tests/absent-members.ts'
import { createGroup, sendToGroup } from '#tests/conversations.ts'
import { createTestApp, type Dialect, dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { startMailServer } from '#tests/mail-server.ts'
import { verifyAllEmails } from '#tests/verified-addresses.ts'
import { enqueueDue } from '../model.ts'

type Member = TestClient & { id: number }
/**
 * The delay in ms before the job runner repeats a failed job. It is so long that, during the test, only
 * `tryAgain` repeats jobs.
 */
const HOUR = 3600_000

async function open(dialect: Dialect) {
  const server = await startMailServer()
  onTestFinished(server.close)
  const env = { SMTP_URL: server.url }
  const app = await createTestApp({ dialect, env, jobRetryDelays: [HOUR, HOUR, HOUR] })
  const people = await app.members('Ann', 'Ben', 'Cleo')
  await verifyAllEmails(app)
  const leaveFor = (who: Member, days: number) => leave(app.db, who.id, days)
  let read = 0
  /** Returns the digests that the mail server has got since the last call. */
  async function readNewDigests() {
    await app.context.jobs.idle()
    const digests = server.mails.filter(({ headers }) =>
      headers.some(({ key }) => key === 'list-unsubscribe'),
    )
    const fresh = digests.slice(read).map(({ headers, subject, text, to }) => ({
      to: to![0]!.address,
      subject,
      text: text!,
      headers: Object.fromEntries(headers.map(({ key, value }) => [key, value])),
    }))
    read = digests.length
    return fresh
  }
  /**
   * Does the work that the server does every hour for digests, and returns the digests that the mail server
   * then got.
   */
  async function runHour() {
    await enqueueDue(app.context)
    return readNewDigests()
  }
  /**
   * Makes waiting jobs due, so that the job runner tries again to send digests. Returns the digests that the
   * mail server then got.
   */
  async function tryAgain() {
    await makeJobsDue(app.db)
    app.context.jobs.wake()
    return readNewDigests()
  }
  const publish = async (author: Member) =>
    (await author.post('/api/posts', { text: 'Rhubarb' })).body.post.id as number
  return { ...app, app, ...people, server, env, leaveFor, runHour, tryAgain, publish }
}
const setFrequency = (who: Member, frequency: string) => who.put('/api/digest', { frequency })

describe.each(dialectsInTurn())('digests on %s', (dialect) => {
  test('tell a member who has been away what is new, once in the period', async () => {
    const { Ann, Ben, db, leaveFor, runHour, publish } = await open(dialect)
    const group = await createGroup(Ann, 'Garden', Ben)
    const post = await publish(Ben)
    await Ann.post(`/api/posts/${post}/replies`, { text: 'Lovely' })
    await Ann.put(`/api/posts/${post}/reactions/${encodeURIComponent('👍')}`)
    await sendToGroup(Ann, group, 'One')
    expect(await runHour()).toEqual([])
    await leaveFor(Ben, 5)
    expect(await runHour()).toEqual([])
    await leaveFor(Ben, 9)
    const [mail, ...others] = await runHour()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: 'ben@engawa.example', subject: 'What is new at Engawa' })
    expect(mail!.text).toContain('Ann replied to your post: Lovely')
    expect(mail!.text).toContain('Ann reacted 👍 to your post: Rhubarb')
    expect(mail!.text).toContain('Ann added you to a group: Garden')
    expect(mail!.text).toMatch(/unread messages? in 1 chat/)
    const parts = ['For you:', 'Lovely', 'Your groups:', 'Garden: 2 unread messages', 'Also new:', 'Rhubarb']
    const places = parts.map((words) => mail!.text.indexOf(words))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
    const link = /http:\/\/localhost:\d+\/digest\/unsubscribe\/\d+\.[\w-]{43}/.exec(mail!.text)![0]
    expect(mail!.headers).toMatchObject({
      'list-unsubscribe': `<${link}>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    })
    expect(await runHour()).toEqual([])
    expect(await readRows(db, 'digests')).toMatchObject([{ user_id: Ben.id, sent_at: expect.any(String) }])
  })

  test('are not repeated in the next period unless something is new', async () => {
    const { Ann, Ben, db, leaveFor, runHour, publish } = await open(dialect)
    const post = await publish(Ben)
    await Ann.post(`/api/posts/${post}/like`)
    await leaveFor(Ben, 9)
    expect(await runHour()).toHaveLength(1)
    // Changes the stored digest into one of an earlier period, so that Ben can get a digest of this period.
    await transaction(db, (tx) => tx.updateTable('digests').set({ period: 'weekly 1' }).execute())
    expect(await runHour()).toEqual([])
    await Ann.post(`/api/posts/${post}/replies`, { text: 'Lovely' })
    const [mail] = await runHour()
    expect(mail!.text).toContain('Lovely')
    expect(mail!.text).not.toContain('liked')
  })

  test('leave out what is read, switched off, or not visible any more', async () => {
    const { Ann, Ben, Cleo, leaveFor, runHour, publish } = await open(dialect)
    const post = await publish(Ben)
    await Ann.post(`/api/posts/${post}/replies`, { text: 'Lovely' })
    await Cleo.post(`/api/posts/${post}/replies`, { text: 'Blocked' })
    await Ann.post(`/api/posts/${post}/like`)
    await Ben.post(`/api/users/${Cleo.id}/block`)
    const off = { kind: 'like', channel: 'mail', is_on: false }
    await Ben.send('PATCH', '/api/notification-settings', { switch: off })
    await leaveFor(Ben, 9)
    const [mail] = await runHour()
    expect(mail!.text).toContain('Lovely')
    expect(mail!.text).not.toMatch(/Blocked|Cleo|liked/)
  })

  test('come as often as the member chooses, in the language of the member', async () => {
    const { Ann, Ben, db, leaveFor, runHour, publish } = await open(dialect)
    await Ann.post(`/api/posts/${await publish(Ben)}/like`)
    expect((await Ben.get('/api/digest')).body).toEqual({ frequency: 'weekly', has_verified_email: true })
    expect((await setFrequency(Ben, 'never')).body.frequency).toBe('never')
    await leaveFor(Ben, 20)
    expect(await runHour()).toEqual([])
    await setFrequency(Ben, 'daily')
    await leaveFor(Ben, 3)
    await transaction(db, (tx) =>
      tx.updateTable('member_languages').set({ lang: 'ja' }).where('user_id', '=', Ben.id).execute(),
    )
    const [mail] = await runHour()
    expect(mail).toMatchObject({ subject: '【Engawa】新着のまとめ' })
    expect((await setFrequency(Ben, 'hourly')).status).toBe(422)
  })

  test('are sent once by two processes', async () => {
    const { Ann, Ben, app, env, context, server, leaveFor, publish, runHour } = await open(dialect)
    const other = dialect === 'postgres' ? (await createTestApp({ sameDataAs: app, env })).context : context
    await Ann.post(`/api/posts/${await publish(Ben)}/like`)
    await leaveFor(Ben, 9)
    await Promise.all([context, other, context, other].map(enqueueDue))
    await other.jobs.idle()
    await runHour()
    await expect.poll(() => server.mails.filter(({ subject }) => subject?.includes('new at'))).toHaveLength(1)
  })

  test('that the mail server refuses for now say later what the member may see then', async () => {
    const { Ann, Ben, Cleo, db, server, leaveFor, runHour, tryAgain, publish } = await open(dialect)
    const post = await publish(Ben)
    await Ann.post(`/api/posts/${post}/replies`, { text: 'Lovely' })
    const { body } = await Cleo.post(`/api/posts/${post}/replies`, { text: 'Deleted' })
    server.state.isBusy = true
    await leaveFor(Ben, 9)
    expect(await runHour()).toEqual([])
    expect(await readRows(db, 'digests')).toMatchObject([{ sent_at: null, sending_since: null }])
    expect((await Cleo.delete(`/api/replies/${body.reply.id}`)).status).toBe(200)
    expect(await tryAgain()).toEqual([])
    server.state.isBusy = false
    const [mail, ...others] = await tryAgain()
    expect(others).toEqual([])
    expect(mail!.text).toContain('Lovely')
    expect(mail!.text).not.toContain('Deleted')
    expect(await tryAgain()).toEqual([])
  })

  test.each<[string, (who: { Ann: Member; Ben: Member }) => Promise<unknown>]>([
    ['has come back', ({ Ben }) => Ben.get('/api/user')],
    ['does not want them any more', ({ Ben }) => setFrequency(Ben, 'never')],
    ['has read everything', ({ Ben }) => Ben.post('/api/notifications/read', { last_event_id: 1_000_000 })],
    ['was suspended', ({ Ann, Ben }) => Ann.put(`/api/admin/users/${Ben.id}/suspension`)],
  ])('that waited for the mail server are not sent to a member who %s', async (reason, change) => {
    const { Ann, Ben, server, db, leaveFor, runHour, tryAgain, publish } = await open(dialect)
    await Ann.post(`/api/posts/${await publish(Ben)}/like`)
    server.state.isBusy = true
    await leaveFor(Ben, 9)
    expect(await runHour()).toEqual([])
    await change({ Ann, Ben })
    // The requests in `change` count as a visit of Ben, and a visit alone would prevent the mail. So the test
    // makes Ben absent again, except in the case that is about the visit.
    if (reason !== 'has come back') await leave(db, Ben.id, 9)
    server.state.isBusy = false
    expect(await tryAgain()).toEqual([])
  })

  test('wait for the end of the quiet hours', async () => {
    const { Ann, Ben, leaveFor, runHour, publish } = await open(dialect)
    await Ann.post(`/api/posts/${await publish(Ben)}/like`)
    const clock = (time: number) => new Date(time).toISOString().slice(11, 16)
    const quiet_hours = {
      from: clock(Date.now() - 3600_000),
      to: clock(Date.now() + 3600_000),
      time_zone: 'UTC',
    }
    await Ben.send('PATCH', '/api/notification-settings', { quiet_hours })
    await leaveFor(Ben, 9)
    expect(await runHour()).toEqual([])
    await Ben.send('PATCH', '/api/notification-settings', { quiet_hours: null })
    await leaveFor(Ben, 9)
    expect(await runHour()).toHaveLength(1)
  })

  test('are not sent to unverified or suspended members', async () => {
    const { Ann, Ben, Cleo, db, leaveFor, runHour, publish } = await open(dialect)
    for (const who of [Ben, Cleo]) await Ann.post(`/api/posts/${await publish(who)}/like`)
    for (const who of [Ben, Cleo]) await leaveFor(who, 9)
    const unverified = { email_verified_at: null }
    await transaction(db, (tx) => tx.updateTable('users').set(unverified).where('id', '=', Cleo.id).execute())
    await Ann.put(`/api/admin/users/${Ben.id}/suspension`)
    expect(await runHour()).toEqual([])
    expect((await Cleo.get('/api/digest')).body.has_verified_email).toBe(false)
    const verified = { email_verified_at: isoNow() }
    await transaction(db, (tx) => tx.updateTable('users').set(verified).where('id', '=', Cleo.id).execute())
    await leaveFor(Cleo, 9)
    expect((await runHour()).map(({ to }) => to)).toEqual(['cleo@engawa.example'])
  })

  test('end with one click of a mail program, without a log-in', async () => {
    const { Ann, Ben, Cleo, app, leaveFor, runHour, publish } = await open(dialect)
    await Ann.post(`/api/posts/${await publish(Ben)}/like`)
    await leaveFor(Ben, 9)
    const [mail] = await runHour()
    const path = new URL(mail!.headers['list-unsubscribe']!.slice(1, -1)).pathname
    const oneClick = (url: string, method: 'GET' | 'POST' = 'POST') =>
      app.app.inject({
        method,
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        ...(method === 'POST' && { payload: 'List-Unsubscribe=One-Click' }),
      })
    expect((await oneClick(path, 'GET')).statusCode).toBe(200)
    expect((await Ben.get('/api/digest')).body.frequency).toBe('weekly')
    const forged = path.replace(`/${Ben.id}.`, `/${Cleo.id}.`)
    for (const wrong of [forged, `${path.slice(0, -2)}xx`, '/digest/unsubscribe/1.x'])
      expect((await oneClick(wrong)).statusCode).toBe(422)
    expect((await Cleo.get('/api/digest')).body.frequency).toBe('weekly')
    for (let times = 0; times < 2; times++) expect((await oneClick(path)).statusCode).toBe(204)
    expect((await Ben.get('/api/digest')).body.frequency).toBe('never')
  })
})

test('no digests are made without a mail server', async () => {
  const app = await createTestApp()
  const { Ann, Ben } = await app.members('Ann', 'Ben')
  await verifyAllEmails(app)
  const { post } = (await Ben.post('/api/posts', { text: 'Rhubarb' })).body
  await Ann.post(`/api/posts/${post.id}/like`)
  await transaction(app.db, async (tx) => {
    await tx
      .updateTable('users')
      .set({ created_at: daysAgo(100) })
      .execute()
    await tx
      .updateTable('sessions')
      .set({ refreshed_at: daysAgo(50) })
      .execute()
  })
  await enqueueDue(app.context)
  await app.context.jobs.idle()
  expect(await readRows(app.db, 'digests')).toEqual([])
})
