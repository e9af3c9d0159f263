import { expect } from 'vitest'
import { type Dialect, formData, type TestClient } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { realtimeApp } from '#tests/sockets.ts'
import type { Reply } from '../contract.ts'

/**
 * Starts a test app with Admin, Ann, her follower Ben, and Cleo and Dan, who do not follow Ann. `stranger` is
 * the HTTP client of a visitor.
 */
export async function replyScene(dialect: Dialect) {
  const app = await realtimeApp({ dialect })
  const people = await app.members('Admin', 'Ann', 'Ben', 'Cleo', 'Dan')
  await people.Ben.post(`/api/follow/${people.Ann.id}`)
  return { ...app, ...people, stranger: app.visitor() }
}

export async function newPost(author: TestClient, more: Record<string, unknown> = {}): Promise<number> {
  const { status, body } = await author.post('/api/posts', { text: 'A post', ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.post.id
}

/** Writes a reply to a post as `author`, with a picture if `alt` is given, and returns the reply. */
export async function newReply(
  author: TestClient,
  post: number,
  text: string,
  { alt, ...more }: { alt?: string; client_id?: string; answers_id?: string } = {},
): Promise<Reply> {
  const picture = uploadFile(await fourColours(64, 32).png().toBuffer(), 'a.png')
  const fields = { text, ...more, ...(alt !== undefined && { 'alt[]': alt }) }
  const files = alt === undefined ? {} : { 'images[]': [picture] }
  const { status, body } = await author.post(`/api/posts/${post}/replies`, formData(fields, files))
  expect(status, JSON.stringify(body)).toBe(201)
  return body.reply
}

/** Returns the texts of the replies to a post as `reader` sees them, newest first. */
export async function replyTexts(reader: TestClient, post: number): Promise<string[]> {
  const { status, body } = await reader.get(`/api/posts/${post}/replies`)
  expect(status).toBe(200)
  return body.map((reply: Reply) => reply.body)
}

/**
 * Returns the number of replies to a post that the API shows to `reader`. Expects the same number in the
 * list of posts and in the post itself.
 */
export async function repliesCount(reader: TestClient, post: number): Promise<number> {
  const shown = (await reader.get(`/api/posts/${post}`)).body.replies_count
  const listed = (await reader.get('/api/posts')).body.find(({ id }: { id: number }) => id === post)
  expect(listed.replies_count).toBe(shown)
  return shown
}
