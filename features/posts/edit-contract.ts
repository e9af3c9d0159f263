import * as v from 'valibot'
import {
  createOptionalTextSchema,
  createPaginationParameterFields,
  defineEndpoint,
  idInputSchema,
  isoTimestampSchema,
} from '#core/contract.ts'
import { MAX_POST_LENGTH, postSchema } from './contract.ts'

/**
 * The maximum number of times that an author can edit one post. It is limited, because each edit stores a
 * version of the post.
 */
export const MAX_POST_EDITS = 100

/** The schema of an earlier version of an edited post. */
export const postVersionSchema = v.object({
  id: v.number(),
  body: v.nullable(v.string()),
  /** The time at which the author wrote this version of the post. */
  created_at: isoTimestampSchema,
})
export type PostVersion = v.InferOutput<typeof postVersionSchema>

export const postEditEndpoints = {
  /** Changes the text of the member's own post. */
  edit: defineEndpoint(
    'PUT /api/posts/:id',
    'member',
    v.object({ ...idInputSchema.entries, text: createOptionalTextSchema(MAX_POST_LENGTH) }),
    v.object({ message: v.string(), post: postSchema }),
    { limits: [{ max: 120, by: 'account' }], errorStatuses: [403, 404] },
  ),
  /** Lists the earlier versions of an edited post, newest first, without the current version. */
  versions: defineEndpoint(
    'GET /api/posts/:id/versions',
    'reader',
    v.object({ ...idInputSchema.entries, ...createPaginationParameterFields(20, 100) }),
    v.array(postVersionSchema),
    { paginated: true, errorStatuses: [404] },
  ),
}
