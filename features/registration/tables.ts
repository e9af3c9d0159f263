import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'

export interface RegistrationTables {
  /** Links and codes with which people may register, even if not everybody may. */
  invitations: {
    id: Generated<number>
    /** SHA-256 of the code, so that nobody can register with a copy of the database. */
    code_hash: string
    /** For what the invitation is; only admins see it. */
    note: string | null
    /** The number of accounts that may be created with it, and that have been. */
    max_uses: number
    uses: Generated<number>
    /** Null after the account of the admin has been deleted. */
    created_by: number | null
    created_at: string
    expires_at: string
    /** When an admin ended it early; null otherwise. */
    ended_at: string | null
  }
  /** The members who have registered with an invitation. */
  invitation_uses: { user_id: number; invitation_id: number; created_at: string }
}
declare module '#core/database/database.ts' {
  interface Tables extends RegistrationTables {}
}

export const migrations: Migrations = {
  'registration 1': ({ id }) => [
    `create table invitations (
      id ${id}, code_hash text not null unique, note text, max_uses integer not null, uses integer not null default 0,
      created_by bigint references users (id) on delete set null, created_at text not null, expires_at text not null,
      ended_at text)`,
    'create index invitations_creator on invitations (created_by) where created_by is not null',
    `create table invitation_uses (
      user_id bigint primary key references users (id) on delete cascade,
      invitation_id bigint not null references invitations (id) on delete cascade, created_at text not null)`,
    'create index invitation_uses_invitation on invitation_uses (invitation_id, user_id)',
  ],
}
