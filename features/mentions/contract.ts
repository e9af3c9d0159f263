import * as v from 'valibot'
import { createOptionalTextSchema, defineEndpoint, idSchema } from '#core/contract.ts'
import { personSchema } from '#features/people/contract.ts'

/** The maximum number of people in one response of `GET /api/mention-candidates`. */
export const MAX_MENTION_CANDIDATES = 8
/** The maximum number of characters of the search text `q` for people to mention. */
const MAX_CANDIDATE_QUERY_LENGTH = 50

/** The schema of a person whom the member may mention. */
export const mentionCandidateSchema = v.object({ ...personSchema.entries, handle: v.string() })
export type MentionCandidate = v.InferOutput<typeof mentionCandidateSchema>

export const mentionEndpoints = {
  /**
   * Lists the people whom the member may mention: those whose name contains `q`, or whose handle begins with
   * it, at most `MAX_MENTION_CANDIDATES`. People whose name or handle begins with `q` come first. Among them,
   * and among the others, the participants come first, and then the people whom the member follows. With
   * `group`, the list has only members of this group, in which the member must be; its participants are the
   * authors of its newest messages. With `post`, the participants are the author of this post and the
   * authors of the newest replies to it. With `person`, the list has only this person, for a private chat
   * with them. The member is never in the list.
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
