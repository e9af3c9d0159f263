import * as v from 'valibot'
import {
  createPaginationParameterFields,
  defineEndpoint,
  idInputSchema,
  noInputSchema,
} from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/**
 * The choice of a member whether to show others what they have read. A member who does not show it cannot
 * see what others have read either.
 */
const ReadMarkSharing = v.object({ is_shared: v.boolean('invalid') })
export type ReadMarkSharing = v.InferOutput<typeof ReadMarkSharing>

const ReadersInput = v.object({ ...idInputSchema.entries, ...createPaginationParameterFields(100, 500) })
const readersOptions = { paginated: true, errorStatuses: [403, 404] } as const

/**
 * The endpoints that list the readers of a message, and the endpoints for the member's own choice to show
 * others what they have read.
 */
export const readMarkEndpoints = {
  /**
   * `seenBy` lists the members who have read up to a message, `notSeenBy` the members who have not. Both
   * leave out the viewer, the author, and members who do not show others what they have read. Both throw 403
   * if the viewer does not show others what they have read.
   */
  seenBy: defineEndpoint(
    'GET /api/chat-messages/:id/seen-by',
    'member',
    ReadersInput,
    v.array(personSchema),
    readersOptions,
  ),
  notSeenBy: defineEndpoint(
    'GET /api/chat-messages/:id/not-seen-by',
    'member',
    ReadersInput,
    v.array(personSchema),
    readersOptions,
  ),
  sharing: defineEndpoint('GET /api/account/read-marks', 'member', noInputSchema, ReadMarkSharing),
  setSharing: defineEndpoint('PUT /api/account/read-marks', 'member', ReadMarkSharing, ReadMarkSharing, {
    limits: [{ max: 20, by: 'account' }],
  }),
}
