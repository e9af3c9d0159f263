import { expect } from 'vitest'
import { createTestGroup, sendTestGroupMessage, sendTestPrivateMessage } from '#tests/conversations.ts'
import type { TestAppOptions, TestClient, TestDatabaseDialect } from '#tests/harness.ts'
import { startRealtimeTestApp } from '#tests/sockets.ts'
import { createTestPost, createTestReply } from '../../replies/test/reply-scene.ts'
import type { ReactionSubjectKind } from '../contract.ts'

/** Two of the emoji that a new community offers. */
export const [THUMB, PARTY] = ['👍', '🎉'] as const

/**
 * For each kind of thing: the first part of the paths of its endpoints, and its name in the parameters and
 * in the response of `GET /api/reactions`.
 */
const kinds = {
  post: { path: '/api/posts', list: 'posts' },
  reply: { path: '/api/replies', list: 'replies' },
  message: { path: '/api/chat-messages', list: 'messages' },
} as const

/** Returns the path of the reactions to a thing, or of the member's own reaction with an emoji. */
export const toReactionApiPathForTest = (subject: ReactionSubjectKind, id: number, emoji?: string) =>
  `${kinds[subject].path}/${id}/reactions${emoji === undefined ? '' : `/${encodeURIComponent(emoji)}`}`

/** Reads the reactions to one thing as a member sees them; undefined if the member does not see the thing. */
export async function readReactionsAsTestClient(
  reader: TestClient,
  subject: ReactionSubjectKind,
  id: number,
) {
  const { list } = kinds[subject]
  const { status, body } = await reader.get(`/api/reactions?${list}=${id}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body[list][id] as { emoji: string; count: number; mine: boolean }[] | undefined
}

/** Returns the name and the emoji of each person who reacts to a thing, newest reaction first. */
export async function readReactorNamesAndEmojiAsTestClient(
  reader: TestClient,
  subject: ReactionSubjectKind,
  id: number,
) {
  const { status, body } = await reader.get(toReactionApiPathForTest(subject, id))
  expect(status, JSON.stringify(body)).toBe(200)
  return body.map(({ user, emoji }: { user: { name: string }; emoji: string }) => `${user.name} ${emoji}`)
}

/**
 * Starts a test app with Ann, her followers Ben and Cleo, and Dan, who has no relation to them. Admin has a
 * group with Ann, Ben and Cleo. Ann follows Ben, and has written a post, a reply to it, a message to the
 * group and one to Ben.
 */
export async function startReactionTestApp(dialect: TestDatabaseDialect, options: TestAppOptions = {}) {
  const app = await startRealtimeTestApp({ dialect, ...options })
  const people = await app.members('Admin', 'Ann', 'Ben', 'Cleo', 'Dan')
  const { Admin, Ann, Ben, Cleo } = people
  for (const follower of [Ben, Cleo]) await follower.post(`/api/follow/${Ann.id}`)
  await Ann.post(`/api/follow/${Ben.id}`)
  const group = await createTestGroup(Admin, 'Club', Ann, Ben, Cleo)
  const post = await createTestPost(Ann)
  const reply = (await createTestReply(Ann, post, 'A reply')).id
  const message = (await sendTestGroupMessage(Ann, group, 'Hello')).id
  const privateMessage = (await sendTestPrivateMessage(Ann, Ben, 'Hello Ben')).id
  const stranger = app.visitor()
  await stranger.get('/sanctum/csrf-cookie')
  const subjects = [
    ['post', post],
    ['reply', reply],
    ['message', message],
    ['message', privateMessage],
  ] as const
  return { ...app, ...people, group, post, reply, message, privateMessage, subjects, stranger }
}
