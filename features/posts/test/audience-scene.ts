import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Dialect, formData, type TestClient } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'
import { connectSubscribed, realtimeApp } from '#tests/sockets.ts'
import type { Post, PostAudience } from '../contract.ts'

export type Actor = TestClient & { id: number }

/**
 * Starts a test app with Admin, Ann, her follower Ben, and Cleo, who does not follow Ann. `stranger` is the
 * HTTP client of a visitor.
 */
export async function audienceScene(dialect: Dialect, env = {}) {
  const app = await realtimeApp({ dialect, env })
  const people = await app.members('Admin', 'Ann', 'Ben', 'Cleo')
  await people.Ben.post(`/api/follow/${people.Ann.id}`)
  return { ...app, ...people, stranger: app.visitor() }
}

export async function postFor(
  author: TestClient,
  audience?: PostAudience,
  client_id = '',
  group_id?: number,
): Promise<Post> {
  const picture = uploadFile(await fourColours(64, 32).png().toBuffer(), 'a.png')
  const fields = {
    text: `For ${audience}, ${randomUUID()}`,
    client_id,
    ...(audience && { audience }),
    ...(group_id && { group_id: String(group_id) }),
  }
  const answer = await author.post('/api/posts', formData(fields, { 'images[]': [picture] }))
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.post
}

/**
 * Returns the URLs whose responses contain a post if the reader may see it: lists, pages, the likes of the
 * post and its pictures.
 */
export const urlsOfPost = ({ id, user, images }: Post) => [
  ...['/api/posts', '/api/posts?limit=9', '/api/posts/following', '/api/posts/following?limit=9'],
  ...[`/api/users/${user.id}/posts`, `/api/posts/${id}`, `/api/posts/${id}/likes`],
  ...['/', '/postlist', '/followingpostlist', `/people/${user.id}`, `/posts/${id}`],
  ...images.flatMap(({ path, full }) => [path, full]),
]

/**
 * Requests the URLs of `urlsOfPost` as `reader`, and returns those whose response shows the
 * post, its likes or its pictures.
 */
export async function urlsThatShow(reader: TestClient, post: Post) {
  const found: string[] = []
  for (const address of urlsOfPost(post)) {
    const { status, body } = await reader.get(address)
    const isOwnAddress = /\/likes$|^\/media/.test(address)
    if (status === 200 && (isOwnAddress || JSON.stringify(body).includes(post.body!))) found.push(address)
  }
  return found
}

/**
 * Returns whether a URL of `urlsOfPost` lists only posts of people whom the reader follows.
 */
export const isFeedUrl = (address: string) => address.includes('following')

/**
 * Connects a Pusher client that subscribes to the channel `posts`: as a visitor if `who` is null, otherwise
 * as this member. For a member, the client also subscribes to `presence-here`, from which the server
 * learns who the member is.
 */
export async function watchPosts(
  { url, subscribeAs }: Awaited<ReturnType<typeof audienceScene>>,
  who: Actor | null,
) {
  const client = await connectSubscribed(url, 'posts')
  if (who) await subscribeAs(who, 'presence-here', client)
  return client
}
