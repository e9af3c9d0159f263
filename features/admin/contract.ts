import * as v from 'valibot'
import { communitySettingValuesSchema } from '#core/community-settings-contract.ts'
import {
  createLimitedArraySchema,
  createOptionalTextSchema,
  createPaginationParameterFields,
  createRequiredTextSchema,
  defineEndpoint,
  idInputSchema,
  isoTimestampSchema,
  noInputSchema,
} from '#core/contract.ts'
import {
  accountDeletionRequestSchema,
  keepOrDeleteMessagesSchema,
} from '#features/account/deletion-contract.ts'
import {
  childAccountMarkForAdminsSchema,
  isoDateSchema,
  MAX_GUARDIANS_PER_CHILD,
} from '#features/guardians/contract.ts'
import { meSchema, personSchema } from '#features/people/contract.ts'

const { bio: _, needs_second_step: _ownState, ...known } = meSchema.entries
export const managedAccountSchema = v.object({
  ...known,
  /** Present if `email` is null only because the admin has not confirmed their identity lately. */
  has_hidden_email: v.exactOptional(v.literal(true)),
  suspended_at: v.nullable(isoTimestampSchema),
  /**
   * Whether the account has a confirmed authenticator app as the second step of the log-in. Passkeys do not
   * count.
   */
  has_second_step: v.boolean(),
  deletion: v.nullable(accountDeletionRequestSchema),
  /** The mark of a child's account, with its guardians; null for other accounts. */
  child: v.nullable(childAccountMarkForAdminsSchema),
  /** The member who created the invitation with which this member registered; null if there was none. */
  invited_by: v.nullable(personSchema),
})
export type ManagedAccount = v.InferOutput<typeof managedAccountSchema>

export const backupStatusSchema = v.object({
  /** Whether the server makes a backup every night (BACKUP_AT is set). */
  nightly: v.boolean(),
  /**
   * The newest backup that was made and checked without an error; null if there is none. `missing` is the
   * number of files of pictures that the server lacked then: the backup needs attention if it is not 0.
   */
  good: v.nullable(v.object({ made_at: isoTimestampSchema, bytes: v.number(), missing: v.number() })),
  /**
   * The last attempt to make a backup that failed, with the system's error message; null if none has failed
   * since the newest good backup.
   */
  failed: v.nullable(v.object({ at: isoTimestampSchema, reason: v.string() })),
})
export type BackupStatus = v.InferOutput<typeof backupStatusSchema>

/**
 * The numbers on the admin dashboard. Fields with `this_week` count the last seven days, fields with `today`
 * the last 24 hours. If the feature that a number comes from is not running, the number is 0.
 */
export const adminStatisticsSchema = v.object({
  members: v.number(),
  members_this_week: v.number(),
  groups: v.number(),
  posts_today: v.number(),
  /** The number of people who have asked to join the community and still wait for an answer. */
  waiting_requests: v.number(),
  /** The number of people who wrote a post or a message in the last 24 hours. Replies do not count. */
  wrote_today: v.number(),
  backup: backupStatusSchema,
})
export type AdminStatistics = v.InferOutput<typeof adminStatisticsSchema>

export const adminCommunitySettingsResponseSchema = v.object({
  settings: communitySettingValuesSchema,
  /**
   * The names of the settings whose values come from environment variables. A value that an admin saves has
   * no effect while the variable is set.
   */
  fixed: v.array(v.keyof(communitySettingValuesSchema)),
  /**
   * The URL of the community's picture; null if there is none. The endpoints of `communityPictureEndpoints`
   * change it.
   */
  picture: v.nullable(v.string()),
})
export type AdminCommunitySettingsResponse = v.InferOutput<typeof adminCommunitySettingsResponseSchema>

