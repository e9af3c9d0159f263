import * as v from 'valibot'
import { defineEndpoint, noInputSchema } from '#core/contract.ts'

const ExamplesState = v.object({
  /** Whether the community has examples: invented people with their posts and their group. */
  exist: v.boolean(),
})

export const exampleContentEndpoints = {
  show: defineEndpoint('GET /api/admin/examples', 'admin', noInputSchema, ExamplesState),
  /**
   * Fills the community with example members, posts and a group. Answers 409 if there are examples already.
   */
  create: defineEndpoint('POST /api/admin/examples', 'admin', noInputSchema, ExamplesState, {
    status: 201,
    limits: [{ max: 10, by: 'account' }],
    needsConfirmation: true,
    errorStatuses: [409],
  }),
  /** Removes all example members, posts and groups. Does nothing if there are none. */
  remove: defineEndpoint('DELETE /api/admin/examples', 'admin', noInputSchema, ExamplesState, {
    needsConfirmation: true,
  }),
}
