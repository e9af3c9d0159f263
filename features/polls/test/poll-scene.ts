import { expect } from 'vitest'
import { type Actor, createGroup, sendToGroup } from '#tests/conversations.ts'
import type { Dialect, TestClient } from '#tests/harness.ts'
import { realtimeApp } from '#tests/sockets.ts'
import { newPost } from '../../replies/test/reply-scene.ts'
import type { Answer, Poll } from '../contract.ts'

export const choice = (more: object = {}) => ({
  poll: { kind: 'choice', options: ['Cake', 'Soup', 'Rice'], ...more },
})

/** Ann and Ben, Cleo, Dan and Eva, of whom all but Eva are in the group. */
export async function pollScene(dialect: Dialect) {
  const app = await realtimeApp({ dialect })
  const people = await app.members('Ann', 'Ben', 'Cleo', 'Dan', 'Eva')
  const { Ann, Ben, Cleo, Dan } = people
  const group = await createGroup(Ann, 'Club', Ben, Cleo, Dan)
  const stranger = app.visitor()
  await stranger.get('/sanctum/csrf-cookie')
  return { ...app, ...people, group, stranger }
}

/** Null if `who` does not see the post. */
export const pollOf = async (who: TestClient, post: number): Promise<Poll | null> => {
  const { status, body } = await who.get(`/api/polls?posts=${post}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.posts[post]
}

export async function askInPost(author: TestClient, extras: object = choice(), more: object = {}) {
  const post = await newPost(author, { extras, ...more })
  return { post, ...(await pollOf(author, post))! }
}

export async function askInGroup(author: Actor, group: number, extras: object = choice()) {
  const message = await sendToGroup(author, group, 'What do you like?', { extras })
  const { body } = await author.get(`/api/polls?messages=${message.id}`)
  return { message: message.id, ...(body.messages[message.id] as Poll) }
}

type Asked = Pick<Poll, 'id' | 'options'>

/** `at`: the places of the chosen options. */
export const choose = (who: TestClient, { id, options }: Asked, ...at: number[]) =>
  who.put(`/api/polls/${id}/vote`, { options: at.map((one) => options[one]!.id) })

/** One answer for each option, in their order. */
export const answer = (who: TestClient, { id, options }: Asked, answers: Answer[], more: object = {}) =>
  who.put(`/api/polls/${id}/vote`, {
    answers: answers.map((said, at) => ({ option: options[at]!.id, answer: said })),
    ...more,
  })

export const sums = (poll: Poll | null) => poll?.options.map(({ counts }) => counts?.yes ?? null)

export async function namesOf(who: TestClient, path: string): Promise<string[]> {
  const { status, body } = await who.get(path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.map((row: { name?: string; user?: { name: string } }) => row.name ?? row.user!.name)
}
