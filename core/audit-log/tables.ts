import type { Migrations } from '#core/database/database.ts'

/** The text to which the hash of the first row is chained, because there is no row before the first one. */
export const FIRST_HASH = ''

/**
 * A row of the audit log. Rows have the ids 1, 2, 3 … without gaps. They contain ids and no names, so that
 * the deletion of an account need not change them.
 */
export interface AuditLogRow {
  id: number
  created_at: string
  /**
   * The role of whoever did the action. `member`: one without these rights, for what concerns many. `operator`: somebody with access to the server, by the command line,
   * ADMIN_EMAIL or the set-up. `system`: nobody, because the server did it at a time that an admin had set.
   */
  role: 'admin' | 'moderator' | 'member' | 'operator' | 'system'
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
   * `hashRow`.
   */
  hash: string
  /**
   * The seal of `hash`, made with the key of the audit log: see `sealRow`. Null in rows from before the key,
   * and in those of a process without one.
   */
  mac: string | null
}

export interface AuditLogHead {
  entries: number
  /** The hash of the last row; empty without rows. */
  hash: string
  /**
   * The seal of the other columns, made with the key of the audit log; null before the first start with one.
   */
  mac: string | null
  /** The id of the first row that is sealed with the key. */
  keyed_from: number | null
  /**
   * The id of the first row that followed a head without a right seal: another tool or another key was used
   * before. It stays until the operator accepts the log.
   */
  unproven_from: number | null
}

export const headColumns = ['entries', 'hash', 'mac', 'keyed_from', 'unproven_from'] as const

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

export const migrations: Migrations = {
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
