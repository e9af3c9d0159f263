import { describe, expect, test, vi } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { readTestTableRows, testDatabaseDialects } from '#tests/harness.ts'
import { listOccupiedChannelNamesInTest } from '#tests/sockets.ts'
import {
  createTestGroupNamedClub,
  followAsTestMember,
  listChildContactsAsTestGuardian,
  markTestMemberAsChildByAdmin,
  readChildContactStateAsTestGuardian,
  sendContactDecisionAsTestGuardian,
  sendTestPrivateMessageForResponse,
  startTestAppWithGuardians,
} from './guardian-scene.ts'

const waitingMessage = expect.stringContaining('New contacts with this person need an OK')

describe.each(testDatabaseDialects)('new contacts of a child on %s', (dialect) => {
  test('wait for a guardian: follows and messages in both directions, as one request', async () => {
    const { Kid, Uma, Mum, db } = await startTestAppWithGuardians(dialect)
    expect(await followAsTestMember(Uma, Kid)).toMatchObject({
      status: 403,
      body: { message: waitingMessage },
    })
    expect((await followAsTestMember(Uma, Kid)).status).toBe(403)
    expect(await followAsTestMember(Kid, Uma)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('This one is in their list already') },
    })
    expect(await readTestTableRows(db, 'follows')).toEqual([])
    expect((await Mum.get('/api/guardian/requests')).body).toMatchObject([
      { child: { id: Kid.id }, person: { id: Uma.id }, asked_by: 'person' },
    ])
    expect(await sendContactDecisionAsTestGuardian(Mum, Kid, Uma, 'allowed')).toMatchObject({
      status: 200,
      body: { state: 'allowed', decided_by: { id: Mum.id } },
    })
    expect((await followAsTestMember(Uma, Kid)).status).toBe(200)
    expect((await sendTestPrivateMessageForResponse(Uma, Kid)).status).toBe(200)
    expect((await sendTestPrivateMessageForResponse(Kid, Uma)).status).toBe(200)
    expect((await Mum.get('/api/guardian/requests')).body).toEqual([])
  })

  test('are free with guardians and with members of a common group', async () => {
    const { Ada, Kid, Mum, Ben } = await startTestAppWithGuardians(dialect)
    await createTestGroupNamedClub(Ada, Kid, Ben)
    for (const other of [Mum, Ben]) {
      expect((await followAsTestMember(Kid, other)).status).toBe(200)
      expect((await followAsTestMember(other, Kid)).status).toBe(200)
      expect((await sendTestPrivateMessageForResponse(other, Kid)).status).toBe(200)
    }
    expect((await Mum.get('/api/guardian/requests')).body).toEqual([])
  })

  test('between two children need the guardians of both', async () => {
    const { Ada, Kid, Ben, Mum, Dad, Uma } = await startTestAppWithGuardians(dialect)
    await markTestMemberAsChildByAdmin(Ada, Ben, ['uma'])
    expect((await followAsTestMember(Kid, Ben)).status).toBe(403)
    expect((await sendContactDecisionAsTestGuardian(Mum, Kid, Ben, 'allowed')).status).toBe(200)
    expect(await followAsTestMember(Kid, Ben)).toMatchObject({
      status: 403,
      body: { message: waitingMessage },
    })
    expect((await sendContactDecisionAsTestGuardian(Dad, Ben, Kid, 'allowed')).status).toBe(404)
    expect((await sendContactDecisionAsTestGuardian(Uma, Ben, Kid, 'allowed')).status).toBe(200)
    expect((await followAsTestMember(Kid, Ben)).status).toBe(200)
  })

  test('are decided first by one guardian; either can change it later', async () => {
    const { Kid, Uma, Mum, Dad, Ben } = await startTestAppWithGuardians(dialect)
    await followAsTestMember(Uma, Kid)
    const answers = await Promise.all([
      sendContactDecisionAsTestGuardian(Mum, Kid, Uma, 'allowed'),
      sendContactDecisionAsTestGuardian(Dad, Kid, Uma, 'refused'),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const state = await readChildContactStateAsTestGuardian(Mum, Kid, Uma)
    const other = state === 'allowed' ? 'refused' : 'allowed'
    expect((await sendContactDecisionAsTestGuardian(Dad, Kid, Uma, other, state)).status).toBe(200)
    expect(await readChildContactStateAsTestGuardian(Mum, Kid, Uma)).toBe(other)
    for (const stranger of [Uma, Ben, Kid])
      expect((await sendContactDecisionAsTestGuardian(stranger, Kid, Uma, 'allowed', other)).status).toBe(404)
    expect((await sendContactDecisionAsTestGuardian(Mum, Kid, Ben, 'allowed')).status).toBe(404)
  })

  test('tell the child the truth: refused, or without a guardian', async () => {
    const { Ada, Kid, Uma, Mum, Dad } = await startTestAppWithGuardians(dialect)
    expect((await followAsTestMember(Kid, Uma)).body.message).toContain('They can see now that you asked')
    await sendContactDecisionAsTestGuardian(Mum, Kid, Uma, 'refused')
    expect((await followAsTestMember(Kid, Uma)).body.message).toContain('have not allowed this contact')
    expect((await followAsTestMember(Uma, Kid)).body.message).toEqual(waitingMessage)
    for (const { id } of [Mum, Dad]) await Ada.put(`/api/admin/users/${id}/suspension`)
    expect((await followAsTestMember(Kid, Ada)).body.message).toContain('you have none at the moment')
    const inJapanese = await Kid.send('POST', `/api/follow/${Ada.id}`, {}, { 'accept-language': 'ja' })
    expect(inJapanese.body.message).toContain('管理者に相談してください')
  })

  test('count for the limits of new members, also when they are refused', async () => {
    const { context, db, Kid, Uma, members } = await startTestAppWithGuardians(dialect)
    const kids = await members('Kai', 'Kim')
    await transaction(db, (tx) => context.settings.save(tx, { new_member_days: 3 }))
    for (let tries = 0; tries < 20; tries++) expect((await followAsTestMember(Uma, Kid)).status).toBe(403)
    expect(await readTestTableRows(db, 'new_member_counts')).toMatchObject([{ kind: 'follow', count: 20 }])
    expect((await followAsTestMember(Uma, Kid)).status).toBe(429)
    expect((await followAsTestMember(Uma, kids.Kai)).status).toBe(429)
  })

  test('that existed before the mark stay, and a guardian can end them', async () => {
    const { Ada, Ben, Uma, Dad, subscribeAs, realtime, db } = await startTestAppWithGuardians(dialect)
    await followAsTestMember(Ben, Uma)
    await followAsTestMember(Uma, Ben)
    await sendTestPrivateMessageForResponse(Ben, Uma)
    expect((await markTestMemberAsChildByAdmin(Ada, Ben, ['dad'])).status).toBe(200)
    expect((await sendTestPrivateMessageForResponse(Uma, Ben)).status).toBe(200)
    expect(await listChildContactsAsTestGuardian(Dad, Ben)).toMatchObject([
      { person: { id: Uma.id }, state: 'allowed', asked_by: null, decided_by: null, child_follows: true },
    ])
    const channel = `private-chat.${Math.min(Uma.id, Ben.id)}.${Math.max(Uma.id, Ben.id)}`
    const window = await subscribeAs(Uma, channel)
    expect((await sendContactDecisionAsTestGuardian(Dad, Ben, Uma, 'refused', 'allowed')).status).toBe(200)
    await vi.waitUntil(
      async () => !(await listOccupiedChannelNamesInTest(realtime)).includes(channel),
      10_000,
    )
    window.ws.close()
    expect(await readTestTableRows(db, 'follows')).toEqual([])
    expect((await sendTestPrivateMessageForResponse(Uma, Ben)).status).toBe(403)
    expect((await Ben.get(`/api/messages/${Uma.id}`)).status).toBe(200)
  })

  test('do not lose the request when an edit is refused, and repeated messages get their answer', async () => {
    const { Ada, Kid, Ben, Mum, db } = await startTestAppWithGuardians(dialect)
    const group = await createTestGroupNamedClub(Ada, Kid, Ben)
    await followAsTestMember(Ben, Kid)
    const { message } = (await sendTestPrivateMessageForResponse(Ben, Kid, 'Hello', { client_id: 'one' }))
      .body
    await sendTestPrivateMessageForResponse(Kid, Ben)
    await Ada.delete(`/api/groups/${group}`)
    await transaction(db, (tx) => tx.deleteFrom('child_contacts').execute())
    const edited = await Ben.put(`/api/chat-messages/${message.id}`, { message: 'Changed' })
    expect(edited).toMatchObject({ status: 403, body: { message: waitingMessage } })
    expect(await readChildContactStateAsTestGuardian(Mum, Kid, Ben)).toBe('requested')
    const again = await sendTestPrivateMessageForResponse(Ben, Kid, 'Hello', { client_id: 'one' })
    expect([again.status, again.body.message?.id]).toEqual([200, message.id])
    expect((await sendTestPrivateMessageForResponse(Ben, Kid, 'Hello', { client_id: 'two' })).status).toBe(
      403,
    )
    expect((await Ben.delete(`/api/chat-messages/${message.id}`)).status).toBe(200)
  })
})
