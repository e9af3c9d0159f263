import * as v from 'valibot'
import {
  CommunitySettingValues,
  createOptionalTextSchema,
  createPageParameterFields,
  defineEndpoint,
  idInputSchema,
  noInputSchema,
  timestampSchema,
} from '#core/contract.ts'
import { AccountDeletion, MessageChoice } from '#features/account/deletion-contract.ts'
import { Me } from '#features/people/contract.ts'

const { bio: _, needs_second_step: _ownState, ...known } = Me.entries
export const ManagedAccount = v.object({
  ...known,
  suspended_at: v.nullable(timestampSchema),
  /** Whether the log-in asks for a second step. */
  has_second_step: v.boolean(),
  deletion: v.nullable(AccountDeletion),
})
export type ManagedAccount = v.InferOutput<typeof ManagedAccount>

export const BackupStatus = v.object({
  /** Whether backups are made every night (BACKUP_AT is set). */
  nightly: v.boolean(),
  /** The newest backup that was made and checked successfully. */
  good: v.nullable(v.object({ made_at: timestampSchema, bytes: v.number() })),
  /** The last failed attempt after it, with the error message of the system. */
  failed: v.nullable(v.object({ at: timestampSchema, reason: v.string() })),
})
export type BackupStatus = v.InferOutput<typeof BackupStatus>

/** Fields with `this_week` count the last seven days, fields with `today` the last 24 hours. */
export const AdminStatistics = v.object({
  members: v.number(),
  members_this_week: v.number(),
  groups: v.number(),
  posts_today: v.number(),
  /** The number of people who wrote a post or a message. Fields of features that do not run are 0. */
  wrote_today: v.number(),
  backup: BackupStatus,
})
export type AdminStatistics = v.InferOutput<typeof AdminStatistics>

export const SettingsState = v.object({
  settings: CommunitySettingValues,
  /**
   * Names of the settings that an environment variable decides. Saving them has no effect as long as it is
   * set.
   */
  fixed: v.array(v.keyof(CommunitySettingValues)),
})
export type SettingsState = v.InferOutput<typeof SettingsState>

export const adminEndpoints = {
  users: defineEndpoint(
    'GET /api/admin/users',
    'admin',
    v.object({ q: createOptionalTextSchema(255), ...createPageParameterFields(1000, 5000) }),
    v.object({ userData: v.array(ManagedAccount) }),
    { paginated: true },
  ),
  verificationLink: defineEndpoint(
    'GET /api/admin/users/:id/verification-link',
    'admin',
    idInputSchema,
    v.object({ link: v.string() }),
    {
      errorStatuses: [404, 423],
    },
  ),
  grant: defineEndpoint('PUT /api/admin/users/:id/admin', 'admin', idInputSchema, ManagedAccount, {
    errorStatuses: [404, 423],
  }),
  revoke: defineEndpoint('DELETE /api/admin/users/:id/admin', 'admin', idInputSchema, ManagedAccount, {
    errorStatuses: [404, 423],
  }),
  suspend: defineEndpoint('PUT /api/admin/users/:id/suspension', 'admin', idInputSchema, ManagedAccount, {
    errorStatuses: [404, 423],
  }),
  unsuspend: defineEndpoint(
    'DELETE /api/admin/users/:id/suspension',
    'admin',
    idInputSchema,
    ManagedAccount,
    {
      errorStatuses: [404, 423],
    },
  ),
  /** Removes the second step of a member who has lost the authenticator app and the recovery codes. */
  removeSecondStep: defineEndpoint(
    'DELETE /api/admin/users/:id/second-step',
    'admin',
    idInputSchema,
    ManagedAccount,
    { errorStatuses: [404, 423] },
  ),
  /**
   * Creates a code with which a member sets a new password. The admin gives it to the member. Only this
   * response contains it.
   */
  resetCode: defineEndpoint(
    'POST /api/admin/users/:id/reset-code',
    'admin',
    idInputSchema,
    v.object({ code: v.string() }),
    { limits: [{ max: 30, by: 'account' }], errorStatuses: [404, 423] },
  ),
  /** Suspends the account, and requests its deletion, which takes place after a week. */
  remove: defineEndpoint(
    'DELETE /api/admin/users/:id',
    'admin',
    v.object({ ...idInputSchema.entries, messages: MessageChoice }),
    ManagedAccount,
    { errorStatuses: [404, 423] },
  ),
  /** Takes the request of an admin back, and lifts the suspension. */
  keep: defineEndpoint('POST /api/admin/users/:id/keep', 'admin', idInputSchema, ManagedAccount, {
    errorStatuses: [404, 423],
  }),
  facts: defineEndpoint('GET /api/admin/facts', 'admin', noInputSchema, AdminStatistics),
  settings: defineEndpoint('GET /api/admin/settings', 'admin', noInputSchema, SettingsState),
  /** Settings that are left out stay as they are. */
  saveSettings: defineEndpoint(
    'PATCH /api/admin/settings',
    'admin',
    v.partial(CommunitySettingValues),
    SettingsState,
    { errorStatuses: [423] },
  ),
}
