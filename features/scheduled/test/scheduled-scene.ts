import { sql } from 'kysely'
import { expect } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { guardianScene } from '#features/guardians/test/guardian-scene.ts'
import { makeJobsDue } from '#tests/absent-members.ts'
import { type Actor, befriend, createGroup } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import { type Dialect, readRows, type TestApp, type TestClient } from '#tests/harness.ts'
import type { Scheduled } from '../contract.ts'

export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/** Ada is an admin, and owns the club of Uma and Ben, who follow each other. Mum and Dad look after Kid. */
export async function scheduledScene(dialect: Dialect) {
  const scene = await guardianScene(dialect)
  const { Ada, Uma, Ben } = scene
  await befriend(Uma, Ben)
  const club = await createGroup(Ada, 'Club', Uma, Ben)
  return { ...scene, club }
}

export const tryPost = (who: TestClient, more: object = {}) =>
  who.post('/api/scheduled/posts', { text: 'See you at nine', due_at: inMinutes(60), ...more })
export const tryMessage = (who: TestClient, more: object) =>
  who.post('/api/scheduled/messages', { message: 'Good morning', due_at: inMinutes(60), ...more })

export async function added(answer: ReturnType<TestClient['post']>) {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id as number
}

export const listOf = async (who: TestClient): Promise<Scheduled[]> => (await who.get('/api/scheduled')).body
export const reasonOf = async (who: TestClient) => (await listOf(who))[0]?.reason

/** As if the time of all of them had come so many minutes ago. */
export const passes = ({ db }: Pick<TestApp, 'db'>, minutes: number) =>
  transaction(db, (tx) => sql`update scheduled set due_at = ${inMinutes(-minutes)}`.execute(tx))

/** Runs all jobs now, whatever their time is. */
export async function runDue({ db, context }: Pick<TestApp, 'db' | 'context'>) {
  await makeJobsDue(db)
  context.jobs.wake()
  await context.jobs.idle()
}

/** As `passes`, and waits until each is sent or refused. */
export async function comes(scene: Pick<TestApp, 'db' | 'context'>, minutes = 0.02) {
  await passes(scene, minutes)
  await runDue(scene)
  await eventually(async () =>
    expect((await readRows(scene.db, 'scheduled')).filter(({ refusal }) => refusal === null)).toEqual([]),
  )
  await scene.context.jobs.idle()
}

export const postsOf = async (who: TestClient): Promise<{ id: number; body: string }[]> =>
  (await who.get('/api/posts')).body
export const messagesIn = async (who: TestClient, group: number): Promise<string[]> =>
  (await who.get(`/api/group-messages/${group}`)).body.map(({ message }: { message: string }) => message)
export const messagesWith = async (who: TestClient, other: Actor): Promise<string[]> =>
  (await who.get(`/api/messages/${other.id}`)).body.map(({ message }: { message: string }) => message)

/** The notifications about what could not be sent, with how many of them wait. */
export const toldOf = async (who: TestClient): Promise<number[]> =>
  (await who.get('/api/notifications')).body
    .filter(({ kind }: { kind: string }) => kind === 'not_sent')
    .map(({ waiting }: { waiting: number }) => waiting)
