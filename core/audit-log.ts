import { createHash } from 'node:crypto'
import { currentIsoTime, type Db, type MigrationsByName, type Tx } from '#core/database/database.ts'

/**
 * A row of the audit log. Rows have the ids 1, 2, 3 … without gaps. They contain ids and no names, so that
 * the deletion of an account need not change them.
 */
interface AuditLogRow {
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
  subject: 'member' | 'group' | 'post' | 'reply' | 'message' | 'settings' | 'invitation' | 'join_request'
  subject_id: number | null
  /** Further data of the action as JSON, such as the new values of settings; null if there are none. */
  detail: string | null
  /**
   * The SHA-256, in hexadecimal, of the hash of the row before and of all other columns: see
   * `hashAuditLogRow`.
   */
  hash: string
}

export interface AuditLogTables {
  audit_log: AuditLogRow
  /**
   * The table with a single row: the number of rows of the audit log, and the hash of its last row. By it, a
   * check notices that the last rows were deleted.
   */
  audit_log_head: { id: number; entries: number; hash: string }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends AuditLogTables {}
}

/** The text to which the hash of the first row is chained, because there is no row before the first one. */
const FIRST_HASH = ''

export const auditLogMigrations: MigrationsByName = {
  'audit log 1': () => [
    `create table audit_log (
      id integer primary key, created_at text not null, role text not null, actor_id integer,
      action text not null, subject text not null, subject_id integer, detail text, hash text not null)`,
    'create table audit_log_head (id integer primary key, entries integer not null, hash text not null)',
    `insert into audit_log_head (id, entries, hash) values (1, 0, '${FIRST_HASH}')`,
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
 * concurrent actions form one chain.
 */
export async function recordAuditLogEntry(
  tx: Tx,
  { action, subject, actor_id = null, subject_id = null, detail, role = 'admin' }: NewAuditLogEntry,
) {
  const { entries: id, hash: previous } = await tx
    .updateTable('audit_log_head')
    .set((q) => ({ entries: q('entries', '+', 1) }))
    .where('id', '=', 1)
    .returning(['entries', 'hash'])
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
  const hash = hashAuditLogRow(row, previous)
  await tx
    .insertInto('audit_log')
    .values({ ...row, hash })
    .execute()
  await tx.updateTable('audit_log_head').set({ hash }).where('id', '=', 1).execute()
}

/** Returns the SHA-256, in hexadecimal digits, of the previous row's hash and of all columns but the hash. */
function hashAuditLogRow(row: Omit<AuditLogRow, 'hash'>, previous: string) {
  const { id, created_at, role, actor_id, action, subject, subject_id, detail } = row
  const text = JSON.stringify([previous, id, created_at, role, actor_id, action, subject, subject_id, detail])
  return createHash('sha256').update(text).digest('hex')
}

/**
 * The result of `verifyAuditLogHashes`. `hash` is the hash of the last row. An operator who keeps it in
 * another place can notice later that the whole log was replaced.
 */
export type AuditLogVerificationResult =
  | { isIntact: true; entries: number; hash: string }
  | { isIntact: false; firstWrongId: number }

const PAGE = 1000

/**
 * Computes the hash of each row again, and compares the hash of the last row with `audit_log_head`. The check
 * fails at the first row that was changed, deleted or added with another tool. Rows that actions add while
 * the check runs are not checked.
 */
export async function verifyAuditLogHashes(db: Db): Promise<AuditLogVerificationResult> {
  // One statement reads `audit_log_head` and the ids of the log, because each logged action changes both
  // tables in one transaction.
  const head = await db
    .selectFrom('audit_log_head')
    .select(['entries', 'hash'])
    .select((q) => [
      q
        .selectFrom('audit_log')
        .select((row) => row.fn.min('id').as('id'))
        .as('oldest'),
      q
        .selectFrom('audit_log')
        .select((row) => row.fn.max('id').as('id'))
        .as('newest'),
    ])
    .executeTakeFirst()
  if (head && Number(head.oldest ?? 1) < 1) return { isIntact: false, firstWrongId: Number(head.oldest) }
  let last = 0
  let hash = FIRST_HASH
  for (;;) {
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('id', '>', last)
      .where('id', '<=', head?.entries ?? 0)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const row of rows) {
      if (row.id !== last + 1 || row.hash !== hashAuditLogRow(row, hash))
        return { isIntact: false, firstWrongId: last + 1 }
      last = row.id
      hash = row.hash
    }
    if (rows.length < PAGE) break
  }
  const isIntact =
    head !== undefined && head.entries === last && Number(head.newest ?? 0) === last && head.hash === hash
  return isIntact ? { isIntact, entries: last, hash } : { isIntact: false, firstWrongId: last + 1 }
}
