import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { databases, readRows } from '#tests/harness.ts'
import { occupiedChannels } from '#tests/sockets.ts'
import {
  asChild,
  childContacts,
  contactState,
  createClub,
  decideContact,
  followAs,
  guardianScene,
  sendMessage,
} from './guardian-scene.ts'

const waitingMessage = expect.stringContaining('New contacts with this person need an OK')

describe.each(databases)('new contacts of a child on %s', (dialect) => {
  test('wait for a guardian: follows and messages in both directions, as one request', async () => {
    const { Kid, Uma, Mum, db } = await guardianScene(dialect)
    expect(await followAs(Uma, Kid)).toMatchObject({
      status: 403,
      body: { message: waitingMessage, waits: true },
    })
    expect((await followAs(Uma, Kid)).status).toBe(403)
    expect(await followAs(Kid, Uma)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('This one is in their list already'), waits: true },
    })
    expect(await readRows(db, 'follows')).toEqual([])
    expect((await Mum.get('/api/guardian/requests')).body).toMatchObject([
      { child: { id: Kid.id }, person: { id: Uma.id }, asked_by: 'person' },
    ])
    expect(await decideContact(Mum, Kid, Uma, 'allowed')).toMatchObject({
      status: 200,
      body: { state: 'allowed', decided_by: { id: Mum.id } },
    })
    expect((await followAs(Uma, Kid)).status).toBe(200)
    expect((await sendMessage(Uma, Kid)).status).toBe(200)
    expect((await sendMessage(Kid, Uma)).status).toBe(200)
    expect((await Mum.get('/api/guardian/requests')).body).toEqual([])
  })

  test('are free with guardians and with members of a common group', async () => {
    const { Ada, Kid, Mum, Ben } = await guardianScene(dialect)
    await createClub(Ada, Kid, Ben)
    for (const other of [Mum, Ben]) {
      expect((await followAs(Kid, other)).status).toBe(200)
      expect((await followAs(other, Kid)).status).toBe(200)
      expect((await sendMessage(other, Kid)).status).toBe(200)
    }
    expect((await Mum.get('/api/guardian/requests')).body).toEqual([])
  })

  test('between two children need the guardians of both', async () => {
    const { Ada, Kid, Ben, Mum, Dad, Uma } = await guardianScene(dialect)
    await asChild(Ada, Ben, ['uma'])
    expect((await followAs(Kid, Ben)).status).toBe(403)
    expect((await decideContact(Mum, Kid, Ben, 'allowed')).status).toBe(200)
    expect(await followAs(Kid, Ben)).toMatchObject({
      status: 403,
      body: { message: waitingMessage },
    })
    expect((await decideContact(Dad, Ben, Kid, 'allowed')).status).toBe(404)
    expect((await decideContact(Uma, Ben, Kid, 'allowed')).status).toBe(200)
    expect((await followAs(Kid, Ben)).status).toBe(200)
  })

  test('are decided first by one guardian; either can change it later', async () => {
    const { Kid, Uma, Mum, Dad, Ben } = await guardianScene(dialect)
    await followAs(Uma, Kid)
    const answers = await Promise.all([
      decideContact(Mum, Kid, Uma, 'allowed'),
      decideContact(Dad, Kid, Uma, 'refused'),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const state = await contactState(Mum, Kid, Uma)
    const other = state === 'allowed' ? 'refused' : 'allowed'
    expect((await decideContact(Dad, Kid, Uma, other, state)).status).toBe(200)
    expect(await contactState(Mum, Kid, Uma)).toBe(other)
    for (const stranger of [Uma, Ben, Kid])
      expect((await decideContact(stranger, Kid, Uma, 'allowed', other)).status).toBe(404)
    expect((await decideContact(Mum, Kid, Ben, 'allowed')).status).toBe(404)
  })

  test('tell the child the truth: refused, or without a guardian', async () => {
    const { Ada, Kid, Uma, Mum, Dad } = await guardianScene(dialect)
    expect((await followAs(Kid, Uma)).body.message).toContain('They can see now that you asked')
    await decideContact(Mum, Kid, Uma, 'refused')
    expect((await followAs(Kid, Uma)).body).toEqual({
      message: expect.stringContaining('have not allowed this contact'),
    })
    // As before the refusal.
    expect((await followAs(Uma, Kid)).body).toEqual({ message: waitingMessage, waits: true })
    for (const { id } of [Mum, Dad]) await Ada.put(`/api/admin/users/${id}/suspension`)
    expect((await followAs(Kid, Ada)).body.message).toContain('you have none at the moment')
    const inJapanese = await Kid.send('POST', `/api/follow/${Ada.id}`, {}, { 'accept-language': 'ja' })
    expect(inJapanese.body.message).toContain('管理者に相談してください')
  })

  test('count for the limits of new members, also when they are refused', async () => {
    const { context, db, Kid, Uma, members } = await guardianScene(dialect)
    const kids = await members('Kai', 'Kim')
    await transaction(db, (tx) => context.settings.save(tx, { new_member_days: 3 }))
    for (let tries = 0; tries < 20; tries++) expect((await followAs(Uma, Kid)).status).toBe(403)
    expect(await readRows(db, 'new_member_counts')).toMatchObject([{ kind: 'follow', count: 20 }])
    expect((await followAs(Uma, Kid)).status).toBe(429)
    expect((await followAs(Uma, kids.Kai)).status).toBe(429)
  })

  test('that existed before the mark stay, and a guardian can end them', async () => {
    const { Ada, Ben, Uma, Dad, subscribeAs, realtime, db } = await guardianScene(dialect)
    await followAs(Ben, Uma)
    await followAs(Uma, Ben)
    await sendMessage(Ben, Uma)
    expect((await asChild(Ada, Ben, ['dad'])).status).toBe(200)
    expect((await sendMessage(Uma, Ben)).status).toBe(200)
    expect(await childContacts(Dad, Ben)).toMatchObject([
      { person: { id: Uma.id }, state: 'allowed', asked_by: null, decided_by: null, child_follows: true },
    ])
    const channel = `private-chat.${Math.min(Uma.id, Ben.id)}.${Math.max(Uma.id, Ben.id)}`
    const window = await subscribeAs(Uma, channel)
    expect((await decideContact(Dad, Ben, Uma, 'refused', 'allowed')).status).toBe(200)
    await vi.waitUntil(async () => !(await occupiedChannels(realtime)).includes(channel), 10_000)
    window.ws.close()
    expect(await readRows(db, 'follows')).toEqual([])
    expect((await sendMessage(Uma, Ben)).status).toBe(403)
    expect((await Ben.get(`/api/messages/${Uma.id}`)).status).toBe(200)
  })

  test('do not lose the request when an edit is refused, and repeated messages get their answer', async () => {
    const { Ada, Kid, Ben, Mum, db } = await guardianScene(dialect)
    const group = await createClub(Ada, Kid, Ben)
    await followAs(Ben, Kid)
    const { message } = (await sendMessage(Ben, Kid, 'Hello', { client_id: 'one' })).body
    await sendMessage(Kid, Ben)
    await Ada.delete(`/api/groups/${group}`)
    await transaction(db, (tx) => tx.deleteFrom('child_contacts').execute())
    const edited = await Ben.put(`/api/chat-messages/${message.id}`, { message: 'Changed' })
    expect(edited).toMatchObject({ status: 403, body: { message: waitingMessage } })
    expect(await contactState(Mum, Kid, Ben)).toBe('requested')
    const again = await sendMessage(Ben, Kid, 'Hello', { client_id: 'one' })
    expect([again.status, again.body.message?.id]).toEqual([200, message.id])
    expect((await sendMessage(Ben, Kid, 'Hello', { client_id: 'two' })).status).toBe(403)
    expect((await Ben.delete(`/api/chat-messages/${message.id}`)).status).toBe(200)
  })
})
