import type { AppContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import * as notifier from '#features/notifications/model.ts'
import * as tasks from '#features/notifications/tasks.ts'
import { isChildAccount } from '#features/people/children.ts'
import { MAX_REQUESTS } from './contract.ts'

const kind = 'contact_request'

const requestsQuery = (db: Db) => db.selectFrom('child_contacts').where('state', '=', 'requested')

/** Gives the guardians the notifications of the requests that wait, and takes away all others. */
export async function sync(context: AppContext, tx: Tx, child: number) {
  // First, so that a request that is stored meanwhile is not taken for a decided one.
  const known = await tasks.list(tx, { kind, subject: child })
  const waiting = await requestsQuery(tx)
    .select('person_id')
    .where('child_id', '=', child)
    .orderBy('asked_at')
    .orderBy('person_id')
    .limit(MAX_REQUESTS)
    .execute()
  const guardians = await listGuardians(tx, child)
  const people = waiting.map(({ person_id }) => person_id)
  for (const user of new Set(known.map(({ user_id }) => user_id)))
    if (!guardians.includes(user)) await notifier.deleteAbout(context, tx, { kind, subject: child, user })
  for (const source of new Set(known.map(({ source_id }) => source_id)))
    if (!people.includes(source)) await tasks.end(context, tx, { kind, subject: child, source })
  const has = new Set(known.map(({ user_id, source_id }) => `${user_id} ${source_id}`))
  for (const source of people) {
    const told = guardians.filter((guardian) => !has.has(`${guardian} ${source}`))
    await tasks.add(context, tx, told, { kind, subject: child, source })
  }
}

/** None if the account is no child's any more. */
async function listGuardians(tx: Tx, child: number) {
  if (!(await isChildAccount(tx, child))) return []
  const rows = await tx
    .selectFrom('guardians')
    .select('guardian_id')
    .where('child_id', '=', child)
    .orderBy('guardian_id')
    .execute()
  return rows.map(({ guardian_id }) => guardian_id)
}

/** Before the account is deleted. Foreign keys delete the requests. */
export async function endOfMember(context: AppContext, tx: Tx, id: number) {
  await notifier.deleteAbout(context, tx, { kind, subject: id })
  const asked = await requestsQuery(tx).select('child_id').where('person_id', '=', id).execute()
  for (const { child_id: subject } of asked) await tasks.end(context, tx, { kind, subject, source: id })
}
