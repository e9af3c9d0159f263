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
   * Mutes a person: the member's lists of posts of several authors, of replies and of notifications, the
   * unread counts and the push messages leave out what the person does, and groups show a note in place of
   * the person's messages. Nobody else notices the mute. A repeated request changes nothing.
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
