import * as v from 'valibot'
import { defineEndpoint, idInputSchema } from '#core/contract.ts'

/** The endpoint with which moderators and admins say that they know a new member. */
export const markMemberAsKnownToModeratorEndpoints = {
  /**
   * Stores that the current admin or moderator knows a member, so that the limits for new members end for
   * that member. A repeated request changes nothing.
   */
  know: defineEndpoint(
    'PUT /api/users/:id/known',
    'moderator',
    idInputSchema,
    v.object({ status: v.literal('known') }),
    { errorStatuses: [404], needsConfirmation: true },
  ),
}
