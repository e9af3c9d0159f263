import * as v from 'valibot'
import { retentionDays } from '#core/community/settings-contract.ts'
import { retentionDaysSchema, settingsSchema } from '#core/community/settings-schemas.ts'
import {
  endpoint,
  idInputSchema,
  isoTime,
  limitedArray,
  noInputSchema,
  optionalText,
  pageFields,
  requiredText,
} from '#core/schemas.ts'
import { deletionSchema, messagesSchema } from '#features/account/schemas.ts'
import { MAX_GUARDIANS } from '#features/guardians/contract.ts'
import { childMarkSchema, isoDateSchema } from '#features/guardians/schemas.ts'
import { meSchema, personSchema } from '#features/people/schemas.ts'

const { bio: _, needs_second_step: _ownState, guardian_news: _ownNews, ...known } = meSchema.entries
export const accountSchema = v.object({
  ...known,
  /** Present if `email` is null only because the admin has not confirmed their identity lately. */
  has_hidden_email: v.exactOptional(v.literal(true)),
  suspended_at: v.nullable(isoTime),
  /** A confirmed authenticator app. Passkeys do not count. */
  has_second_step: v.boolean(),
  deletion: v.nullable(deletionSchema),
  /** Null if the account is not a child's. */
  child: v.nullable(childMarkSchema),
  /** The member whose invitation was used to register; null for none. */
  invited_by: v.nullable(personSchema),
})
export type ManagedAccount = v.InferOutput<typeof accountSchema>

export const backupSchema = v.object({
  /** True if BACKUP_AT is set. */
  nightly: v.boolean(),
  /** The newest backup without errors, or null. `missing`: picture files that the server lacked then. */
  good: v.nullable(v.object({ made_at: isoTime, bytes: v.number(), missing: v.number() })),
  /** The last failure since the newest good backup, with the system's message; null for none. */
  failed: v.nullable(v.object({ at: isoTime, reason: v.string() })),
})
export type BackupStatus = v.InferOutput<typeof backupSchema>

/** `this_week` is the last seven days, `today` the last 24 hours. 0 for features that do not run. */
export const statisticsSchema = v.object({
  members: v.number(),
  members_this_week: v.number(),
  groups: v.number(),
  posts_today: v.number(),
  waiting_requests: v.number(),
  open_reports: v.number(),
  /** Addresses that nobody has verified; 0 with SMTP_URL, because members can do it themselves. */
  unverified_addresses: v.number(),
  /** People who wrote a post or a message in the last 24 hours. Replies do not count. */
  wrote_today: v.number(),
  backup: backupSchema,
})
export type Figures = v.InferOutput<typeof statisticsSchema>

export const settingsAnswer = v.object({
  settings: settingsSchema,
  /** Settings that environment variables fix: saved values have no effect while the variable is set. */
  fixed: v.array(v.keyof(settingsSchema)),
  /** A URL; null for none. The endpoints of `pictureEndpoints` change it. */
  picture: v.nullable(v.string()),
})
export type AdminSettings = v.InferOutput<typeof settingsAnswer>

export const adminSchemas = {
  users: endpoint(
    'admin',
    v.object({ q: optionalText(255), ...pageFields(1000, 5000) }),
    v.object({ userData: v.array(accountSchema) }),
    { paginated: true },
  ),
  verificationLink: endpoint('admin', idInputSchema, v.object({ link: v.string() }), {
    needsConfirmation: true,
  }),
  /** Confirms the addresses that nobody has verified. 422 with SMTP_URL: members can do it themselves. */
  verifyAll: endpoint('admin', noInputSchema, v.object({ addresses: v.number() }), {
    needsConfirmation: true,
    errorStatuses: [422],
  }),
  grant: endpoint('admin', idInputSchema, accountSchema, {
    needsConfirmation: true,
  }),
  revoke: endpoint('admin', idInputSchema, accountSchema, {
    needsConfirmation: true,
  }),
  /** The member may tell everybody of a post and ask who has read it, as admins may. */
  trust: endpoint('admin', idInputSchema, accountSchema, { needsConfirmation: true }),
  distrust: endpoint('admin', idInputSchema, accountSchema, { needsConfirmation: true }),
  suspend: endpoint('admin', idInputSchema, accountSchema, {
    needsConfirmation: true,
  }),
  unsuspend: endpoint('admin', idInputSchema, accountSchema, {
    needsConfirmation: true,
  }),
  /** For a member who has lost the authenticator app and the recovery codes. */
  removeSecondStep: endpoint('admin', idInputSchema, accountSchema, { needsConfirmation: true }),
  /** The admin gives the code to the member. No other response contains it. */
  resetCode: endpoint(
    'admin',
    idInputSchema,
    v.object({
      code: v.string(),
      /** The page that sets a new password, with the handle and the code in its fragment. */
      link: v.string(),
    }),
    { limits: [{ max: 30, by: 'account' }], needsConfirmation: true },
  ),
  /** Suspends the account. It is deleted after a week. */
  remove: endpoint('admin', v.object({ ...idInputSchema.entries, messages: messagesSchema }), accountSchema, {
    needsConfirmation: true,
  }),
  /** Cancels a deletion that an admin requested, and ends its suspension. */
  keep: endpoint('admin', idInputSchema, accountSchema, {
    needsConfirmation: true,
  }),
  /** Also changes an existing mark: its one or two guardians (by handle), or the day on which it ends. */
  markChild: endpoint(
    'admin',
    v.object({
      ...idInputSchema.entries,
      guardians: limitedArray(requiredText(255), MAX_GUARDIANS, 1),
      ends_on: isoDateSchema,
    }),
    accountSchema,
    { needsConfirmation: true },
  ),
  endChild: endpoint('admin', idInputSchema, accountSchema, {
    needsConfirmation: true,
  }),
  facts: endpoint('admin', noInputSchema, statisticsSchema),
  settings: endpoint('admin', noInputSchema, settingsAnswer),
  /** Settings that are absent do not change. */
  saveSettings: endpoint('admin', v.partial(settingsSchema), settingsAnswer, { needsConfirmation: true }),
}

