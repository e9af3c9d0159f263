import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { asChild } from '#features/guardians/test/guardian-scene.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { dialectsInTurn, readRows, type TestClient } from '#tests/harness.ts'
import { setWhoCanRead } from '#tests/members-only.ts'
import { connectPusher, expectNotSubscribed, type PusherClient, realtimeApp } from '#tests/sockets.ts'

type Member = TestClient & { id: number }

/** Starts a community with Ada (the admin), Mo (a moderator), Kid (a child of Mum), Ann and Ben. */
async function open(who_can_read: 'members' | 'everyone', dialect: 'sqlite' | 'postgres' = 'sqlite') {
  const app = await realtimeApp({ dialect })
  const people = await app.members('Ada', 'Mo', 'Kid', 'Mum', 'Ann', 'Ben')
  const { Ada, Kid } = people
  expect((await Ada.post('/api/moderators', { handle: 'mo' })).status).toBe(200)
  expect((await asChild(Ada, Kid, ['mum'])).status).toBe(200)
  await setWhoCanRead(Ada, who_can_read)
  /** Opens the socket of a member, and subscribes it to the public chat. */
  async function listen(who: Member) {
    const socket = await connectPusher(app.url)
    await app.subscribeAs(who, 'presence-here', socket)
    socket.subscribe('chat')
    return socket
  }
  return { ...app, ...people, listen }
}
const accepted = 'pusher_internal:subscription_succeeded'
const write = (who: TestClient, message = 'Rude words') => who.post('/api/send-message', { message })
const report = (who: Member, fields: object) =>
  who.post('/api/public-chat/reports', { reason: 'insult', ...fields })

/** Returns the fields of a report of the message that the socket has received. */
async function receiveReportable(socket: PusherClient) {
  const { data } = await socket.nextMessage('MessageSent')
  const { message, writer } = data as {
    message: string
    writer: { id: number; user: { id: number }; created_at: string; signature: string }
  }
  const { user, ...signed } = writer
  return { ...signed, user_id: user.id, message }
}

describe.each(dialectsInTurn())('the public chat of a members-only community on %s', (dialect) => {
  test('shows who writes, and moderators decide about a report', async () => {
    const { Mo, Ann, Ben, db, listen } = await open('members', dialect)
    const socket = await listen(Ann)
    await socket.nextMessage(accepted)
    await write(Ben, '  Rude words ')
    const { data } = await socket.nextMessage('MessageSent')
    expect(data).toEqual({
      message: 'Rude words',
      writer: {
        id: expect.any(Number),
        user: { id: Ben.id, name: 'Ben', profile_image: null },
        created_at: expect.stringMatching(/Z$/),
        signature: expect.any(String),
      },
    })
    await write(Ben)
    const fields = await receiveReportable(socket)
    for (const begin of ['Thank you.', 'You have reported this already.'])
      expect(await report(Ann, fields)).toMatchObject({
        status: 201,
        body: { message: `${begin} The moderators will look at it.` },
      })
    expect(await readRows(db, 'reports')).toHaveLength(1)
    const [row] = (await Mo.get('/api/moderation/cases')).body
    expect(row).toMatchObject({
      kind: 'public_message',
      chat: null,
      author: { id: Ben.id },
      reports_count: 1,
    })
    const path = `/api/moderation/cases/${row.id}`
    expect((await Mo.get(path)).body).toMatchObject({
      reading: 'open',
      evidence: [
        { user: { id: Ben.id }, text: 'Rude words', created_at: fields.created_at, is_reported: true },
      ],
      reports: [{ reporter: { id: Ann.id }, reason: 'insult' }],
    })
    const decide = (action: string) => Mo.post(`${path}/decisions`, { action, note: 'Because of the rules' })
    for (const impossible of ['hide', 'delete']) expect((await decide(impossible)).status).toBe(422)
    expect((await decide('warn')).body).toMatchObject({ outcome: 'warn' })
    expect((await Ben.get('/api/account/notices')).body).toMatchObject([
      { action: 'warn', kind: 'public_message', excerpt: 'Rude words' },
    ])
    expect((await Ann.get('/api/reports')).body).toMatchObject([{ kind: 'public_message', state: 'acted' }])
  })

  test('takes no report of words that nobody wrote, of one’s own, and of a former member', async () => {
    const { Ann, Ben, Mum, db, context, listen } = await open('members', dialect)
    const socket = await listen(Ann)
    await socket.nextMessage(accepted)
    await write(Ben)
    const fields = await receiveReportable(socket)
    for (const wrong of [
      { message: 'Worse words' },
      { user_id: Mum.id },
      { id: fields.id + 1 },
      { created_at: new Date(Date.parse(fields.created_at) + 1).toISOString() },
      { signature: fields.signature.slice(1) },
    ])
      expect((await report(Ann, { ...fields, ...wrong })).status, JSON.stringify(wrong)).toBe(404)
    expect((await report(Ann, { ...fields, reason: 'envy' })).status).toBe(422)
    expect((await report(Ben, fields)).status).toBe(422)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(fields.created_at) + 7 * 24 * 3600_000 })
    onTestFinished(() => void vi.useRealTimers())
    expect((await report(Ann, fields)).status).toBe(404)
    vi.useRealTimers()
    await transaction(db, (tx) => deleteMember(context, tx, { id: Ben.id, keep_messages: false }))
    expect((await report(Ann, fields)).status).toBe(404)
    expect(await readRows(db, 'report_cases')).toEqual([])
  })
})

