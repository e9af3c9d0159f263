import * as v from 'valibot'
import { defineEndpoint, idInputSchema } from '#core/contract.ts'

/** The endpoint with which moderators and admins say that they know a new member. */
export const newMemberLimitEndpoints = {
  /** Stores that the caller knows a member, whose limits as a new member end. A repeat changes nothing. */
  know: defineEndpoint(
    'PUT /api/users/:id/known',
    'moderator',
    idInputSchema,
    v.object({ status: v.literal('known') }),
    { errorStatuses: [404], needsConfirmation: true },
  ),
}
