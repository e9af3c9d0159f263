import * as v from 'valibot'
import { endpoint, idOrEmpty, isoTime, noInputSchema } from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'

const CheckResult = v.object({
  /** Such as `mail`. */
  name: v.string(),
  /** `attention`: works, but an admin should change something. `problem`: fails, or will fail soon. */
  status: v.picklist(['ok', 'attention', 'problem']),
  title: v.string(),
  finding: v.string(),
  /** A sentence that tells the admin what to do; null if there is nothing to do. */
  advice: v.nullable(v.string()),
})
export type CheckResult = v.InferOutput<typeof CheckResult>

const ServerHealth = v.object({
  checked_at: isoTime,
  checks: v.array(CheckResult),
  /** Given up in the last seven days; they can be sent again. */
  failed_mails: v.number(),
  versions: v.array(v.object({ name: v.string(), version: v.string() })),
})
export type ServerHealth = v.InferOutput<typeof ServerHealth>

const TestMailResult = v.object({
  accepted: v.boolean(),
  /** The last answer of the mail server, or the error message of the connection. */
  answer: v.string(),
})
export type TestMailResult = v.InferOutput<typeof TestMailResult>

const StorageUse = v.object({
  /** The largest first. */
  kinds: v.array(
    v.object({
      kind: v.picklist([
        'database',
        'backups',
        'post_pictures',
        'reply_pictures',
        'chat_pictures',
        'album_pictures',
        'profile_pictures',
        'archives',
      ]),
      bytes: v.number(),
      /** Null for the database. */
      files: v.nullable(v.number()),
    }),
  ),
  /** The members whose files take the most space, the largest first. */
  members: v.array(v.object({ person: personSchema, bytes: v.number() })),
})
export type StorageUse = v.InferOutput<typeof StorageUse>

export const healthSchemas = {
  /** `device_time`, of the admin's device in ms since 1970, is compared with the server's clock. */
  show: endpoint('admin', v.object({ device_time: v.optional(idOrEmpty) }), ServerHealth, {
    limits: [{ max: 60, by: 'account' }],
  }),
  storage: endpoint('admin', noInputSchema, StorageUse, {
    limits: [{ max: 20, by: 'account' }],
  }),
  /** 422 without SMTP_URL or an address of the admin, 429 after ten test mails in an hour. */
  testMail: endpoint('admin', noInputSchema, TestMailResult, {
    needsConfirmation: true,
    limits: [{ max: 5, by: 'account' }],
    errorStatuses: [422],
  }),
  /** Mails that were given up in the last seven days. */
  retryMails: endpoint('admin', noInputSchema, v.object({ mails: v.number() }), {
    needsConfirmation: true,
    limits: [{ max: 5, by: 'account' }],
  }),
}
