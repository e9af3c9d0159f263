import type { Migrations, Tx } from '#core/database/database.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'

export interface MailMessage {
  to: string
  subject: string
  text: string
  html: string
  /**
   * The link of a mail that asks a member to verify the address. Without SMTP_URL, the log shows this link,
   * because the mail is only written to a file.
   */
  link?: string
  /** The URL to which mail programs send a POST request to end mails of this kind (RFC 8058). */
  unsubscribe?: string
}
declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    mail: MailJobPayload
  }
}

export interface MailJobPayload extends MailMessage {
  /**
   * The id of the account that the mail belongs to. The deletion of the account deletes the mail. Null or
   * missing for a mail without an account, such as the one that says that the account is deleted.
   */
  user_id?: number | null
}

/**
 * Sends a mail after the commit of `tx`, unless the account with the id `user_id` has been deleted by then.
 * Null is for mails that belong to no account.
 */
export const enqueueMail = (tx: Tx, user_id: number | null, mail: MailMessage) =>
  enqueueJob(tx, 'mail', { user_id, ...mail })

/**
 * Mails had a table of their own before jobs existed. Migration 2 moves them to `jobs` with their ids,
 * because the ids are the names of files in DATA_DIR/mail.
 */
export const mailMigrations: Migrations = {
  'mail 1': ({ id }) => [
    `create table mails (
      id ${id}, recipient text not null, subject text not null, body_text text not null,
      body_html text not null, link text, created_at text not null, due_at text not null,
      tries integer not null default 0, sent_at text, failed_at text, error text)`,
    'create index mails_due on mails (due_at) where sent_at is null and failed_at is null',
  ],
  'mail 2': ({ name }) => [
    `insert into jobs (id, kind, payload, created_at, run_at, attempts, finished_at, failed_at)
      select id, 'mail', case when sent_at is null and failed_at is null then ${asJson[name]} end,
        created_at, due_at, tries, sent_at, failed_at from mails`,
    ...(name === 'postgres'
      ? [`select setval(pg_get_serial_sequence('jobs', 'id'), coalesce(max(id), 0) + 1, false) from mails`]
      : []),
    'drop table mails',
  ],
}

const fields = `'to', recipient, 'subject', subject, 'text', body_text, 'html', body_html, 'link', link`
const asJson = { sqlite: `json_object(${fields})`, postgres: `json_build_object(${fields})::text` }
