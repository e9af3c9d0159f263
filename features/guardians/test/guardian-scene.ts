import { expect } from 'vitest'
import { transaction } from '#core/database/transaction.ts'
import { saveChildAccountMark } from '#features/people/children.ts'
import { createTestGroup } from '#tests/conversations.ts'
import type { TestApp, TestAppOptions, TestClient, TestDatabaseDialect } from '#tests/harness.ts'
import { startRealtimeTestApp } from '#tests/sockets.ts'

export type TestClientWithMemberId = TestClient & { id: number }

export const TEST_CHILD_MARK_END_DATE = `${new Date().getFullYear() + 5}-04-01`

/** Sends the request with which an admin marks an account as that of a child. */
export const markTestMemberAsChildByAdmin = (
  admin: TestClient,
  child: TestClientWithMemberId,
  guardians: readonly string[],
  ends_on = TEST_CHILD_MARK_END_DATE,
) => admin.put(`/api/admin/users/${child.id}/child`, { guardians, ends_on })

/**
 * Starts a test app with Ada (the admin), Kid (a child) with the guardians Mum and Dad, and the members Uma
 * and Ben, who have no relation to them.
 */
export async function startTestAppWithGuardians(dialect: TestDatabaseDialect, options: TestAppOptions = {}) {
  const app = await startRealtimeTestApp({ dialect, ...options })
  const people = await app.members('Ada', 'Kid', 'Mum', 'Dad', 'Uma', 'Ben')
  const answer = await markTestMemberAsChildByAdmin(people.Ada, people.Kid, ['mum', 'dad'])
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return { ...app, ...people }
}

export const followAsTestMember = (who: TestClientWithMemberId, other: TestClientWithMemberId) =>
  who.post(`/api/follow/${other.id}`)

export const sendTestPrivateMessageForResponse = (
  who: TestClientWithMemberId,
  other: TestClientWithMemberId,
  input = 'Hello',
  more: object = {},
) => who.post('/api/send-private-message', { input, targetUserId: other.id, ...more })

export const sendContactDecisionAsTestGuardian = (
  guardian: TestClientWithMemberId,
  child: TestClientWithMemberId,
  person: TestClientWithMemberId,
  state: string,
  known_state = 'requested',
) => guardian.put(`/api/guardian/children/${child.id}/contacts/${person.id}`, { state, known_state })

export const listChildContactsAsTestGuardian = async (
  guardian: TestClientWithMemberId,
  child: TestClientWithMemberId,
) => (await guardian.get(`/api/guardian/children/${child.id}/contacts`)).body

/**
 * Returns the state of a contact in the list of a child's contacts that a guardian gets; undefined if the
 * contact is not in the list.
 */
export const readChildContactStateAsTestGuardian = async (
  guardian: TestClientWithMemberId,
  child: TestClientWithMemberId,
  person: TestClientWithMemberId,
) =>
  (await listChildContactsAsTestGuardian(guardian, child)).find(
    (contact: { person: { id: number } }) => contact.person.id === person.id,
  )?.state

export const listChildNoticeKindsAsTestGuardian = async (
  guardian: TestClientWithMemberId,
  child: TestClientWithMemberId,
): Promise<string[]> =>
  (await guardian.get(`/api/guardian/children/${child.id}/notices`)).body.map(
    ({ kind }: { kind: string }) => kind,
  )

export const createTestGroupNamedClub = (
  admin: TestClientWithMemberId,
  ...members: TestClientWithMemberId[]
) => createTestGroup(admin, 'Club', ...members)

/** Changes the day on which an account stops being that of a child, directly in the database. */
export const saveChildMarkEndDateInTestDatabase = (
  { db }: Pick<TestApp, 'db'>,
  child: TestClientWithMemberId,
  ends_on: string,
) => transaction(db, (tx) => saveChildAccountMark(tx, { user_id: child.id, ends_on, created_by: child.id }))
