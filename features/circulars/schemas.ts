import * as v from 'valibot'
import { endpoint, pageFields } from '#core/schemas.ts'
import { POST_PAGE_SIZE } from '#features/posts/contract.ts'
import { postSchema } from '#features/posts/schemas.ts'

export const circularSchemas = {
  /** Posts with files that the viewer may see, newest first. */
  posts: endpoint('reader', v.object(pageFields(POST_PAGE_SIZE, 100)), v.array(postSchema), {
    paginated: true,
  }),
}
