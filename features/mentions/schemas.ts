import * as v from 'valibot'
import { endpoint, idSchema, optionalText } from '#core/schemas.ts'
import { personSchema } from '#features/people/schemas.ts'

const MAX_QUERY_LENGTH = 50

export const candidateSchema = v.object({
  ...personSchema.entries,
  handle: v.string(),
  reading: v.exactOptional(v.string()),
})
export type Candidate = v.InferOutput<typeof candidateSchema>

export const mentionSchemas = {
  /**
   * At most `MAX_CANDIDATES` people whose name contains `q`, or whose handle begins with it, never
   * the member. First come those whose name or handle begins with `q`; among them, and among the others, the
   * participants, then people whom the member follows. `group`: only members of this group, in which the
   * member must be; the authors of its newest messages participate. `post`: its author and those of its
   * newest replies participate. `person`: only this person, for a private chat.
   */
  candidates: endpoint(
    'member',
    v.object({
      q: optionalText(MAX_QUERY_LENGTH),
      group: v.optional(idSchema),
      person: v.optional(idSchema),
      post: v.optional(idSchema),
    }),
    v.array(candidateSchema),
    { errorStatuses: [403, 404], limits: [{ max: 300, by: 'account' }] },
  ),
}
