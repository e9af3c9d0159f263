import * as v from 'valibot'
import { communitySettingValuesSchema } from '#core/community-settings-contract.ts'
import { defineEndpoint, noInputSchema } from '#core/contract.ts'

const PublicJoinSettings = v.object({
  /** The setting that says who may create an account at the moment. */
  who_can_join: communitySettingValuesSchema.entries.who_can_join,
  /**
   * The question that the admins ask people who want to join; null for the standard question, or if nobody
   * can send a request to join.
   */
  join_question: v.nullable(v.string()),
})
export type PublicJoinSettings = v.InferOutput<typeof PublicJoinSettings>

/**
 * The endpoint that tells the registration page which form to show. It has a file of its own, because
 * pages.ts imports this file, and every page of the site loads pages.ts.
 */
export const publicJoinSettingsEndpoint = defineEndpoint(
  'GET /api/registration',
  'anyone',
  noInputSchema,
  PublicJoinSettings,
)
