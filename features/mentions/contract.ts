import * as v from 'valibot'
import { createOptionalTextSchema, defineEndpoint, idSchema } from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/** The maximum number of people whom the list of candidates shows. */
export const MAX_MENTION_CANDIDATES = 8
/** The maximum number of characters of a search for people to mention. */
const MAX_CANDIDATE_QUERY_LENGTH = 50

/** A person whom the member may mention. */
export const mentionCandidateSchema = v.object({ ...personSchema.entries, handle: v.string() })
export type MentionCandidate = v.InferOutput<typeof mentionCandidateSchema>

export const mentionEndpoints = {
  /**
   * Lists people whom the member may mention: those whose name contains `q`, or whose handle begins with it,
   * best first, at most `MAX_MENTION_CANDIDATES`. With `group`, only the members of this group, in which
   * the member must be. With `person`, only this person, for a private chat with them. The member is never
   * in the list.
   */
  candidates: defineEndpoint(
    'GET /api/mention-candidates',
    'member',
    v.object({
      q: createOptionalTextSchema(MAX_CANDIDATE_QUERY_LENGTH),
      group: v.optional(idSchema),
      person: v.optional(idSchema),
    }),
    v.array(mentionCandidateSchema),
    { errorStatuses: [403], limits: [{ max: 300, by: 'account' }] },
  ),
}
