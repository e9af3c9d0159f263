import { describe, expect, test } from 'vitest'
import { createMemberContextWithoutRoles } from '#core/context.ts'
import { createModerationReport } from '#features/moderation/reports.ts'
import { createTestGroup, sendTestGroupMessage } from '#tests/conversations.ts'
import { dialectsInTurn, readTestTableRows } from '#tests/harness.ts'
import { MAX_MODERATION_REPORTS_PER_DAY } from '../contract.ts'
import {
  createModerationTestApp,
  createTestPostAndReturnId,
  followTestMemberAndSendMessages,
  listOpenModerationCasesAsTestMember,
  sendModerationDecisionAsTestMember,
  sendReportAsTestMember,
} from './moderation-scene.ts'

describe.each(dialectsInTurn())('reports on %s', (dialect) => {
  test('of one thing are one case, and one report for each person', async () => {
    const { Mo, Ann, Ben, Cleo, db } = await createModerationTestApp(dialect)
    const post = await createTestPostAndReturnId(Ben, 'Rude words')
    for (const who of [Ann, Ann, Cleo])
      expect(await sendReportAsTestMember(who, 'post', post)).toMatchObject({
        status: 201,
        body: { message: 'Thank you. The moderators will look at it.' },
      })
    expect(await readTestTableRows(db, 'reports')).toHaveLength(2)
    const [first, ...others] = await listOpenModerationCasesAsTestMember(Mo)
    expect(first).toMatchObject({ kind: 'post', subject_id: post, author: { id: Ben.id }, reports_count: 2 })
    expect(others).toEqual([])
    const details = (await Mo.get(`/api/moderation/cases/${first.id}`)).body
    expect(details).toMatchObject({
      reading: 'open',
      evidence: [{ user: { id: Ben.id }, text: 'Rude words', is_reported: true }],
      reports: [{ reporter: { id: Cleo.id } }, { reporter: { id: Ann.id } }],
    })
  })

  test('keep what was reported, also when its author deletes it', async () => {
    const { Mo, Ann, Ben } = await createModerationTestApp(dialect)
    const post = await createTestPostAndReturnId(Ben, 'Rude words')
    await sendReportAsTestMember(Ann, 'post', post)
    await Ben.delete(`/api/posts/${post}`)
    const [{ id }] = await listOpenModerationCasesAsTestMember(Mo)
    expect((await Mo.get(`/api/moderation/cases/${id}`)).body.evidence).toMatchObject([
      { text: 'Rude words' },
    ])
  })

  test('of a message copy five messages before and after it', async () => {
    const { Ada, Mo, Ann, Ben } = await createModerationTestApp(dialect)
    const group = await createTestGroup(Ada, 'Garden', Ann, Ben)
    const ids: number[] = []
    for (let n = 1; n <= 14; n++) ids.push((await sendTestGroupMessage(Ben, group, `Message ${n}`)).id)
    await sendReportAsTestMember(Ann, 'message', ids[6]!)
    const [{ id }] = await listOpenModerationCasesAsTestMember(Mo)
    const { evidence } = (await Mo.get(`/api/moderation/cases/${id}`)).body
    expect(evidence.map(({ text }: { text: string }) => text)).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => `Message ${n}`),
    )
    expect(evidence.filter((item: { is_reported: boolean }) => item.is_reported)).toMatchObject([
      { text: 'Message 7' },
    ])
  })

  test('of oneself, of what one may not see, and of unknown things are refused', async () => {
    const { Ann, Ben, Cleo, visitor } = await createModerationTestApp(dialect)
    const own = await createTestPostAndReturnId(Ann, 'Mine')
    const [message] = await followTestMemberAndSendMessages(Ben, Cleo, 1)
    expect((await sendReportAsTestMember(Ann, 'post', own)).status).toBe(422)
    expect((await sendReportAsTestMember(Ann, 'member', Ann.id)).status).toBe(422)
    expect((await sendReportAsTestMember(Ann, 'message', message!)).status).toBe(404)
    for (const kind of ['post', 'reply', 'message', 'member'] as const)
      expect((await sendReportAsTestMember(Ann, kind, 999_999)).status).toBe(404)
    await Ben.post(`/api/users/${Ann.id}/block`)
    expect((await sendReportAsTestMember(Ann, 'member', Ben.id)).status).toBe(404)
    expect((await sendReportAsTestMember(Ann, 'post', own, { reason: 'none' })).status).toBe(422)
    expect((await sendReportAsTestMember(Ann, 'post', own, { note: 'x'.repeat(1001) })).status).toBe(422)
    const stranger = visitor()
    await stranger.get('/sanctum/csrf-cookie')
    expect((await stranger.post('/api/reports', { kind: 'post', id: own, reason: 'spam' })).status).toBe(401)
  })

  test(`are at most ${MAX_MODERATION_REPORTS_PER_DAY} a day`, async () => {
    const { Ann, Ben, context } = await createModerationTestApp(dialect)
    const reporter = createMemberContextWithoutRoles(context, Ann.id)
    const send = async () => {
      const id = await createTestPostAndReturnId(Ben, 'Rude words')
      return createModerationReport(reporter, { kind: 'post', id, reason: 'spam', note: null })
    }
    for (let n = 0; n < MAX_MODERATION_REPORTS_PER_DAY; n++) await send()
    await expect(send()).rejects.toMatchObject({ status: 429 })
  })

  test('show their state to the reporter alone, and not what was done', async () => {
    const { Mo, Ann, Ben } = await createModerationTestApp(dialect)
    const posts = [
      await createTestPostAndReturnId(Ben, 'One'),
      await createTestPostAndReturnId(Ben, 'Two'),
      await createTestPostAndReturnId(Ben, 'Three'),
    ]
    for (const post of posts) await sendReportAsTestMember(Ann, 'post', post, { note: 'Look' })
    const [three, two] = await listOpenModerationCasesAsTestMember(Mo)
    await sendModerationDecisionAsTestMember(Mo, two.id, 'dismiss')
    await sendModerationDecisionAsTestMember(Mo, three.id, 'hide')
    const { body } = await Ann.get('/api/reports')
    expect(body).toMatchObject([
      { kind: 'post', reason: 'insult', note: 'Look', state: 'acted' },
      { state: 'dismissed' },
      { state: 'open' },
    ])
    expect(JSON.stringify(body)).not.toMatch(/hide|rules/)
    expect((await Ben.get('/api/reports')).body).toEqual([])
  })
})
