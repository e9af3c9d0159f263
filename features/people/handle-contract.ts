import * as v from 'valibot'
import { createOptionalTextSchema, defineEndpoint } from '#core/contract.ts'
import { MAX_HANDLE_LENGTH } from './text-parts-contract.ts'

/** The maximum number of handles in one request for the ids of members. */
export const MAX_HANDLES_PER_LOOKUP = 100

/**
 * The endpoints that find members by their handles. They are separate from `peopleEndpoints`, because only
 * some pages need their code.
 */
export const handleLookupEndpoints = {
  /**
   * Returns the ids of the people with these handles, which are separated by commas. Leaves out the handles
   * that no member has, and the handles of members whom the caller may not see.
   */
  find: defineEndpoint(
    'GET /api/handles',
    'member',
    v.object({ handles: createOptionalTextSchema(MAX_HANDLES_PER_LOOKUP * (MAX_HANDLE_LENGTH + 1)) }),
    v.array(v.object({ handle: v.string(), id: v.number() })),
    { limits: [{ max: 240, by: 'account' }] },
  ),
}
