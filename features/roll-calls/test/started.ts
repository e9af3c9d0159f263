import type { TestApp, TestClient } from '#tests/harness.ts'
import { createToken } from '../links.ts'

/** The fields of an answer to a new roll call of everybody, with the link of `member`. */
export async function startFor({ context }: Pick<TestApp, 'context'>, admin: TestClient, member: number) {
  const { body } = await admin.post('/api/roll-calls', { title: 'Earthquake' })
  const token = createToken(context, { call: body.id, user: member })
  return { id: body.id as number, token, state: 'safe', for: undefined }
}