export const adminEndpoints = {
  users: defineEndpoint(
    'GET /api/admin/users',
    'admin',
    v.object({ q: createOptionalTextSchema(255), ...createPaginationParameterFields(1000, 5000) }),
    v.object({ userData: v.array(managedAccountSchema) }),
    { paginated: true },
  ),
  verificationLink: defineEndpoint(
    'GET /api/admin/users/:id/verification-link',
    'admin',
    idInputSchema,
    v.object({ link: v.string() }),
    {
      needsConfirmation: true,
    },
  ),
  grant: defineEndpoint('PUT /api/admin/users/:id/admin', 'admin', idInputSchema, managedAccountSchema, {
    needsConfirmation: true,
  }),
  revoke: defineEndpoint('DELETE /api/admin/users/:id/admin', 'admin', idInputSchema, managedAccountSchema, {
    needsConfirmation: true,
  }),
  suspend: defineEndpoint(
    'PUT /api/admin/users/:id/suspension',
    'admin',
    idInputSchema,
    managedAccountSchema,
    {
      needsConfirmation: true,
    },
  ),
  unsuspend: defineEndpoint(
    'DELETE /api/admin/users/:id/suspension',
    'admin',
    idInputSchema,
    managedAccountSchema,
    {
      needsConfirmation: true,
    },
  ),
  /**
   * Turns off the second step of the log-in of a member who has lost the authenticator app and the recovery
   * codes.
   */
  removeSecondStep: defineEndpoint(
    'DELETE /api/admin/users/:id/second-step',
    'admin',
    idInputSchema,
    managedAccountSchema,
    { needsConfirmation: true },
  ),
  /**
   * Creates a code with which a member sets a new password, and returns it to the admin, who gives it to the
   * member. No other response contains the code.
   */
  resetCode: defineEndpoint(
    'POST /api/admin/users/:id/reset-code',
    'admin',
    idInputSchema,
    v.object({
      code: v.string(),
      /**
       * The URL of the page on which the member sets a new password, with the handle and the code in its
       * fragment.
       */
      link: v.string(),
    }),
    { limits: [{ max: 30, by: 'account' }], needsConfirmation: true },
  ),
  /** Suspends the account, and requests its deletion, which takes place after a week. */
  remove: defineEndpoint(
    'DELETE /api/admin/users/:id',
    'admin',
    v.object({ ...idInputSchema.entries, messages: keepOrDeleteMessagesSchema }),
    managedAccountSchema,
    { needsConfirmation: true },
  ),
  /**
   * Cancels a deletion of an account that an admin has requested, and ends the suspension that was made for
   * the deletion.
   */
  keep: defineEndpoint('POST /api/admin/users/:id/keep', 'admin', idInputSchema, managedAccountSchema, {
    needsConfirmation: true,
  }),
  /**
   * Marks an account as a child's account. For a marked account, changes its guardians (one or two, by their
   * handles) or the day on which the mark ends.
   */
  markChild: defineEndpoint(
    'PUT /api/admin/users/:id/child',
    'admin',
    v.object({
      ...idInputSchema.entries,
      guardians: createLimitedArraySchema(createRequiredTextSchema(255), MAX_GUARDIANS_PER_CHILD, 1),
      ends_on: isoDateSchema,
    }),
    managedAccountSchema,
    { needsConfirmation: true },
  ),
  endChild: defineEndpoint(
    'DELETE /api/admin/users/:id/child',
    'admin',
    idInputSchema,
    managedAccountSchema,
    {
      needsConfirmation: true,
    },
  ),
  facts: defineEndpoint('GET /api/admin/facts', 'admin', noInputSchema, adminStatisticsSchema),
  settings: defineEndpoint(
    'GET /api/admin/settings',
    'admin',
    noInputSchema,
    adminCommunitySettingsResponseSchema,
  ),
  /** Saves settings of the community. Settings that are absent from the input do not change. */
  saveSettings: defineEndpoint(
    'PATCH /api/admin/settings',
    'admin',
    v.partial(communitySettingValuesSchema),
    adminCommunitySettingsResponseSchema,
    { needsConfirmation: true },
  ),
}
