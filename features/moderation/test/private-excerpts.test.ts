import { describe, expect, test } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { createDevice } from '#features/account/test/authenticator.ts'
import { addPasskey, logInWithPasskey } from '#features/account/test/passkey-clients.ts'
import { submitPassword, turnOnCodes } from '#features/account/test/second-steps.ts'
import { revokeAdmin } from '#features/people/admins.ts'
import { databases, readRows } from '#tests/harness.ts'
import { decide, followAndWrite, moderationScene, openCases, sendReport } from './moderation-scene.ts'

describe.each(databases)('the excerpt of a private chat on %s', (dialect) => {
  async function reportMessage() {
    const scene = await moderationScene(dialect)
    const [, message] = await followAndWrite(scene.Ben, scene.Ann, 3)
    await sendReport(scene.Ann, 'message', message!)
    const [{ id }] = await openCases(scene.Mo)
    const show = async (who: typeof scene.Mo) => (await who.get(`/api/moderation/cases/${id}`)).body
    const open = (who: typeof scene.Mo) => who.post(`/api/moderation/cases/${id}/open`)
    return { ...scene, id: id as number, message: message!, show, open }
  }

  test('is readable when two moderators have opened it, for these two', async () => {
    const { Ada, Mo, May, Ann, id, show, open } = await reportMessage()
    expect(await show(Mo)).toMatchObject({ reading: 'closed', evidence: null, chat: 'private' })
    expect((await open(Mo)).body).toMatchObject({ reading: 'waiting', evidence: null })
    await open(Mo)
    expect(await show(Mo)).toMatchObject({ reading: 'waiting', evidence: null })
    expect((await decide(Mo, id, 'hide')).status).toBe(403)
    expect((await open(May)).body).toMatchObject({
      reading: 'open',
      evidence: [{}, { is_reported: true }, {}],
    })
    expect(await show(Mo)).toMatchObject({ reading: 'open', evidence: [{ text: 'Message 1' }, {}, {}] })
    expect(await show(Ada)).toMatchObject({ reading: 'closed', evidence: null })
    const log = (await Ada.get('/api/audit-log')).body
    expect(log.slice(0, 2)).toMatchObject([
      { action: 'evidence_opened', actor: { id: May.id }, together_with: [{ id: Mo.id }] },
      { action: 'evidence_requested', actor: { id: Mo.id }, together_with: [] },
    ])
    for (const entry of (await Ann.get('/api/audit-log')).body)
      expect(entry).toMatchObject({ actor: null, together_with: [] })
    expect((await decide(Mo, id, 'hide')).status).toBe(200)
  })

  test('is readable for a single moderator, and the log says so', async () => {
    const { Ada, Mo, May, show, open } = await reportMessage()
    for (const { id } of [Mo, May]) expect((await Ada.delete(`/api/moderators/${id}`)).status).toBe(200)
    expect((await open(Ada)).body).toMatchObject({ reading: 'open', evidence: [{}, {}, {}] })
    expect((await Ada.get('/api/audit-log')).body[0]).toMatchObject({ action: 'evidence_opened_alone' })
    expect((await Mo.get('/api/moderation/cases')).status).toBe(403)
    expect(await show(Mo)).not.toHaveProperty('evidence')
  })

  test('waits for no moderator without the second step that the community requires', async () => {
    const { context, Ada, Mo, id, show, open } = await reportMessage()
    expect((await open(Mo)).body).toMatchObject({ reading: 'waiting' })
    for (const who of [Ada, Mo]) await turnOnCodes(who)
    const require = (admins_need_second_step: boolean) =>
      transaction(context.db, (tx) => context.settings.save(tx, { admins_need_second_step }))
    await require(true)
    // Ada is an admin with a second step, so Mo's request waits until Ada opens the evidence too.
    expect(await show(Mo)).toMatchObject({ reading: 'waiting' })
    // Without Ada, only May is left as a second moderator, but May has no second step and so cannot open the
    // evidence.
    await transaction(context.db, (tx) => revokeAdmin(tx, Ada.id))
    expect(await show(Mo)).toMatchObject({ reading: 'alone', evidence: null })
    await require(false)
    expect(await show(Mo)).toMatchObject({ reading: 'waiting' })
    await require(true)
    expect((await open(Mo)).body).toMatchObject({ reading: 'open', openings: [{ is_alone: true }] })
    expect((await decide(Mo, id, 'dismiss')).status).toBe(200)
  })

  test('is not opened from a session by password of a moderator who has a passkey', async () => {
    const { context, db, visitor, Ada, Mo, May, id, show, open } = await reportMessage()
    const device = createDevice()
    await addPasskey(Mo, device)
    await turnOnCodes(May)
    await transaction(context.db, (tx) => context.settings.save(tx, { admins_need_second_step: true }))
    await transaction(context.db, (tx) => revokeAdmin(tx, Ada.id))
    const phone = { ...visitor(), id: Mo.id }
    expect((await submitPassword(phone, 'mo')).status).toBe(204)
    for (const session of [Mo, phone]) {
      expect((await session.get(`/api/moderation/cases/${id}`)).status).toBe(403)
      expect((await open(session)).status).toBe(403)
    }
    expect(await readRows(db, 'evidence_openings')).toEqual([])
    // May does not open the evidence alone, because Mo can log in with the passkey and open it too.
    expect((await open(May)).body).toMatchObject({ reading: 'waiting', evidence: null })
    const laptop = { ...visitor(), id: Mo.id }
    await logInWithPasskey(laptop, device)
    expect((await open(laptop)).body).toMatchObject({ reading: 'open', openings: [{}, { is_alone: false }] })
    expect(await show(May)).toMatchObject({ reading: 'open' })
    // In the session that began with a password, Mo cannot read the evidence, even after opening it in
    // another session.
    expect((await phone.get(`/api/moderation/cases/${id}`)).body).not.toHaveProperty('evidence')
    expect((await decide(phone, id, 'hide')).status).toBe(403)
  })

  test('counts a moderator who has lost the second step after opening it', async () => {
    const { context, Mo, May, id, show, open } = await reportMessage()
    await open(May)
    await turnOnCodes(Mo)
    await transaction(context.db, (tx) => context.settings.save(tx, { admins_need_second_step: true }))
    expect(await show(Mo)).toMatchObject({ reading: 'closed' })
    expect((await open(Mo)).body).toMatchObject({ reading: 'open', openings: [{}, { is_alone: false }] })
    expect((await decide(Mo, id, 'dismiss')).status).toBe(200)
  })

  test('is not opened alone unseen by an admin who removes the others after asking', async () => {
    const { Ada, Mo, May, id, show, open } = await reportMessage()
    expect((await open(Ada)).body).toMatchObject({ reading: 'waiting', openings: [{ is_alone: false }] })
    for (const one of [Mo, May]) await Ada.delete(`/api/moderators/${one.id}`)
    expect(await show(Ada)).toMatchObject({ reading: 'alone', evidence: null })
    expect((await decide(Ada, id, 'dismiss')).status).toBe(403)
    expect((await open(Ada)).body).toMatchObject({ reading: 'open', evidence: [{}, {}, {}] })
    await open(Ada)
    const actions = (await Ada.get('/api/audit-log')).body.map(({ action }: { action: string }) => action)
    expect(actions.slice(0, 4)).toEqual([
      'evidence_opened_alone',
      'moderator_revoked',
      'moderator_revoked',
      'evidence_requested',
    ])
    // A moderator who is appointed later sees in the case that Ada opened the evidence alone.
    await Ada.post('/api/moderators', { handle: 'may' })
    expect((await show(May)).openings).toMatchObject([{ moderator: { id: Ada.id }, is_alone: true }])
    expect(await show(Ada)).toMatchObject({ reading: 'open' })
  })

  test('is opened by two at the same moment as by one after the other', async () => {
    const { Ada, Mo, May, open } = await reportMessage()
    await Promise.all([open(Mo), open(May)])
    const log = (await Ada.get('/api/audit-log')).body
    expect(log.slice(0, 2)).toMatchObject([
      { action: 'evidence_opened', together_with: [{}] },
      { action: 'evidence_requested' },
    ])
  })

  test('is not in the notice to its author, who would know who has reported it', async () => {
    const { Mo, May, Ben, id, open } = await reportMessage()
    await open(Mo)
    await open(May)
    expect((await decide(Mo, id, 'warn')).status).toBe(200)
    expect((await Ben.get('/api/account/notices')).body).toMatchObject([{ kind: 'message', excerpt: null }])
  })

  test('does not count members of the chat', async () => {
    const { Ada, Mo, Ann, show, open, id } = await reportMessage()
    expect((await Ada.post('/api/moderators', { handle: 'ann' })).status).toBe(200)
    expect(await show(Ann)).toMatchObject({ reading: 'party', evidence: null })
    expect((await open(Ann)).status).toBe(403)
    expect((await decide(Ann, id, 'dismiss')).status).toBe(403)
    expect((await open(Mo)).body).toMatchObject({ reading: 'waiting' })
  })

  test('opens no other message of the chat', async () => {
    const { Mo, May, Ben, message, open } = await reportMessage()
    await open(Mo)
    await open(May)
    expect((await Mo.get(`/api/messages/${Ben.id}`)).status).toBe(403)
    expect((await Mo.get(`/api/chat-messages/${message}`)).status).toBe(404)
  })
})
