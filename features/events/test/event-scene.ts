import { expect } from 'vitest'
import { createGroup } from '#tests/conversations.ts'
import type { Dialect, TestClient } from '#tests/harness.ts'
import { realtimeApp } from '#tests/sockets.ts'
import { newPost } from '../../replies/test/reply-scene.ts'
import type { EventDate, NewEventInput, PostEvent } from '../contract.ts'

const DAY = 86_400_000

/** The wall clock in Tokyo, some days from now at 19:30. */
export const wall = (days: number, time = '19:30') =>
  `${new Date(Date.now() + days * DAY + 9 * 3600_000).toISOString().slice(0, 10)}T${time}`

export const training = (more: Partial<NewEventInput> = {}): NewEventInput => ({
  ...{ title: 'Training', place: 'Gym', zone: 'Asia/Tokyo' },
  ...{ begins: wall(10), ends: wall(10, '21:00') },
  ...more,
})

/** Ann and Ben, Cleo, Dan and Eva, of whom all but Eva are in the group. */
export async function eventScene(dialect: Dialect, env: Record<string, string> = {}) {
  const app = await realtimeApp({ dialect, env })
  const people = await app.members('Ann', 'Ben', 'Cleo', 'Dan', 'Eva')
  const { Ann, Ben, Cleo, Dan } = people
  const group = await createGroup(Ann, 'Club', Ben, Cleo, Dan)
  const stranger = app.visitor()
  await stranger.get('/sanctum/csrf-cookie')
  return { ...app, ...people, group, stranger }
}

/** Null if `who` does not see the post. */
export async function eventOf(who: TestClient, post: number): Promise<PostEvent | null> {
  const { status, body } = await who.get(`/api/events?posts=${post}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body[post]
}

/** The next date, with the id of the post. */
export async function plan(author: TestClient, event: Partial<NewEventInput> = {}, more: object = {}) {
  const post = await newPost(author, { extras: { event: training(event) }, ...more })
  const found = await eventOf(author, post)
  return { post, upcoming: found!.upcoming, ...found!.date }
}

export const dateOf = async (who: TestClient, id: number): Promise<EventDate> => {
  const { status, body } = await who.get(`/api/events/dates/${id}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

export const say = (who: TestClient, id: number, answer: 'yes' | 'maybe' | 'no', more: object = {}) =>
  who.put(`/api/events/dates/${id}/answer`, { answer, ...more })

export async function names(who: TestClient, path: string): Promise<string[]> {
  const { status, body } = await who.get(path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.map((row: { name?: string; user?: { name: string } }) => row.name ?? row.user!.name)
}

/** The kinds of the member's notifications about events. */
export async function toldOf(who: TestClient): Promise<string[]> {
  const { body } = await who.get('/api/notifications')
  return body.flatMap(({ kind }: { kind: string }) => (kind.startsWith('event_') ? kind : []))
}

/** Of the dates of an event that are to come. */
export async function datesOf(who: TestClient, event: number): Promise<EventDate[]> {
  const from = new Date().toISOString()
  const to = new Date(Date.now() + 800 * DAY).toISOString()
  const { status, body } = await who.get(
    `/api/events/dates?event=${event}&limit=200&from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`,
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** What is needed to change a date as it is. */
export const asGiven = ({ title, place, begins, ends, places, answers_until }: EventDate) => ({
  ...{ title, place, begins, ends, places, answers_until },
})
