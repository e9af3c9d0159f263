import * as v from 'valibot'
import { CommunitySettingValues, defineEndpoint, noInputSchema } from '#core/contract.ts'

const JoinState = v.object({
  /** The people who may create an account at the moment. */
  who_can_join: CommunitySettingValues.entries.who_can_join,
})
export type JoinState = v.InferOutput<typeof JoinState>

/**
 * Tells the registration page which form it shows. It has a file of its own, because pages.ts names it, which
 * all pages load.
 */
export const joinStateEndpoint = defineEndpoint('GET /api/registration', 'anyone', noInputSchema, JoinState)
