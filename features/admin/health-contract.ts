import * as v from 'valibot'
import { defineEndpoint, idOrEmptyStringSchema, isoTimestampSchema, noInputSchema } from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/** The result of one health check of the server, in the language of the admin. */
const ShownHealthCheckResult = v.object({
  /** The name of the health check, such as `mail`. */
  name: v.string(),
  /**
   * `ok`: the checked thing works. `attention`: it works, but an admin should change something. `problem`: it
   * fails, or will fail soon.
   */
  status: v.picklist(['ok', 'attention', 'problem']),
  title: v.string(),
  finding: v.string(),
  /** A sentence that tells the admin what to do about the finding; null if there is nothing to do. */
  advice: v.nullable(v.string()),
})
export type ShownHealthCheckResult = v.InferOutput<typeof ShownHealthCheckResult>

const ServerHealth = v.object({
  checked_at: isoTimestampSchema,
  checks: v.array(ShownHealthCheckResult),
  /** How many mails were given up in the last seven days and can be sent again. */
  failed_mails: v.number(),
  versions: v.array(v.object({ name: v.string(), version: v.string() })),
})
export type ServerHealth = v.InferOutput<typeof ServerHealth>

const TestMailResult = v.object({
  /** Whether the mail server accepted the test mail. */
  accepted: v.boolean(),
  /** The last answer of the mail server to the test mail, or the error message of the connection. */
  answer: v.string(),
})
export type TestMailResult = v.InferOutput<typeof TestMailResult>

const StorageUseByKindAndMember = v.object({
  /** The size of each kind of stored data, the largest first. */
  kinds: v.array(
    v.object({
      kind: v.picklist([
        'database',
        'backups',
        'post_pictures',
        'reply_pictures',
        'chat_pictures',
        'profile_pictures',
        'archives',
      ]),
      bytes: v.number(),
      /** The number of files or pictures of this kind; null for the database. */
      files: v.nullable(v.number()),
    }),
  ),
  /** The members whose files take the most space, with the bytes of their files, the largest first. */
  members: v.array(v.object({ person: personSchema, bytes: v.number() })),
})
export type StorageUseByKindAndMember = v.InferOutput<typeof StorageUseByKindAndMember>

export const adminHealthEndpoints = {
  /**
   * Runs all health checks of the server, and returns their results. `device_time` is the time of the admin's
   * device in ms since 1970, which is compared with the clock of the server.
   */
  show: defineEndpoint(
    'GET /api/admin/health',
    'admin',
    v.object({ device_time: v.optional(idOrEmptyStringSchema) }),
    ServerHealth,
    { limits: [{ max: 60, by: 'account' }] },
  ),
  /**
   * Returns how much space each kind of stored data takes, and the members whose files take the most space.
   */
  storage: defineEndpoint('GET /api/admin/storage', 'admin', noInputSchema, StorageUseByKindAndMember, {
    limits: [{ max: 20, by: 'account' }],
  }),
  /**
   * Sends a test mail at once to the address of the admin, and returns the answer of the mail server.
   * Responds 422 if the server has no SMTP_URL or the admin has no address, and 429 after ten test mails in
   * an hour.
   */
  testMail: defineEndpoint('POST /api/admin/mail-test', 'admin', noInputSchema, TestMailResult, {
    needsConfirmation: true,
    limits: [{ max: 5, by: 'account' }],
    errorStatuses: [422],
  }),
  /** Sends the mails again that were given up in the last seven days, and returns how many. */
  retryMails: defineEndpoint(
    'POST /api/admin/mail-retry',
    'admin',
    noInputSchema,
    v.object({ mails: v.number() }),
    { needsConfirmation: true, limits: [{ max: 5, by: 'account' }] },
  ),
}
