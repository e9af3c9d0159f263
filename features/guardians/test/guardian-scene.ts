import { expect } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { markChild } from '#features/people/children.ts'
import { createGroup } from '#tests/conversations.ts'
import type { Dialect, TestApp, TestAppOptions, TestClient } from '#tests/harness.ts'
import { realtimeApp } from '#tests/sockets.ts'

export type Actor = TestClient & { id: number }

export const MARK_END_DATE = `${new Date().getFullYear() + 5}-04-01`

/** Sends the request with which an admin marks an account as that of a child. */
export const asChild = (
  admin: TestClient,
  child: Actor,
  guardians: readonly string[],
  ends_on = MARK_END_DATE,
) => admin.put(`/api/admin/users/${child.id}/child`, { guardians, ends_on })

/**
 * Starts a test app with Ada (the admin), Kid (a child) with the guardians Mum and Dad, and the members Uma
 * and Ben, who have no relation to them.
 */
export async function guardianScene(dialect: Dialect, options: TestAppOptions = {}) {
  const app = await realtimeApp({ dialect, ...options })
  const people = await app.members('Ada', 'Kid', 'Mum', 'Dad', 'Uma', 'Ben')
  const answer = await asChild(people.Ada, people.Kid, ['mum', 'dad'])
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return { ...app, ...people }
}

export const followAs = (who: Actor, other: Actor) => who.post(`/api/follow/${other.id}`)

export const sendMessage = (who: Actor, other: Actor, input = 'Hello', more: object = {}) =>
  who.post('/api/send-private-message', { input, targetUserId: other.id, ...more })

export const decideContact = (
  guardian: Actor,
  child: Actor,
  person: Actor,
  state: string,
  known_state = 'requested',
) => guardian.put(`/api/guardian/children/${child.id}/contacts/${person.id}`, { state, known_state })

export const childContacts = async (guardian: Actor, child: Actor) =>
  (await guardian.get(`/api/guardian/children/${child.id}/contacts`)).body

/**
 * Returns the state of a contact in the list of a child's contacts that a guardian gets; undefined if the
 * contact is not in the list.
 */
export const contactState = async (guardian: Actor, child: Actor, person: Actor) =>
  (await childContacts(guardian, child)).find(
    (contact: { person: { id: number } }) => contact.person.id === person.id,
  )?.state

export const noticeKinds = async (guardian: Actor, child: Actor): Promise<string[]> =>
  (await guardian.get(`/api/guardian/children/${child.id}/notices`)).body.map(
    ({ kind }: { kind: string }) => kind,
  )

export const createClub = (admin: Actor, ...members: Actor[]) => createGroup(admin, 'Club', ...members)

/** Changes the day on which an account stops being that of a child, directly in the database. */
export const saveMarkEnd = ({ db }: Pick<TestApp, 'db'>, child: Actor, ends_on: string) =>
  transaction(db, (tx) => markChild(tx, { user_id: child.id, ends_on, created_by: child.id }))
