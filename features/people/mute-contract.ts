import * as v from 'valibot'
import {
  createPaginationParameterFields,
  defineEndpoint,
  idInputSchema,
  isoTimestampSchema,
} from '#core/contract.ts'
import { personSchema } from './contract.ts'

/** The schema of a person whom the current member has muted, with the time of the mute. */
export const mutedPersonSchema = v.object({ ...personSchema.entries, muted_at: isoTimestampSchema })
export type MutedPerson = v.InferOutput<typeof mutedPersonSchema>

/** The maximum number of people whom one member can mute. */
export const MAX_MUTED_PEOPLE = 1000

/** The endpoints of mutes. They are separate from `peopleEndpoints`, because only some pages load them. */
export const muteEndpoints = {
  list: defineEndpoint(
    'GET /api/account/mutes',
    'member',
    v.object(createPaginationParameterFields(100, 500)),
    v.array(mutedPersonSchema),
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
