import { expect } from 'vitest'
import { countUnfinished } from '#core/jobs/jobs.ts'
import { asChild } from '#features/guardians/test/guardian-scene.ts'
import { createGroup } from '#tests/conversations.ts'
import { eventually } from '#tests/eventually.ts'
import type { Dialect, TestAppOptions, TestClient } from '#tests/harness.ts'
import { realtimeApp } from '#tests/sockets.ts'

/** Ada is the admin, Mum the guardian of Kid, and Oda owns the group of Oda and Ben. */
export async function rollCallScene(dialect: Dialect, options: TestAppOptions = {}) {
  const app = await realtimeApp({ dialect, ...options })
  const people = await app.members('Ada', 'Oda', 'Ben', 'Mum', 'Kid')
  const { Ada, Oda, Ben, Kid } = people
  expect((await asChild(Ada, Kid, ['mum'])).status).toBe(200)
  await Ada.send('PATCH', '/api/admin/settings', { who_can_create_groups: 'members' })
  const group = await createGroup(Oda, 'Choir', Ben)
  /** Waits until everybody is told. Returns the id. */
  async function start(who: TestClient, input: object = {}): Promise<number> {
    const { status, body } = await who.post('/api/roll-calls', { title: 'Earthquake', ...input })
    expect(status, JSON.stringify(body)).toBe(201)
    await told()
    return body.id
  }
  const told = () =>
    eventually(async () => {
      for (const kind of ['tell_roll_call', 'end_roll_call'] as const)
        expect(await countUnfinished(app.db, kind)).toBe(0)
    })
  return { ...app, ...people, group, start, told }
}

export const answer = (who: TestClient, id: number, state: string, more: object = {}) =>
  who.put(`/api/roll-calls/${id}/answer`, { state, ...more })

/** How many roll calls and drills the bell of a member has. */
export async function bellOf(who: TestClient) {
  const { roll_call, roll_call_drill } = (await who.get('/api/notifications/unread')).body.waiting
  return [roll_call, roll_call_drill]
}

export const boardOf = async (who: TestClient, id: number) =>
  (await who.get(`/api/roll-calls/${id}/board`)).body

type Listed = { person: { name: string }; answer: { state: string } | null }
export const listedOf = async (who: TestClient, id: number, query = '') =>
  (await who.get(`/api/roll-calls/${id}/members${query}`)).body.map(({ person, answer }: Listed) => [
    person.name,
    answer?.state ?? null,
  ])
