import { expect } from 'vitest'
import type { Db } from '#core/database/database.ts'
import { countUnfinished } from '#core/jobs/jobs.ts'
import { createClub, guardianScene } from '#features/guardians/test/guardian-scene.ts'
import { eventually } from '#tests/eventually.ts'
import type { Dialect, TestClient } from '#tests/harness.ts'
import type { AcknowledgementState, Reader, ReaderState } from '../contract.ts'

/** Ada is an admin; Mum and Dad look after Kid. The club has Ada, Kid, Mum and Ben, and Uma is not in it. */
export async function acknowledgementScene(dialect: Dialect) {
  const scene = await guardianScene(dialect)
  const club = await createClub(scene.Ada, scene.Kid, scene.Mum, scene.Ben)
  return { ...scene, club }
}

/** Sends a new post that asks who has read it. */
export const tryAsk = (who: TestClient, more: object = {}, request: object = {}) =>
  who.post('/api/posts', { text: 'The hall is closed', extras: { acknowledgement: request }, ...more })

export async function ask(who: TestClient, more: object = {}, request: object = {}) {
  const { status, body } = await tryAsk(who, more, request)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.post.id as number
}

export const inGroup = (group_id: number) => ({ audience: 'group', group_id })
export const pathOf = (post: number) => `/api/posts/${post}/acknowledgement`

/** Undefined if the member sees none. */
export const stateFor = async (who: TestClient, post: number): Promise<AcknowledgementState | null> =>
  (await who.get(`/api/acknowledgements?posts=${post}`)).body.posts[post]

/** `asked read later later_read`. */
export async function countsFor(who: TestClient, post: number) {
  const { asked, read, later, later_read } = (await stateFor(who, post))!.counts!
  return [asked, read, later, later_read].join(' ')
}

export async function readersOf(who: TestClient, post: number, state: ReaderState) {
  const { body } = await who.get(`/api/posts/${post}/acknowledgements?state=${state}`)
  return (body as Reader[]).map(({ user, by }) => (by ? `${user.name} by ${by.name}` : user.name))
}

export const remind = (who: TestClient, post: number, urgent = false) =>
  who.post(`${pathOf(post)}-reminders`, { urgent })

/** Waits until the reminders that are due have been sent. */
export const remindersSent = (db: Db) =>
  eventually(async () => expect(await countUnfinished(db, 'acknowledgement_reminder')).toBe(0))
