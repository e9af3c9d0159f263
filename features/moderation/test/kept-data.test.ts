import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { createMemberContextWithoutRoles } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { deleteMember } from '#features/people/deletion.ts'
import { checkTestAuditLog } from '#tests/audit-log.ts'
import { createTestGroup, sendTestGroupMessage } from '#tests/conversations.ts'
import { dialectsInTurn, readTestTableRows } from '#tests/harness.ts'
import { moderationModule } from '../module.ts'
import { createModerationReport } from '../reports.ts'
import {
  createModerationTestApp,
  createTestPostAndReturnId,
  listOpenModerationCasesAsTestMember,
  type ModerationTestMember,
  sendModerationDecisionAsTestMember,
  sendReportAsTestMember,
} from './moderation-scene.ts'

const DAY = 24 * 3600_000

describe.each(dialectsInTurn())('what moderators wrote and copied on %s', (dialect) => {
  async function decideAbout(author: 'Ben' | 'Ada') {
    const scene = await createModerationTestApp(dialect)
    const { Ada, Mo, Ann, Cleo } = scene
    expect((await Ada.put(`/api/admin/users/${Cleo.id}/admin`)).status).toBe(200)
    await sendReportAsTestMember(Ann, 'member', scene[author].id)
    const [{ id }] = await listOpenModerationCasesAsTestMember(Mo)
    expect(
      (await sendModerationDecisionAsTestMember(Mo, id, 'dismiss', { note: 'Ann Example says so' })).status,
    ).toBe(200)
    const readNewestEntry = async (who: ModerationTestMember) => (await who.get('/api/audit-log')).body[0]
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
      expect(JSON.stringify(await readTestTableRows(db, table))).not.toContain('Ann Example')
    expect(await checkTestAuditLog(app)).toMatchObject({ isIntact: true })
  })

  test('is not shown in the log after somebody has changed it with another tool', async () => {
    const { Ada, db, readNewestEntry } = await decideAbout('Ben')
    await transaction(db, (tx) => tx.updateTable('case_decisions').set({ note: 'Nothing' }).execute())
    expect(await readNewestEntry(Ada)).toMatchObject({ action: 'moderation_dismiss', reason: null })
  })

  test('forgets the messages of a deleted account around those of others', async () => {
    const { Ada, Mo, Ann, Ben, Cleo, db, context } = await createModerationTestApp(dialect)
    const group = await createTestGroup(Ada, 'Garden', Ann, Ben, Cleo)
    await sendTestGroupMessage(Cleo, group, 'Words of Cleo')
    const { id: message } = await sendTestGroupMessage(Ben, group, 'Rude words')
    await sendReportAsTestMember(Ann, 'message', message)
    const [{ id }] = await listOpenModerationCasesAsTestMember(Mo)
    const readTexts = async () =>
      (await Mo.get(`/api/moderation/cases/${id}`)).body.evidence.map(({ text }: { text: string }) => text)
    expect(await readTexts()).toEqual(['Words of Cleo', 'Rude words'])
    await transaction(db, (tx) => deleteMember(context, tx, { id: Cleo.id, keep_messages: false }))
    expect(await readTexts()).toEqual(['Rude words'])
    await transaction(db, (tx) => deleteMember(context, tx, { id: Ben.id, keep_messages: true }))
    expect(await readTestTableRows(db, 'report_cases')).toEqual([])
  })

  test('forgets a member whose account is deleted at the moment of the report', async () => {
    const { Ada, Ann, Ben, Cleo, db, context } = await createModerationTestApp(dialect)
    const group = await createTestGroup(Ada, 'Garden', Ann, Ben, Cleo)
    await sendTestGroupMessage(Cleo, group, 'Words of Cleo')
    const { id: message } = await sendTestGroupMessage(Ben, group, 'Rude words')
    const deleting = Promise.withResolvers<void>()
    const reported = deleting.promise.then(() => sendReportAsTestMember(Ann, 'message', message))
    await transaction(db, async (tx) => {
      await deleteMember(context, tx, { id: Cleo.id, keep_messages: false })
      deleting.resolve()
      await sleep(500)
    })
    expect((await reported).status).toBe(201)
    const [row] = await readTestTableRows(db, 'report_cases')
    expect(row!.evidence).toContain('Rude words')
    expect(row!.evidence).not.toContain('Words of Cleo')
  })

  test('is refused with 401 if the account of the reporter is deleted at the moment of the report', async () => {
    const { Ann, Ben, db, context } = await createModerationTestApp(dialect)
    const deleting = Promise.withResolvers<void>()
    const reported = deleting.promise.then(() => sendReportAsTestMember(Ann, 'member', Ben.id))
    await transaction(db, async (tx) => {
      await deleteMember(context, tx, { id: Ann.id, keep_messages: false })
      deleting.resolve()
      await sleep(500)
    })
    expect((await reported).status).toBe(401)
    expect(await readTestTableRows(db, 'report_cases')).toEqual([])
  })

  test('keeps an account from being deleted until the report is stored', async () => {
    const { Ada, Ann, Ben, Cleo, db, context } = await createModerationTestApp(dialect)
    const group = await createTestGroup(Ada, 'Garden', Ann, Ben, Cleo)
    await sendTestGroupMessage(Cleo, group, 'Words of Cleo')
    const { id: message } = await sendTestGroupMessage(Ben, group, 'Rude words')
    const viewer = createMemberContextWithoutRoles(context, Ann.id)
    const locked = Promise.withResolvers<void>()
    const deleted = locked.promise.then(() =>
      transaction(db, (tx) => deleteMember(context, tx, { id: Cleo.id, keep_messages: false })),
    )
    await transaction(db, async (tx) => {
      const report = { kind: 'message', id: message, reason: 'insult', note: null } as const
      await createModerationReport({ ...viewer, db: tx }, report)
      locked.resolve()
      await sleep(500)
    })
    await deleted
    const [row] = await readTestTableRows(db, 'report_cases')
    expect(row!.evidence).not.toContain('Words of Cleo')
  })

  test('is deleted ninety days after the decision by a clean-up', async () => {
    const { Mo, Ann, Ben, db, context } = await createModerationTestApp(dialect)
    for (const text of ['One', 'Two'])
      await sendReportAsTestMember(Ann, 'post', await createTestPostAndReturnId(Ben, text))
    const [two] = await listOpenModerationCasesAsTestMember(Mo)
    await sendModerationDecisionAsTestMember(Mo, two.id, 'dismiss')
    const cleanUp = async () => {
      await moderationModule.startBackgroundWork!(context, []).close()
      return (await readTestTableRows(db, 'report_cases')).map(({ evidence }) => evidence !== null)
    }
    vi.setSystemTime(Date.now() + 89 * DAY)
    expect(await cleanUp()).toEqual([true, true])
    vi.setSystemTime(Date.now() + 2 * DAY)
    expect(await cleanUp()).toEqual([true, false])
    vi.useRealTimers()
  })

  test('is deleted from a notice ninety days after its author has acknowledged it', async () => {
    const { Mo, Ann, Ben, db, context } = await createModerationTestApp(dialect)
    for (const text of ['One', 'Two']) {
      await sendReportAsTestMember(Ann, 'post', await createTestPostAndReturnId(Ben, text))
      const [{ id }] = await listOpenModerationCasesAsTestMember(Mo)
      await sendModerationDecisionAsTestMember(Mo, id, 'hide')
    }
    const [one] = (await Ben.get('/api/account/notices')).body
    expect((await Ben.post(`/api/account/notices/${one.id}/acknowledge`)).status).toBeLessThan(300)
    const cleanUp = async () => {
      await moderationModule.startBackgroundWork!(context, []).close()
      const rows = await readTestTableRows(db, 'moderation_notices')
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
