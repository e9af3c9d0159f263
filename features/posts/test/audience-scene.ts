import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createFormData, type Dialect, type TestClient } from '#tests/harness.ts'
import { createFourColourSharp, createUploadFile } from '#tests/pictures.ts'
import { connectSubscribedClient, startRealtimeTestApp } from '#tests/sockets.ts'
import type { Post, PostAudience } from '../contract.ts'

export type Member = TestClient & { id: number }

/** Opens an app with an admin, Ann, her follower Ben, and Cleo, who has no relation to her. */
export async function startAudienceTestApp(dialect: Dialect, env = {}) {
  const app = await startRealtimeTestApp({ dialect, env })
  const people = await app.members('Admin', 'Ann', 'Ben', 'Cleo')
  await people.Ben.post(`/api/follow/${people.Ann.id}`)
  return { ...app, ...people, stranger: app.visitor() }
}

export async function publishPost(
  author: TestClient,
  audience?: PostAudience,
  client_id = '',
  group_id?: number,
): Promise<Post> {
  const picture = createUploadFile(await createFourColourSharp(64, 32).png().toBuffer(), 'a.png')
  const fields = {
    text: `For ${audience}, ${randomUUID()}`,
    client_id,
    ...(audience && { audience }),
    ...(group_id && { group_id: String(group_id) }),
  }
  const answer = await author.post('/api/posts', createFormData(fields, { 'images[]': [picture] }))
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.post
}

/** Returns every URL at which a member could read the post or a picture of it. */
export const listUrlsOfPost = ({ id, user, images }: Post) => [
  ...['/api/posts', '/api/posts?limit=9', '/api/posts/following', '/api/posts/following?limit=9'],
  ...[`/api/users/${user.id}/posts`, `/api/posts/${id}`, `/api/posts/${id}/likes`],
  ...['/', '/postlist', '/followingpostlist', `/people/${user.id}`, `/posts/${id}`],
  ...images.flatMap(({ path, full }) => [path, full]),
]

/** Returns those URLs of the post at which the reader can see it. */
export async function findUrlsThatShowPost(reader: TestClient, post: Post) {
  const found: string[] = []
  for (const address of listUrlsOfPost(post)) {
    const { status, body } = await reader.get(address)
    const isOwnAddress = /\/likes$|^\/media/.test(address)
    if (status === 200 && (isOwnAddress || JSON.stringify(body).includes(post.body!))) found.push(address)
  }
  return found
}

/** Whether a URL shows only posts of people whom the reader follows. */
export const isFollowingFeedUrl = (address: string) => address.includes('following')

/** Connects a client that subscribes to `posts`: a member's, or a visitor's if `who` is null. */
export async function listenToPosts(
  { url, subscribeAs }: Awaited<ReturnType<typeof startAudienceTestApp>>,
  who: Member | null,
) {
  const client = await connectSubscribedClient(url, 'posts')
  if (who) await subscribeAs(who, 'presence-here', client)
  return client
}
