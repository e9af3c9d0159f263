import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { withoutRoles } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { checkLog } from '#tests/audit-log.ts'
import { createGroup, sendToGroup } from '#tests/conversations.ts'
import { dialectsInTurn, readRows } from '#tests/harness.ts'
import { moderationModule } from '../module.ts'
import { createReport } from '../reports.ts'
import { decide, type Member, moderationScene, openCases, postAs, sendReport } from './moderation-scene.ts'

const DAY = 24 * 3600_000

describe.each(dialectsInTurn())('what moderators wrote and copied on %s', (dialect) => {
  async function decideAbout(author: 'Ben' | 'Ada') {
    const scene = await moderationScene(dialect)
    const { Ada, Mo, Ann, Cleo } = scene
    expect((await Ada.put(`/api/admin/users/${Cleo.id}/admin`)).status).toBe(200)
    await sendReport(Ann, 'member', scene[author].id)
    const [{ id }] = await openCases(Mo)
    expect((await decide(Mo, id, 'dismiss', { note: 'Ann Example says so' })).status).toBe(200)
    const readNewestEntry = async (who: Member) => (await who.get('/api/audit-log')).body[0]
    return { ...scene, readNewestEntry }
  }
  const told = { action: 'moderation_dismiss', reason: 'Ann Example says so' }
  const untold = { action: 'moderation_dismiss', reason: null, member: null }

  test('is not in the log for the admin whom the report concerns', async () => {
    const { Ada, Cleo, Mo, readNewestEntry } = await decideAbout('Ada')
    expect(await readNewestEntry(Cleo)).toMatchObject({ ...told, member: { id: Ada.id } })
    expect(await readNewestEntry(Ada)).toMatchObject({ ...untold, actor: { id: Mo.id } })
  })

  test('goes with the account of the person concerned, and the chain of the log stays intact', async () => {
    const app = await decideAbout('Ben')
    const { Cleo, Ben, Ada, db, context, readNewestEntry } = app
    expect(await readNewestEntry(Ada)).toMatchObject({ ...told, member: { id: Ben.id } })
    await transaction(db, (tx) => deleteMember(context, tx, { id: Ben.id, keep_messages: false }))
    expect(await readNewestEntry(Cleo)).toMatchObject(untold)
    for (const table of ['audit_log', 'case_decisions', 'report_cases', 'reports'] as const)
      expect(JSON.stringify(await readRows(db, table))).not.toContain('Ann Example')
    expect(await checkLog(app)).toMatchObject({ isIntact: true })
  })

  test('is not shown in the log after somebody has changed it with another tool', async () => {
    const { Ada, db, readNewestEntry } = await decideAbout('Ben')
    await transaction(db, (tx) => tx.updateTable('case_decisions').set({ note: 'Nothing' }).execute())
    expect(await readNewestEntry(Ada)).toMatchObject({ action: 'moderation_dismiss', reason: null })
  })

  test('forgets the messages of a deleted account around those of others', async () => {
    const { Ada, Mo, Ann, Ben, Cleo, db, context } = await moderationScene(dialect)
    const group = await createGroup(Ada, 'Garden', Ann, Ben, Cleo)
    await sendToGroup(Cleo, group, 'Words of Cleo')
    const { id: message } = await sendToGroup(Ben, group, 'Rude words')
    await sendReport(Ann, 'message', message)
    const [{ id }] = await openCases(Mo)
    const readTexts = async () =>
      (await Mo.get(`/api/moderation/cases/${id}`)).body.evidence.map(({ text }: { text: string }) => text)
    expect(await readTexts()).toEqual(['Words of Cleo', 'Rude words'])
    await transaction(db, (tx) => deleteMember(context, tx, { id: Cleo.id, keep_messages: false }))
    expect(await readTexts()).toEqual(['Rude words'])
    await transaction(db, (tx) => deleteMember(context, tx, { id: Ben.id, keep_messages: true }))
    expect(await readRows(db, 'report_cases')).toEqual([])
  })

  test('forgets a member whose account is deleted at the moment of the report', async () => {
    const { Ada, Ann, Ben, Cleo, db, context } = await moderationScene(dialect)
    const group = await createGroup(Ada, 'Garden', Ann, Ben, Cleo)
    await sendToGroup(Cleo, group, 'Words of Cleo')
    const { id: message } = await sendToGroup(Ben, group, 'Rude words')
    const deleting = Promise.withResolvers<void>()
    const reported = deleting.promise.then(() => sendReport(Ann, 'message', message))
    await transaction(db, async (tx) => {
      await deleteMember(context, tx, { id: Cleo.id, keep_messages: false })
      deleting.resolve()
      await sleep(500)
    })
    expect((await reported).status).toBe(201)
    const [row] = await readRows(db, 'report_cases')
    expect(row!.evidence).toContain('Rude words')
    expect(row!.evidence).not.toContain('Words of Cleo')
  })

  test('is refused with 401 if the account of the reporter is deleted at the moment of the report', async () => {
    const { Ann, Ben, db, context } = await moderationScene(dialect)
    const deleting = Promise.withResolvers<void>()
    const reported = deleting.promise.then(() => sendReport(Ann, 'member', Ben.id))
    await transaction(db, async (tx) => {
      await deleteMember(context, tx, { id: Ann.id, keep_messages: false })
      deleting.resolve()
      await sleep(500)
    })
    expect((await reported).status).toBe(401)
    expect(await readRows(db, 'report_cases')).toEqual([])
  })

  test('keeps an account from being deleted until the report is stored', async () => {
    const { Ada, Ann, Ben, Cleo, db, context } = await moderationScene(dialect)
    const group = await createGroup(Ada, 'Garden', Ann, Ben, Cleo)
    await sendToGroup(Cleo, group, 'Words of Cleo')
    const { id: message } = await sendToGroup(Ben, group, 'Rude words')
    const viewer = withoutRoles(context, Ann.id)
    const locked = Promise.withResolvers<void>()
    const deleted = locked.promise.then(() =>
      transaction(db, (tx) => deleteMember(context, tx, { id: Cleo.id, keep_messages: false })),
    )
    await transaction(db, async (tx) => {
      const report = { kind: 'message', id: message, reason: 'insult', note: null } as const
      await createReport({ ...viewer, db: tx }, report)
      locked.resolve()
      await sleep(500)
    })
    await deleted
    const [row] = await readRows(db, 'report_cases')
    expect(row!.evidence).not.toContain('Words of Cleo')
  })

  test('is deleted ninety days after the decision by a clean-up', async () => {
    const { Mo, Ann, Ben, db, context } = await moderationScene(dialect)
    for (const text of ['One', 'Two']) await sendReport(Ann, 'post', await postAs(Ben, text))
    const [two] = await openCases(Mo)
    await decide(Mo, two.id, 'dismiss')
    const cleanUp = async () => {
      await moderationModule.startBackgroundWork!(context, []).close()
      return (await readRows(db, 'report_cases')).map(({ evidence }) => evidence !== null)
    }
    vi.setSystemTime(Date.now() + 89 * DAY)
    expect(await cleanUp()).toEqual([true, true])
    vi.setSystemTime(Date.now() + 2 * DAY)
    expect(await cleanUp()).toEqual([true, false])
    vi.useRealTimers()
  })

  test('is deleted from a notice ninety days after its author has acknowledged it', async () => {
    const { Mo, Ann, Ben, db, context } = await moderationScene(dialect)
    for (const text of ['One', 'Two']) {
      await sendReport(Ann, 'post', await postAs(Ben, text))
      const [{ id }] = await openCases(Mo)
      await decide(Mo, id, 'hide')
    }
    const [one] = (await Ben.get('/api/account/notices')).body
    expect((await Ben.post(`/api/account/notices/${one.id}/acknowledge`)).status).toBeLessThan(300)
    const cleanUp = async () => {
      await moderationModule.startBackgroundWork!(context, []).close()
      const rows = await readRows(db, 'moderation_notices')
      return rows.sort((a, b) => Number(a.id) - Number(b.id)).map(({ excerpt, note }) => [excerpt, note])
    }
    const note = 'Because of the rules'
    vi.setSystemTime(Date.now() + 89 * DAY)
    expect(await cleanUp()).toEqual(['One', 'Two'].map((text) => [text, note]))
    vi.setSystemTime(Date.now() + 2 * DAY)
    expect(await cleanUp()).toEqual([null, 'Two'].map((text) => [text, note]))
    vi.useRealTimers()
  })
})
