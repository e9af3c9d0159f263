import type { Migrations } from '#core/database/database.ts'
import type { DigestFrequency } from './contract.ts'

export interface DigestTables {
  /** `digestSettings.DEFAULT_FREQUENCY` applies to members without a row. */
  digest_settings: { user_id: number; frequency: DigestFrequency }
  /** At most one for each member and period. */
  digests: {
    user_id: number
    /** Frequency, and number of the day or week since 1970, such as `weekly 2968`. */
    period: string
    created_at: string
    /** When the digest was stored. */
    unread_messages: number
    /** The begin of the last attempt. Null before the first one, and after a failure. */
    sending_since: string | null
    /** When the mail server accepted the digest; null until then. */
    sent_at: string | null
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends DigestTables {}
}

export const digestMigrations: Migrations = {
  'digest 1': () => [
    `create table digest_settings (
      user_id bigint primary key references users (id) on delete cascade, frequency text not null)`,
    `create table digests (
      user_id bigint not null references users (id) on delete cascade, period text not null,
      created_at text not null, unread_messages integer not null, sending_since text, sent_at text,
      primary key (user_id, period))`,
    'create index digests_created on digests (created_at)',
  ],
}
