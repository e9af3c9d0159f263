import * as v from 'valibot'
import { createPageParameterFields, defineEndpoint, idInputSchema, timestampSchema } from '#core/contract.ts'
import { Person } from './contract.ts'

/** A person whom the member has muted, and when. */
export const MutedPerson = v.object({ ...Person.entries, muted_at: timestampSchema })
export type MutedPerson = v.InferOutput<typeof MutedPerson>

/** The maximum number of people whom one member can mute. */
export const MAX_MUTES = 1000

/** The endpoints of mutes. They are separate from `peopleEndpoints`: only some pages load them. */
export const muteEndpoints = {
  list: defineEndpoint(
    'GET /api/account/mutes',
    'member',
    v.object(createPageParameterFields(100, 500)),
    v.array(MutedPerson),
    { paginated: true },
  ),
  /**
   * Mutes a person: the member's lists of posts and unread counts leave out what the person writes. Nobody
   * else notices it. A repeated request changes nothing.
   */
  mute: defineEndpoint(
    'POST /api/users/:id/mute',
    'member',
    idInputSchema,
    v.object({ status: v.literal('muted') }),
    { errorStatuses: [404], limits: [{ max: 60, by: 'account' }] },
  ),
  /** Ends the mute of a person. Does nothing if the person is not muted or does not exist. */
  unmute: defineEndpoint(
    'DELETE /api/users/:id/mute',
    'member',
    idInputSchema,
    v.object({ status: v.literal('unmuted') }),
    { limits: [{ max: 60, by: 'account' }] },
  ),
}
