import type { AppContext } from '#core/context.ts'
import { type Db, isPostgres, type Tx } from '#core/database/database.ts'
import * as channels from '#features/conversations/channels.ts'
import { allQuery } from '#features/groups/read.ts'
import * as notifier from '#features/notifications/model.ts'
import * as tasks from '#features/notifications/tasks.ts'
import { listAdminIds } from '#features/people/moderators.ts'
import { REQUEST_CHANGED } from './contract.ts'

// A request is a task of the group's owner until somebody has decided. Admins have it if the group has no owner, or
// if only they can accept it.

const kind = 'group_request'
/** Of one group, about which a new owner or admin is told. */
const MAX_TOLD = 100

interface Request {
  id: number
  group_id: number
  needs_admin_since: string | null
}

const ownerOf = async (db: Db, group: number) =>
  (await allQuery(db).select('c.owner_id').where('c.id', '=', group).executeTakeFirst())?.owner_id ?? null

export async function tell(context: AppContext, tx: Tx, { id, group_id, needs_admin_since }: Request) {
  const owner = needs_admin_since === null ? await ownerOf(tx, group_id) : null
  const users = owner === null ? await listAdminIds(tx) : [owner]
  await tasks.add(context, tx, users, { kind, subject: group_id, source: id })
}

/** Decided, taken back, or gone. */
export const end = (context: AppContext, tx: Tx, { id, group_id }: Pick<Request, 'id' | 'group_id'>) =>
  tasks.end(context, tx, { kind, subject: group_id, source: id })

export const endAll = (context: AppContext, tx: Tx, group: number) =>
  notifier.deleteAbout(context, tx, { kind, subject: group })

/** Another member owns the group now. */
export async function tellAgain(context: AppContext, tx: Tx, group: number) {
  await endAll(context, tx, group)
  const waiting = await waitingOf(tx)
    .where('r.group_id', '=', group)
    .orderBy('r.id')
    .limit(MAX_TOLD)
    .execute()
  for (const request of waiting) await tell(context, tx, request)
}

const waitingOf = (tx: Tx) =>
  tx
    .selectFrom('group_requests as r')
    .select(['r.id', 'r.group_id', 'r.needs_admin_since'])
    .where('r.decision', 'is', null)

/** Of what waits for admins already. */
export async function tellNewAdmin(context: AppContext, tx: Tx, admin: number) {
  const rows = await allQuery(tx)
    .innerJoin('group_requests as r', 'r.group_id', 'c.id')
    .select(['r.id', 'r.group_id'])
    .where('r.decision', 'is', null)
    .where(({ or, eb }) => or([eb('c.owner_id', 'is', null), eb('r.needs_admin_since', 'is not', null)]))
    .orderBy('r.id', 'desc')
    .limit(MAX_TOLD)
    .execute()
  for (const { id, group_id } of rows)
    await tasks.add(context, tx, [admin], { kind, subject: group_id, source: id })
}

/** The windows of who has asked. */
export const requestChanged = ({ realtime }: AppContext, tx: Tx, user: number) =>
  tx.afterCommit(() => realtime.broadcast([channels.member(user)], REQUEST_CHANGED, {}, { aboutUsers: [] }))

/** Ends the requests that this query finds, and deletes them. */
export async function removeRequests(context: AppContext, tx: Tx, ids: readonly number[]) {
  if (!ids.length) return
  const removed = await tx
    .deleteFrom('group_requests')
    .where('id', 'in', ids)
    .returning(['id', 'group_id', 'user_id'])
    .execute()
  for (const request of removed) {
    await end(context, tx, request)
    requestChanged(context, tx, request.user_id)
  }
}

/** Of a person who has asked, to groups that the owner owns; of all owners if it is null. */
export async function waitingOfPerson(tx: Tx, user: number, owner: number | null) {
  const rows = await allQuery(tx)
    .innerJoin('group_requests as r', 'r.group_id', 'c.id')
    .select('r.id')
    .where('r.user_id', '=', user)
    .where('r.decision', 'is', null)
    .$if(owner !== null, (found) => found.where('c.owner_id', '=', owner))
    .$if(isPostgres(tx), (found) => found.forUpdate('r'))
    .execute()
  return rows.map(({ id }) => id)
}
