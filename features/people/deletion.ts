import { randomUUID } from 'node:crypto'
import type { AppContext } from '#core/context.ts'
import { type Db, hasMatchingRow, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import * as mailDeletion from '#core/mail/deletion.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import * as credentials from './credentials.ts'
import { updateShownHandles } from './model.ts'
import * as memberSessions from './sessions.ts'

/**
 * In ms, until SQLite's write-ahead log is emptied. The rows of the member's pictures and last mail are
 * deleted before that, so the log then contains no data of the member.
 */
const TRUNCATION_DELAY = 60_000

/**
 * Listeners of `member.deleted` delete or detach rows of other features; foreign keys delete the rest.
 * Pictures are deleted after the commit; if that fails, by the media cleanup. False if there is no such
 * member.
 */
export async function deleteMember(context: AppContext, tx: Tx, event: DomainEvents['member.deleted']) {
  const { config, realtime, emit, media } = context
  const { id } = event
  await credentials.lockAll(tx)
  const account = await tx
    .selectFrom('users')
    .select(['name', 'email', 'image'])
    .where('id', '=', id)
    .where('former_since', 'is', null)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  if (!account) return false
  await emit(tx, 'member.deleted', event)
  await memberSessions.endAll(tx, realtime, id)
  await tx.deleteFrom('users').where('id', '=', id).execute()
  await updateShownHandles(tx, [account.name])
  await mailDeletion.deleteMails(config, tx, id, account.email)
  await enqueueJob(tx, 'truncate_wal', {}, { runAt: new Date(Date.now() + TRUNCATION_DELAY) })
  if (account.image) await lifecycle.detach(tx, [account.image])
  tx.afterCommit(() => account.image && media.deleteUnreferenced([account.image]))
  return true
}

/** Waits for a transaction that is deleting one. SQLite needs no lock. Returns those not deleted. */
export async function lockFromDeletion(tx: Tx, ids: readonly number[]) {
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .$if(isPostgres(tx), (query) => query.forKeyShare())
    .execute()
  return rows.map(({ id }) => id)
}

/** Without visibility rules. */
export const allMemberIds = (db: Db) => db.selectFrom('users').select('id').where('former_since', 'is', null)

/** Also a suspended one. */
export const hasMember = (db: Db, id: number) => hasMatchingRow(allMemberIds(db).where('id', '=', id))

/** Suspended members count too. */
export async function countMembers(db: Db) {
  const { count } = await db
    .selectFrom(allMemberIds(db).as('members'))
    .select((q) => q.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Counts no further. Suspended members count too. */
export async function hasMoreMembersThan(db: Db, count: number) {
  const rows = await allMemberIds(db)
    .limit(count + 1)
    .execute()
  return rows.length > count
}

/**
 * The author of the messages that a deleted account leaves. It has no name, address or password, is in no
 * list, and nobody can follow it or log in as it. Its handle and skeleton contain brackets, which those of
 * members cannot.
 */
export async function addFormerMember(tx: Tx) {
  const now = isoNow()
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

/** For migrations of later features. */
export const activeIdsSql = `select id from users where former_since is null
  and not exists (select 1 from suspensions where user_id = users.id)
  and not exists (select 1 from deletion_suspensions where user_id = users.id)`