test('the public chat of a members-only community respects blocks and mutes', async () => {
  const { Ann, Ben, Mum, Mo, listen } = await open('members')
  const sockets = await Promise.all([Ann, Ben, Mum, Mo].map(listen))
  for (const socket of sockets) await socket.nextMessage(accepted)
  await Ann.post(`/api/users/${Ben.id}/block`)
  await Mum.post(`/api/users/${Ben.id}/mute`)
  await write(Ben, 'First')
  await write(Ann, 'Second')
  const seen: string[][] = []
  for (const socket of sockets) {
    await socket.sync()
    seen.push(socket.received('MessageSent').map(({ data }) => data.message))
  }
  expect(seen).toEqual([['Second'], ['First'], ['Second'], ['First', 'Second']])
})

test('the public chat of a community that everyone may read names nobody, as ever', async () => {
  const { Ann, Ben, url, listen } = await open('everyone')
  const visitor = await connectPusher(url)
  visitor.subscribe('chat')
  for (const socket of [visitor, await listen(Ann)]) {
    await socket.nextMessage(accepted)
    await write(Ben)
    expect((await socket.nextMessage('MessageSent')).data).toEqual({ message: 'Rude words' })
  }
})

describe.each(['members', 'everyone'] as const)(
  'in a community that %s may read, a child',
  (who_can_read) => {
    test('gets the public chat neither as a page, nor by calls, nor live', async () => {
      const { Kid, Ann, Ben, listen } = await open(who_can_read)
      const page = async (who: TestClient) => (await who.get('/chat', { accept: 'text/html' })).status
      expect([await page(Kid), await page(Ann)]).toEqual([404, 200])
      expect((await Kid.get('/api/user')).body.is_child).toBe(true)
      expect((await Ann.get('/api/user')).body).not.toHaveProperty('is_child')
      expect([(await write(Kid)).status, (await write(Ann)).status]).toEqual([404, 200])
      expect((await report(Kid, {})).status).toBe(404)
      const [kid, ann] = [await listen(Kid), await listen(Ann)]
      await ann.nextMessage(accepted)
      await expectNotSubscribed(kid, 'chat', [403])
      await write(Ben)
      await ann.nextMessage('MessageSent')
      await kid.sync()
      expect(kid.received('MessageSent')).toEqual([])
    })

    test('loses it when the account is marked as a child’s, and a socket that becomes a child’s too', async () => {
      const { Ada, Ben, Kid, url, subscribeAs, listen } = await open(who_can_read)
      const ben = await listen(Ben)
      await ben.nextMessage(accepted)
      expect((await asChild(Ada, Ben, ['mum'])).status).toBe(200)
      await expectNotSubscribed(ben, 'chat', [403])
      const early = await connectPusher(url)
      early.subscribe('chat')
      if (who_can_read === 'everyone') await early.nextMessage(accepted)
      await subscribeAs(Kid, 'presence-here', early)
      await expectNotSubscribed(early, 'chat', [403])
      const reused = await listen(Ada)
      await reused.nextMessage(accepted)
      await subscribeAs(Kid, 'presence-here', reused)
      await write(Ada)
      for (const socket of [ben, early, reused]) {
        await socket.sync()
        expect(socket.received('MessageSent')).toEqual([])
      }
    })
  },
)
