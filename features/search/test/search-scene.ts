import { expect } from 'vitest'
import { createTestApp, type Dialect, type TestClient } from '#tests/harness.ts'
import type { Hit } from '../contract.ts'

export async function startScene(dialect: Dialect) {
  const app = await createTestApp({ dialect })
  return { ...app, ...(await app.members('Admin', 'Ann', 'Ben', 'Cleo')), stranger: app.visitor() }
}

export const post = async (author: TestClient, text: string, more: object = {}): Promise<number> => {
  const { status, body } = await author.post('/api/posts', { text, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.post.id
}
export const reply = async (author: TestClient, to: number, text: string): Promise<number> =>
  (await author.post(`/api/posts/${to}/replies`, { text })).body.reply.id

export async function find(who: TestClient, q: string, more = ''): Promise<Hit[]> {
  const { status, body } = await who.get(`/api/search?q=${encodeURIComponent(q)}${more}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
/** Such as `post 3`. */
export const names = async (who: TestClient, q: string, more = '') =>
  (await find(who, q, more)).map(({ kind, id }) => `${kind} ${id}`)

export async function overview(who: TestClient, q: string) {
  const { status, body } = await who.get(`/api/search/overview?q=${encodeURIComponent(q)}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
