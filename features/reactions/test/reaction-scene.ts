import { expect } from 'vitest'
import { createTestGroup, sendTestGroupMessage, sendTestPrivateMessage } from '#tests/conversations.ts'
import type { TestAppOptions, TestClient, TestDatabaseDialect } from '#tests/harness.ts'
import { startRealtimeTestApp } from '#tests/sockets.ts'
import { createTestPostByAuthorAndReturnId, createTestReply } from '../../replies/test/reply-scene.ts'
import type { ReactionSubjectKind } from '../contract.ts'

/** Two of the emoji that the admins of a new community offer as reactions by default. */
export const [THUMB, PARTY] = ['👍', '🎉'] as const

/**
 * The paths and names of each kind of content: `path` is the beginning of the paths of its endpoints, and
 * `list` its name in the parameters and in the response of `GET /api/reactions`.
 */
const kinds = {
  post: { path: '/api/posts', list: 'posts' },
  reply: { path: '/api/replies', list: 'replies' },
  message: { path: '/api/chat-messages', list: 'messages' },
} as const

/**
 * Returns the API path of the reactions to a post, reply or message; with `emoji`, the path of the member's
 * own reaction with this emoji.
 */
export const toReactionApiPathForTest = (subject: ReactionSubjectKind, id: number, emoji?: string) =>
  `${kinds[subject].path}/${id}/reactions${emoji === undefined ? '' : `/${encodeURIComponent(emoji)}`}`

/**
 * Returns the reactions to one post, reply or message as `reader` sees them; undefined if `reader` does not
 * see it.
 */
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

/**
 * Returns texts with the name and the emoji of each person who reacts to a post, reply or message, newest
 * reaction first.
 */
export async function readReactorNameAndEmojiTextsAsTestClient(
  reader: TestClient,
  subject: ReactionSubjectKind,
  id: number,
) {
  const { status, body } = await reader.get(toReactionApiPathForTest(subject, id))
  expect(status, JSON.stringify(body)).toBe(200)
  return body.map(({ user, emoji }: { user: { name: string }; emoji: string }) => `${user.name} ${emoji}`)
}

/**
 * Starts a test app with Ann, her followers Ben and Cleo, and Dan, who does not follow them. Admin has a
 * group with Ann, Ben and Cleo. Ann follows Ben, and has written a post, a reply to this post, a message to
 * the group, and a private message to Ben.
 */
export async function startReactionTestApp(dialect: TestDatabaseDialect, options: TestAppOptions = {}) {
  const app = await startRealtimeTestApp({ dialect, ...options })
  const people = await app.members('Admin', 'Ann', 'Ben', 'Cleo', 'Dan')
  const { Admin, Ann, Ben, Cleo } = people
  for (const follower of [Ben, Cleo]) await follower.post(`/api/follow/${Ann.id}`)
  await Ann.post(`/api/follow/${Ben.id}`)
  const group = await createTestGroup(Admin, 'Club', Ann, Ben, Cleo)
  const post = await createTestPostByAuthorAndReturnId(Ann)
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
