import * as v from 'valibot'
import {
  createPaginationParameterFields,
  defineEndpoint,
  idInputSchema,
  isoTimestampSchema,
} from '#core/contract.ts'
import { personSchema } from './contract.ts'

/** The schema of a person whom the current member has blocked, with the time of the block. */
export const blockedPersonSchema = v.object({ ...personSchema.entries, blocked_at: isoTimestampSchema })
export type BlockedPerson = v.InferOutput<typeof blockedPersonSchema>

/** The maximum number of people whom one member can block. */
export const MAX_BLOCKED_PEOPLE = 1000

/** The endpoints of blocks. They are separate from `peopleEndpoints`, because only some pages load them. */
export const blockEndpoints = {
  list: defineEndpoint(
    'GET /api/account/blocks',
    'member',
    v.object(createPaginationParameterFields(100, 500)),
    v.array(blockedPersonSchema),
    { paginated: true },
  ),
  /**
   * Blocks a person: hides the member and the person from each other, and deletes their follows of each
   * other and their likes of each other's posts and replies. Does nothing if the person is blocked already.
   */
  block: defineEndpoint(
    'POST /api/users/:id/block',
    'member',
    idInputSchema,
    v.object({ status: v.literal('blocked') }),
    { errorStatuses: [404], limits: [{ max: 60, by: 'account' }] },
  ),
  /** Ends the block of a person. Does nothing if the person is not blocked or does not exist. */
  unblock: defineEndpoint(
    'DELETE /api/users/:id/block',
    'member',
    idInputSchema,
    v.object({ status: v.literal('unblocked') }),
    { limits: [{ max: 60, by: 'account' }] },
  ),
}
