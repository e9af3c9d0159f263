import * as v from 'valibot'
import { createPageParameterFields, defineEndpoint, idInputSchema, timestampSchema } from '#core/contract.ts'
import { Person } from './contract.ts'

/** A person whom the member has blocked, and when. */
export const BlockedPerson = v.object({ ...Person.entries, blocked_at: timestampSchema })
export type BlockedPerson = v.InferOutput<typeof BlockedPerson>

/** The maximum number of people whom one member can block. */
export const MAX_BLOCKS = 1000

/** The endpoints of blocks. They are separate from `peopleEndpoints`: only some pages load them. */
export const blockEndpoints = {
  list: defineEndpoint(
    'GET /api/account/blocks',
    'member',
    v.object(createPageParameterFields(100, 500)),
    v.array(BlockedPerson),
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
