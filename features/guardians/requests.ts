import type { AppContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import * as visibility from '#features/people/visibility.ts'
import { enqueueRequestMail } from './mails.ts'
import * as waiting from './waiting.ts'

/** Without suspended guardians, who cannot decide. */
async function listActiveGuardianIds(db: Db, children: readonly number[]) {
  const rows = await db
    .selectFrom('guardians')
    .select('guardian_id')
    .distinct()
    .where('child_id', 'in', children)
    .where(visibility.notSuspended('guardians.guardian_id'))
    .orderBy('guardian_id')
    .execute()
  return rows.map(({ guardian_id }) => guardian_id)
}

/** Rows of one INSERT. */
const BATCH_SIZE = 1000

/** `asked_by` is null: nobody asked. Existing rows stay. Tells each guardian with a new request. */
export async function addRequests(
  context: AppContext,
  tx: Tx,
  contacts: readonly { child_id: number; person_id: number }[],
) {
  const request = { state: 'requested' as const, asked_by: null, asked_at: isoNow() }
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
  for (const child of children) await waiting.sync(context, tx, child)
  for (const guardian of await listActiveGuardianIds(tx, [...children]))
    await enqueueRequestMail(tx, guardian)
}

interface NewRequest {
  child: number
  person: number
  asked_by: number
}

/**
 * Unless there is a row for the two. Tells the guardians about a new request. Returns the state, who asked,
 * and whether the child has a guardian who can log in.
 */
export async function addRequest(context: AppContext, tx: Tx, { child, person, asked_by }: NewRequest) {
  const row = { child_id: child, person_id: person, state: 'requested' as const }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('child_contacts')
    .values({ ...row, asked_by, asked_at: isoNow() })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow()
  // A contact that a mark or the end of a group has closed: the first who asks for it again waits from now.
  if (!numInsertedOrUpdatedRows)
    await tx
      .updateTable('child_contacts')
      .set({ asked_by })
      .where('child_id', '=', child)
      .where('person_id', '=', person)
      .where('asked_by', 'is', null)
      .where('state', '!=', 'allowed')
      .execute()
  const guardians = await listActiveGuardianIds(tx, [child])
  if (numInsertedOrUpdatedRows) {
    await waiting.sync(context, tx, child)
    for (const guardian of guardians) await enqueueRequestMail(tx, guardian)
  }
  const contact = await tx
    .selectFrom('child_contacts')
    .select(['state', 'asked_by'])
    .where('child_id', '=', child)
    .where('person_id', '=', person)
    .executeTakeFirstOrThrow()
  return { ...contact, hasGuardian: guardians.length > 0 }
}
