import { expect } from 'vitest'
import { sendTestPrivateMessage } from '#tests/conversations.ts'
import { createTestApp, type TestClient, type TestDatabaseDialect } from '#tests/harness.ts'
import type { ReportSubjectKind } from '../contract.ts'

export type ModerationTestMember = TestClient & { id: number }

/** Creates a test app with Ada (the admin), Mo and May (moderators), and the members Ann, Ben and Cleo. */
export async function createModerationTestApp(dialect: TestDatabaseDialect) {
  const app = await createTestApp({ dialect })
  const people = await app.members('Ada', 'Mo', 'May', 'Ann', 'Ben', 'Cleo')
  const { Ada } = people
  for (const handle of ['mo', 'may']) expect((await Ada.post('/api/moderators', { handle })).status).toBe(200)
  return { ...app, ...people }
}

export const sendReportAsTestMember = (
  who: ModerationTestMember,
  kind: ReportSubjectKind,
  id: number,
  more: object = {},
) => who.post('/api/reports', { kind, id, reason: 'insult', ...more })

export const listOpenModerationCasesAsTestMember = async (who: ModerationTestMember) =>
  (await who.get('/api/moderation/cases')).body

export const sendModerationDecisionAsTestMember = (
  who: ModerationTestMember,
  id: number,
  action: string,
  more: object = {},
) => who.post(`/api/moderation/cases/${id}/decisions`, { action, note: 'Because of the rules', ...more })

export const createTestPostAndReturnId = async (who: ModerationTestMember, text: string): Promise<number> =>
  (await who.post('/api/posts', { text })).body.post.id

/** Makes `from` follow `to` and send `to` as many private messages as `count`. Returns the message ids. */
export async function followTestMemberAndSendMessages(
  from: ModerationTestMember,
  to: ModerationTestMember,
  count: number,
) {
  await from.post(`/api/follow/${to.id}`)
  const ids: number[] = []
  for (let n = 1; n <= count; n++) ids.push((await sendTestPrivateMessage(from, to, `Message ${n}`)).id)
  return ids
}
