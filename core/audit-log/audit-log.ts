import { currentIsoTime, type MigrationsByName, type Tx } from '#core/database/database.ts'
import { findAuditLogKeeper } from './keeper.ts'
import { FIRST_HASH, hashAuditLogRow, isSealed, sealHead, sealRow } from './seals.ts'

/**
 * A row of the audit log. Rows have the ids 1, 2, 3 … without gaps. They contain ids and no names, so that
 * the deletion of an account need not change them.
 */
export interface AuditLogRow {
  id: number
  created_at: string
  /**
   * The role of whoever did the action. `operator`: somebody with access to the server, by the command line,
   * ADMIN_EMAIL or the set-up. `system`: nobody, because the server did it at a time that an admin had set.
   */
  role: 'admin' | 'moderator' | 'operator' | 'system'
  /** The id of the admin or moderator who did the action; null for the operator and the system. */
  actor_id: number | null
  action: string
  /**
   * The kind of thing that the action changed. `settings` also stands for other things of the whole
   * community, such as its picture or a test mail; `subject_id` is null then.
   */
  subject:
    | 'member'
    | 'group'
    | 'post'
    | 'reply'
    | 'message'
    | 'public_message'
    | 'settings'
    | 'invitation'
    | 'join_request'
  subject_id: number | null
  /** Further data of the action as JSON, such as the new values of settings; null if there are none. */
  detail: string | null
  /**
   * The SHA-256, in hexadecimal, of the hash of the row before and of all other columns: see
   * `hashAuditLogRow`.
   */
  hash: string
  /**
   * The seal of `hash`, made with the key of the audit log: see `sealRow`. Null in rows from before the key,
   * and in those of a process without one.
   */
  mac: string | null
}

/** The row of `audit_log_head`. */
export interface AuditLogHead {
  /** The number of rows of the audit log. */
  entries: number
  /** The hash of the last row; empty without rows. */
  hash: string
  /** The seal of the other columns, made with the key of the audit log; null before the first start with one. */
  mac: string | null
  /** The id of the first row that is sealed with the key. */
  keyed_from: number | null
  /**
   * The id of the first row that followed a head without a right seal: another tool or another key was used
   * before. It stays until the operator accepts the log.
   */
  unproven_from: number | null
}

export interface AuditLogTables {
  audit_log: AuditLogRow
  /**
   * The table with a single row. By it, a check notices that the last rows were deleted.
   */
  audit_log_head: { id: number } & AuditLogHead
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends AuditLogTables {}
}

export const auditLogMigrations: MigrationsByName = {
  'audit log 1': () => [
    `create table audit_log (
      id integer primary key, created_at text not null, role text not null, actor_id integer,
      action text not null, subject text not null, subject_id integer, detail text, hash text not null)`,
    'create table audit_log_head (id integer primary key, entries integer not null, hash text not null)',
    `insert into audit_log_head (id, entries, hash) values (1, 0, '${FIRST_HASH}')`,
  ],
  'audit log 2': () => [
    'alter table audit_log add column mac text',
    'alter table audit_log_head add column mac text',
    'alter table audit_log_head add column keyed_from integer',
    'alter table audit_log_head add column unproven_from integer',
  ],
}

export type NewAuditLogEntry = Pick<AuditLogRow, 'action' | 'subject'> &
  Partial<Pick<AuditLogRow, 'actor_id' | 'subject_id'>> & {
    detail?: object
    role?: 'admin' | 'moderator' | 'system'
  }

/**
 * Adds an action to the audit log, in the transaction of the action. `role` is the role of the member
 * `actor_id`. Without `actor_id`, the action is one of the operator, or of the system if `role` is
 * `system`. First updates the row of `audit_log_head`, which locks this row until the commit, so that
 * concurrent actions form one chain. A head without a right seal does not stop the action, but is remembered.
 */
export async function recordAuditLogEntry(
  tx: Tx,
  { action, subject, actor_id = null, subject_id = null, detail, role = 'admin' }: NewAuditLogEntry,
) {
  const keeper = findAuditLogKeeper(tx.root)
  const key = keeper?.key ?? null
  const { entries: id, ...head } = await tx
    .updateTable('audit_log_head')
    .set((q) => ({ entries: q('entries', '+', 1) }))
    .where('id', '=', 1)
    .returning(['entries', 'hash', 'mac', 'keyed_from', 'unproven_from'])
    .executeTakeFirstOrThrow()
  const row = {
    id,
    created_at: currentIsoTime(),
    role: actor_id === null && role !== 'system' ? ('operator' as const) : role,
    actor_id,
    action,
    subject,
    subject_id,
    detail: detail ? JSON.stringify(detail) : null,
  }
  const hash = hashAuditLogRow(row, head.hash)
  await tx
    .insertInto('audit_log')
    .values({ ...row, hash, mac: key && sealRow(key, { id, hash }) })
    .execute()
  const wasSealed = key !== null && isSealed(key, { ...head, entries: id - 1 })
  const next = { hash, unproven_from: head.unproven_from ?? (wasSealed ? null : id) }
  const mac = key && sealHead(key, { ...head, ...next, entries: id })
  await tx
    .updateTable('audit_log_head')
    .set({ ...next, mac })
    .where('id', '=', 1)
    .execute()
  if (keeper?.follow) tx.afterCommit(keeper.follow)
}
