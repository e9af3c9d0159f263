import * as v from 'valibot'
import { communitySettingValuesSchema } from '#core/community-settings-contract.ts'
import {
  createNameSchema,
  createOptionalTextSchema,
  defineEndpoint,
  emailSchema,
  isoTimestampSchema,
} from '#core/contract.ts'
import { createPasswordSchema, isPasswordRepeated } from '#core/password-contract.ts'
import { publicJoinSettingsEndpoint } from './join-state-contract.ts'

/**
 * The schema of the answers of the first admin to the questions of the set-up page. They are sent only with a
 * set-up code.
 */
const SetupCommunitySettings = v.pick(communitySettingValuesSchema, [
  'community_name',
  'who_can_join',
  'who_can_read',
  'show_samples',
  'default_language',
  'time_zone',
  'new_member_days',
])
export type SetupCommunitySettings = v.InferOutput<typeof SetupCommunitySettings>

const Registration = v.pipe(
  v.object({
    name: createNameSchema(255),
    email: emailSchema,
    password: createPasswordSchema(8),
    password_confirmation: v.optional(v.pipe(v.string('string'), v.maxLength(2000, 'confirmed')), ''),
    setup_code: createOptionalTextSchema(255),
    /** The code of the invitation with which the person registers; null without an invitation. */
    invitation: createOptionalTextSchema(100),
    ...v.partial(SetupCommunitySettings).entries,
  }),
  v.forward(v.partialCheck([['password'], ['password_confirmation']], isPasswordRepeated, 'confirmed'), [
    'password',
  ]),
)

export const registrationEndpoints = {
  state: publicJoinSettingsEndpoint,
  register: defineEndpoint(
    'POST /api/register',
    'anyone',
    Registration,
    v.object({
      message: v.string(),
      user: v.object({ id: v.number(), name: v.string(), email: v.string(), created_at: isoTimestampSchema }),
    }),
    { limits: [{ max: 60, by: 'address' }], errorStatuses: [403] },
  ),
}

/** The endpoints that the set-up page of the first admin calls. */
export const setupEndpoints = {
  /**
   * Returns `open` if the set-up code is valid, `wrong_code` if it is not, and `done` if the community
   * already has an admin.
   */
  state: defineEndpoint(
    'GET /api/setup',
    'anyone',
    v.object({ code: createOptionalTextSchema(255) }),
    v.object({ state: v.picklist(['open', 'wrong_code', 'done']) }),
    { limits: [{ max: 60, by: 'address' }] },
  ),
}
