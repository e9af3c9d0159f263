import { expect } from 'vitest'
import { createGroup, sendPrivate, sendToGroup } from '#tests/conversations.ts'
import type { Dialect, TestAppOptions, TestClient } from '#tests/harness.ts'
import { realtimeApp } from '#tests/sockets.ts'
import { newPost, newReply } from '../../replies/test/reply-scene.ts'
import type { SubjectKind } from '../contract.ts'

/** Two of the emoji that a new community offers. */
export const [THUMB, PARTY] = ['👍', '🎉'] as const

/** A post, reply or message to which people react. */
export interface Thing {
  kind: SubjectKind
  id: number
}

const paths = { post: 'posts', reply: 'replies', message: 'chat-messages' }
const lists = { post: 'posts', reply: 'replies', message: 'messages' }

export const path = ({ kind, id }: Thing, emoji = '') =>
  `/api/${paths[kind]}/${id}/reactions${emoji && `/${encodeURIComponent(emoji)}`}`
export const react = (who: TestClient, thing: Thing, emoji: string = THUMB) => who.put(path(thing, emoji))
export const undo = (who: TestClient, thing: Thing, emoji: string = THUMB) => who.delete(path(thing, emoji))

/** Returns the reactions that `who` sees; undefined if `who` does not see the thing. */
export async function shown(who: TestClient, { kind, id }: Thing) {
  const { status, body } = await who.get(`/api/reactions?${lists[kind]}=${id}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body[lists[kind]][id] as { emoji: string; count: number; mine: boolean }[] | undefined
}

/** Returns the names and emoji that `who` sees, newest reaction first. */
export async function reactors(who: TestClient, thing: Thing) {
  const { status, body } = await who.get(path(thing))
  expect(status, JSON.stringify(body)).toBe(200)
  return body.map(({ user, emoji }: { user: { name: string }; emoji: string }) => `${user.name} ${emoji}`)
}

export const postBy = async (author: TestClient, more: Record<string, unknown> = {}): Promise<Thing> => ({
  kind: 'post',
  id: await newPost(author, more),
})

export const replyBy = async (author: TestClient, post: Thing, text: string): Promise<Thing> => ({
  kind: 'reply',
  id: (await newReply(author, post.id, text)).id,
})

/**
 * Starts an app with Ann, her followers Ben and Cleo, and Dan, who does not follow them. Admin has a group with
 * Ann, Ben and Cleo. Ann follows Ben, and has written a post, a reply to it, a message to the group, and a
 * private message to Ben.
 */
export async function community(dialect: Dialect, options: TestAppOptions = {}) {
  const app = await realtimeApp({ dialect, ...options })
  const people = await app.members('Admin', 'Ann', 'Ben', 'Cleo', 'Dan')
  const { Admin, Ann, Ben, Cleo } = people
  for (const follower of [Ben, Cleo]) await follower.post(`/api/follow/${Ann.id}`)
  await Ann.post(`/api/follow/${Ben.id}`)
  const group = await createGroup(Admin, 'Club', Ann, Ben, Cleo)
  const post = await postBy(Ann)
  const reply = await replyBy(Ann, post, 'A reply')
  const message: Thing = { kind: 'message', id: (await sendToGroup(Ann, group, 'Hello')).id }
  const whisper: Thing = { kind: 'message', id: (await sendPrivate(Ann, Ben, 'Hello Ben')).id }
  const stranger = app.visitor()
  await stranger.get('/sanctum/csrf-cookie')
  const things = [post, reply, message, whisper]
  return { ...app, ...people, group, post, reply, message, whisper, things, stranger }
}
