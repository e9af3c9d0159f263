import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { buildNotSuspendedCondition } from '#features/people/visibility.ts'
import { enqueueContactRequestMailToGuardian } from './mails.ts'

/**
 * Returns the ids of the guardians of these children. Leaves out suspended guardians, who cannot decide about
 * contacts.
 */
async function listActiveGuardianIds(db: Db, children: readonly number[]) {
  const rows = await db
    .selectFrom('guardians')
    .select('guardian_id')
    .distinct()
    .where('child_id', 'in', children)
    .where(buildNotSuspendedCondition('guardians.guardian_id'))
    .orderBy('guardian_id')
    .execute()
  return rows.map(({ guardian_id }) => guardian_id)
}

/** The number of rows that one INSERT statement inserts. */
const BATCH_SIZE = 1000

/**
 * Stores requests for existing contacts of children that nothing allows any more. `asked_by` is null,
 * because nobody asked. Does not change existing rows. Enqueues one mail for each guardian who has a new
 * request.
 */
export async function insertContactRequestsForExistingContacts(
  tx: Tx,
  contacts: readonly { child_id: number; person_id: number }[],
) {
  const request = { state: 'requested' as const, asked_by: null, asked_at: currentIsoTime() }
  const children = new Set<number>()
  for (let at = 0; at < contacts.length; at += BATCH_SIZE) {
    const inserted = await tx
      .insertInto('child_contacts')
      .values(contacts.slice(at, at + BATCH_SIZE).map((contact) => ({ ...contact, ...request })))
      .onConflict((c) => c.doNothing())
      .returning('child_id')
      .execute()
    for (const { child_id } of inserted) children.add(child_id)
  }
  if (!children.size) return
  for (const guardian of await listActiveGuardianIds(tx, [...children]))
    await enqueueContactRequestMailToGuardian(tx, guardian)
}

interface NewRequest {
  child: number
  person: number
  asked_by: number
}

/**
 * Stores a request for contact with a child in `child_contacts`, unless the table has a row for the two.
 * Tells the guardians of a new request by mail. Returns the state of the contact, who asked for it, and
 * whether the child has a guardian who can log in.
 */
export async function insertChildContactRequestAndMailGuardians(
  tx: Tx,
  { child, person, asked_by }: NewRequest,
) {
  const row = { child_id: child, person_id: person, state: 'requested' as const }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('child_contacts')
    .values({ ...row, asked_by, asked_at: currentIsoTime() })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  const guardians = await listActiveGuardianIds(tx, [child])
  if (numInsertedOrUpdatedRows)
    for (const guardian of guardians) await enqueueContactRequestMailToGuardian(tx, guardian)
  const contact = await tx
    .selectFrom('child_contacts')
    .select(['state', 'asked_by'])
    .where('child_id', '=', child)
    .where('person_id', '=', person)
    .executeTakeFirstOrThrow()
  return { ...contact, hasGuardian: guardians.length > 0 }
}
