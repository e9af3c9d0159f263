import { randomUUID } from 'node:crypto'
import type { AppContext } from '#core/context.ts'
import { currentIsoTime, type Db, hasMatchingRow, isPostgres, type Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { deleteMailsOfAccount } from '#core/mail/deletion.ts'
import { markMediaUnreferenced } from '#core/media/lifecycle.ts'
import { acquireAccountsLock } from './credentials.ts'
import { updateShownHandlesOfLookalikeNames } from './model.ts'
import { endAllSessionsOfMember } from './sessions.ts'

/**
 * The time in ms from the deletion of a member to the emptying of SQLite's write-ahead log. The rows of the
 * member's pictures and last mail are deleted before that, so the log then contains no data of the member.
 */
const TRUNCATION_DELAY = 60_000

/**
 * Deletes a member with everything that belongs to them, in the given transaction. Listeners of
 * `member.deleted` delete or detach rows of the other features; foreign keys delete the rest. Files of
 * pictures are deleted after the commit; if that fails, the media cleanup deletes them. Returns false if
 * there is no such member.
 */
export async function deleteMember(context: AppContext, tx: Tx, event: DomainEvents['member.deleted']) {
  const { config, realtime, emit, media } = context
  const { id } = event
  await acquireAccountsLock(tx)
  const account = await tx
    .selectFrom('users')
    .select(['name', 'email', 'image'])
    .where('id', '=', id)
    .where('former_since', 'is', null)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  if (!account) return false
  await emit(tx, 'member.deleted', event)
  await endAllSessionsOfMember(tx, realtime, id)
  await tx.deleteFrom('users').where('id', '=', id).execute()
  await updateShownHandlesOfLookalikeNames(tx, [account.name])
  await deleteMailsOfAccount(config, tx, id, account.email)
  await enqueueJob(tx, 'truncate_wal', {}, { runAt: new Date(Date.now() + TRUNCATION_DELAY) })
  if (account.image) await markMediaUnreferenced(tx, [account.image])
  tx.afterCommit(() => account.image && media.deleteUnreferenced([account.image]))
  return true
}

/**
 * Keeps the accounts with these ids from being deleted until the commit. If another transaction is deleting
 * one of them, waits for that transaction. SQLite needs no lock, because it runs one transaction at a time.
 * Returns the ids of the accounts that are not deleted.
 */
export async function lockAccountRowsAgainstDeletionAndListIds(tx: Tx, ids: readonly number[]) {
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .$if(isPostgres(tx), (query) => query.forKeyShare())
    .execute()
  return rows.map(({ id }) => id)
}

/** Builds the query for the ids of all members, without visibility rules and without former members. */
export const buildAllMemberIdsQuery = (db: Db) =>
  db.selectFrom('users').select('id').where('former_since', 'is', null)

/**
 * Returns whether there is a member with this id. A suspended member counts too, a former member does not.
 */
export const hasMemberWithId = (db: Db, id: number) =>
  hasMatchingRow(buildAllMemberIdsQuery(db).where('id', '=', id))

/** Counts the members. Suspended members count too, former members do not. */
export async function countMembers(db: Db) {
  const { count } = await db
    .selectFrom(buildAllMemberIdsQuery(db).as('members'))
    .select((q) => q.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Creates a former member, who becomes the author of the messages that a deleted account leaves, and returns
 * its id. The row has no name, no address and no password. It is in no list, and nobody can follow it or log
 * in as it. Its handle and its name skeleton contain brackets, which those of members cannot contain, so they
 * differ from all others.
 */
export async function insertFormerMemberRowAndReturnId(tx: Tx) {
  const now = currentIsoTime()
  const unique = `(former member ${randomUUID()})`
  const { id } = await tx
    .insertInto('users')
    .values({
      name: '',
      name_key: '',
      name_skeleton: unique,
      handle: unique,
      email: null,
      email_key: null,
      password_hash: '',
      created_at: now,
      former_since: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * The SQL text of the query for the ids of the members who are not suspended, for migrations of later
 * features.
 */
export const unsuspendedMemberIdsSql = `select id from users where former_since is null
  and not exists (select 1 from suspensions where user_id = users.id)
  and not exists (select 1 from deletion_suspensions where user_id = users.id)`
