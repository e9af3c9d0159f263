import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'

export interface AccountTables {
  /**
   * A change of an e-mail address. Until it is verified, the account keeps its old address. The row stays for
   * a week after that, so that the owner of the old address can undo the change.
   */
  email_changes: {
    id: Generated<number>
    user_id: number
    old_email: string
    new_email: string
    /** SHA-256 of the token in the mail to the new address. */
    token_hash: string
    /** SHA-256 of the token in the mail to the old address; null until the change is verified. */
    undo_token_hash: string | null
    created_at: string
    verified_at: string | null
  }
  /** Codes that the owner keeps for the day when nothing else opens the account. A used code has no row. */
  recovery_codes: {
    user_id: number
    /** See `hashCode`. */
    code_hash: string
    created_at: string
  }
}
declare module '#core/database/database.ts' {
  interface Tables extends AccountTables {}
}

export const migrations: Migrations = {
  'account email 1': ({ id }) => [
    `create table email_changes (
      id ${id}, user_id bigint not null references users (id) on delete cascade, old_email text not null,
      new_email text not null, token_hash text not null unique, undo_token_hash text unique,
      created_at text not null, verified_at text)`,
    'create index email_changes_user on email_changes (user_id)',
    'create index email_changes_created on email_changes (created_at)',
  ],
  'account 1': () => [
    `create table recovery_codes (
      user_id bigint not null references users (id) on delete cascade, code_hash text not null,
      created_at text not null, primary key (user_id, code_hash))`,
  ],
}