const ExamplesState = v.object({
  exist: v.boolean(),
})

export const exampleSchemas = {
  show: endpoint('admin', noInputSchema, ExamplesState),
  /** 409 if there are examples already. */
  create: endpoint('admin', noInputSchema, ExamplesState, {
    status: 201,
    limits: [{ max: 10, by: 'account' }],
    needsConfirmation: true,
    errorStatuses: [409],
  }),
  /** Does nothing if there are none. */
  remove: endpoint('admin', noInputSchema, ExamplesState, {
    needsConfirmation: true,
  }),
}

/** Absent or empty: kept for ever. */
const optionalDaysSchema = v.optional(
  v.pipe(
    v.picklist(['', ...retentionDays.map(String)], 'invalid'),
    v.transform((days) => (days === '' ? null : Number(days))),
    v.nullable(retentionDaysSchema),
  ),
  '',
)

const RetentionRule = v.object({
  /** Null: never removed. */
  days: v.nullable(retentionDaysSchema),
  /** Null if nothing is ever removed. */
  starts_at: v.nullable(isoTime),
})
export const retentionSchema = v.object({ messages: RetentionRule, pictures: RetentionRule })
export type RetentionDays = v.InferOutput<typeof retentionSchema>

const RetentionPreviewPart = v.object({
  /** At most `MAX_PREVIEW_COUNT` + 1, which means more than that. */
  count: v.number(),
  /** The size of the pictures. */
  bytes: v.number(),
  /** The oldest message that would be removed, or lose a picture, or post that would; null for none. */
  oldest: v.nullable(isoTime),
})
const RetentionPreview = v.object({ messages: RetentionPreviewPart, pictures: RetentionPreviewPart })
export type RetentionPreview = v.InferOutput<typeof RetentionPreview>

const LastRemoval = v.object({
  /** Null if the job has not run yet. */
  last_run_at: v.nullable(isoTime),
  /** The UTC day (`2026-11-23`) of the last removal; null if there was none. */
  removed_on: v.nullable(v.string()),
  /** On the day `removed_on`. */
  removed_count: v.number(),
  removed_bytes: v.number(),
})
const LastRemovals = v.object({ messages: LastRemoval, pictures: LastRemoval })
export type Removals = v.InferOutput<typeof LastRemovals>

export const retentionSchemas = {
  show: endpoint('member', noInputSchema, retentionSchema),
  /** Counts what would be removed now with these numbers of days. Changes nothing. */
  preview: endpoint(
    'admin',
    v.object({ keep_messages_days: optionalDaysSchema, keep_pictures_days: optionalDaysSchema }),
    RetentionPreview,
    { limits: [{ max: 30, by: 'account' }] },
  ),
  lastRemovals: endpoint('admin', noInputSchema, LastRemovals),
}

const LogEntry = v.object({
  id: v.number(),
  created_at: isoTime,
  role: v.picklist(['admin', 'moderator', 'member', 'operator', 'system']),
  action: v.string(),
  subject: v.picklist([
    'member',
    'group',
    'post',
    'reply',
    'message',
    'public_message',
    'settings',
    'invitation',
    'join_request',
  ]),
  /** The names and new values of the settings that the admin changed; null for other actions. */
  settings: v.nullable(
    v.record(
      v.string(),
      v.union([
        v.string(),
        v.number(),
        v.boolean(),
        v.array(v.string()),
        /** Quiet hours. */
        v.object({ from: v.string(), to: v.string() }),
        v.null(),
      ]),
    ),
  ),
  /** Null if none was given, and always for readers who are not admins. */
  reason: v.nullable(v.string()),
  /** The reason of the report that a moderator decided about, such as `spam`. Null for other actions. */
  report_reason: v.nullable(v.string()),
  /** Null for the operator and the system, for deleted accounts, and for readers who are not admins. */
  actor: v.nullable(personSchema),
  /** The member whose account was changed; null for other things, and for readers who are not admins. */
  member: v.nullable(personSchema),
  /** Other moderators who had opened the excerpt of the private chat before. Empty unless for admins. */
  together_with: v.array(personSchema),
  /** The guardians of the child whose mark was changed. Empty unless for admins. */
  guardians: v.array(personSchema),
})
export type LogEntry = v.InferOutput<typeof LogEntry>

export const auditSchemas = {
  /** Newest first. Only admins get the names of people and the written reasons. */
  list: endpoint('member', v.object(pageFields(50, 200)), v.array(LogEntry), {
    paginated: true,
  }),
}
