import type { AppContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import * as tasks from '#features/notifications/tasks.ts'
import { listModeratorIds } from '#features/people/moderators.ts'

/** Notifications of one new moderator. */
const MAX_CASES = 100

const openCases = (db: Db) => db.selectFrom('report_cases').where('closed_at', 'is', null)

export async function countOpen(db: Db) {
  const { count } = await openCases(db)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** All moderators but the person whom the case is about. */
export async function tell(context: AppContext, tx: Tx, { id, author }: { id: number; author: number }) {
  const moderators = await listModeratorIds(tx)
  const told = moderators.filter((one) => one !== author)
  await tasks.add(context, tx, told, { kind: 'report', source: id })
}

/** A new moderator or admin, of what waits already. */
export async function tellNew(context: AppContext, tx: Tx, user: number) {
  const waiting = await openCases(tx)
    .select('id')
    .where('author_id', '!=', user)
    .orderBy('id', 'desc')
    .limit(MAX_CASES)
    .execute()
  for (const { id: source } of waiting) await tasks.add(context, tx, [user], { kind: 'report', source })
}

export const end = (context: AppContext, tx: Tx, source: number) =>
  tasks.end(context, tx, { kind: 'report', source })

/** Foreign keys delete the cases about a deleted account. */
export async function endAbout(context: AppContext, tx: Tx, author: number) {
  const ended = await openCases(tx).select('id').where('author_id', '=', author).execute()
  for (const { id } of ended) await end(context, tx, id)
}
