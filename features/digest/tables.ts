import type { MigrationsByName } from '#core/database/database.ts'
import type { DigestFrequency } from './contract.ts'

export interface DigestTables {
  /**
   * The digest frequencies that members have chosen: one row for each of these members.
   * `DEFAULT_DIGEST_FREQUENCY` applies to the other members.
   */
  digest_settings: { user_id: number; frequency: DigestFrequency }
  /** The digests that were prepared for members: at most one row for each member and period. */
  digests: {
    user_id: number
    /**
     * The period of the digest: the frequency, and the number of the day or week since 1970, such as `weekly
     * 2968`.
     */
    period: string
    created_at: string
    /** The number of the member's unread messages when the digest was stored. */
    unread_messages: number
    /**
     * When the last attempt to send the digest began. Null before the first attempt, and after an attempt
     * that failed.
     */
    sending_since: string | null
    /** When the mail server accepted the digest; null until then. */
    sent_at: string | null
  }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends DigestTables {}
}

export const digestMigrations: MigrationsByName = {
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
