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
   * at most `MAX_MENTION_CANDIDATES`. People whose name or handle begins with `q` come first; among these,
   * the people who take part come before the others, and the people whom the member follows before the
   * rest. With `group`, only the members of this group, in which the member must be; those who wrote last
   * take part. With `post`, the author of this post and the authors of the newest replies take part. With
   * `person`, only this person, for a private chat with them. The member is never in the list.
   */
  candidates: defineEndpoint(
    'GET /api/mention-candidates',
    'member',
    v.object({
      q: createOptionalTextSchema(MAX_CANDIDATE_QUERY_LENGTH),
      group: v.optional(idSchema),
      person: v.optional(idSchema),
      post: v.optional(idSchema),
    }),
    v.array(mentionCandidateSchema),
    { errorStatuses: [403, 404], limits: [{ max: 300, by: 'account' }] },
  ),
}
