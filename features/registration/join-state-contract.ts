import * as v from 'valibot'
import { communitySettingValuesSchema } from '#core/community-settings-contract.ts'
import { defineEndpoint, noInputSchema } from '#core/contract.ts'

const PublicJoinSettings = v.object({
  /** The people who may create an account at the moment. */
  who_can_join: communitySettingValuesSchema.entries.who_can_join,
  /** The admins' question to people who ask to join; null for the standard question, or if nobody can ask. */
  join_question: v.nullable(v.string()),
})
export type PublicJoinSettings = v.InferOutput<typeof PublicJoinSettings>

/**
 * Tells the registration page which form it shows. The endpoint has a file of its own, because pages.ts
 * imports this file, and every page of the site loads pages.ts.
 */
export const publicJoinSettingsEndpoint = defineEndpoint(
  'GET /api/registration',
  'anyone',
  noInputSchema,
  PublicJoinSettings,
)
