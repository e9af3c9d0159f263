import { expect } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { saveChildMark } from '#features/people/children.ts'
import { createGroup } from '#tests/conversations.ts'
import type { Dialect, TestApp, TestAppOptions, TestClient } from '#tests/harness.ts'
import { startRealtimeTestApp } from '#tests/sockets.ts'

export type Member = TestClient & { id: number }

export const CHILD_MARK_END_DATE = `${new Date().getFullYear() + 5}-04-01`

/** Sends the request with which an admin marks an account as that of a child. */
export const markChildAsAdmin = (
  admin: TestClient,
  child: Member,
  guardians: readonly string[],
  ends_on = CHILD_MARK_END_DATE,
) => admin.put(`/api/admin/users/${child.id}/child`, { guardians, ends_on })

/**
 * Starts a test app with Ada (the admin), Kid (a child) with the guardians Mum and Dad, and the members Uma
 * and Ben, who have no relation to them.
 */
export async function startTestAppWithGuardians(dialect: Dialect, options: TestAppOptions = {}) {
  const app = await startRealtimeTestApp({ dialect, ...options })
  const people = await app.members('Ada', 'Kid', 'Mum', 'Dad', 'Uma', 'Ben')
  const answer = await markChildAsAdmin(people.Ada, people.Kid, ['mum', 'dad'])
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return { ...app, ...people }
}

export const follow = (who: Member, other: Member) => who.post(`/api/follow/${other.id}`)

export const sendPrivateMessageTo = (who: Member, other: Member, input = 'Hello', more: object = {}) =>
  who.post('/api/send-private-message', { input, targetUserId: other.id, ...more })

export const sendContactDecision = (
  guardian: Member,
  child: Member,
  person: Member,
  state: string,
  known_state = 'requested',
) => guardian.put(`/api/guardian/children/${child.id}/contacts/${person.id}`, { state, known_state })

export const listContacts = async (guardian: Member, child: Member) =>
  (await guardian.get(`/api/guardian/children/${child.id}/contacts`)).body

/** Returns the state of a contact in the list that a guardian gets; undefined if it is not in the list. */
export const readContactState = async (guardian: Member, child: Member, person: Member) =>
  (await listContacts(guardian, child)).find(
    (contact: { person: { id: number } }) => contact.person.id === person.id,
  )?.state

export const listNoticeKinds = async (guardian: Member, child: Member): Promise<string[]> =>
  (await guardian.get(`/api/guardian/children/${child.id}/notices`)).body.map(
    ({ kind }: { kind: string }) => kind,
  )

export const createClub = (admin: Member, ...members: Member[]) => createGroup(admin, 'Club', ...members)

/** Changes the day on which an account stops being that of a child, directly in the database. */
export const saveChildMarkEndDate = ({ db }: Pick<TestApp, 'db'>, child: Member, ends_on: string) =>
  transaction(db, (tx) => saveChildMark(tx, { user_id: child.id, ends_on, created_by: child.id }))
