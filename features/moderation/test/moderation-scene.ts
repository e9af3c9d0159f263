import { expect } from 'vitest'
import { sendPrivate } from '#tests/conversations.ts'
import { createTestApp, type Dialect, type TestAppOptions, type TestClient } from '#tests/harness.ts'
import type { ReportKind } from '../contract.ts'

export type Member = TestClient & { id: number }

/** Creates a test app with Ada (the admin), Mo and May (moderators), and the members Ann, Ben and Cleo. */
export async function moderationScene(dialect: Dialect, options: TestAppOptions = {}) {
  const app = await createTestApp({ dialect, ...options })
  const people = await app.members('Ada', 'Mo', 'May', 'Ann', 'Ben', 'Cleo')
  const { Ada } = people
  for (const handle of ['mo', 'may']) expect((await Ada.post('/api/moderators', { handle })).status).toBe(200)
  return { ...app, ...people }
}

export const sendReport = (who: Member, kind: ReportKind, id: number, more: object = {}) =>
  who.post('/api/reports', { kind, id, reason: 'insult', ...more })

export const openCases = async (who: Member) => (await who.get('/api/moderation/cases')).body

export const decide = (who: Member, id: number, action: string, more: object = {}) =>
  who.post(`/api/moderation/cases/${id}/decisions`, { action, note: 'Because of the rules', ...more })

export const postAs = async (who: Member, text: string): Promise<number> =>
  (await who.post('/api/posts', { text })).body.post.id

/** Makes `from` follow `to` and send `to` as many private messages as `count`. Returns the message ids. */
export async function followAndWrite(from: Member, to: Member, count: number) {
  await from.post(`/api/follow/${to.id}`)
  const ids: number[] = []
  for (let n = 1; n <= count; n++) ids.push((await sendPrivate(from, to, `Message ${n}`)).id)
  return ids
}
