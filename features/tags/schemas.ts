import * as v from 'valibot'
import { endpoint, pageFields, requiredText } from '#core/schemas.ts'
import { MAX_TAG_LENGTH } from '#features/people/text-parts-contract.ts'
import { POST_PAGE_SIZE } from '#features/posts/contract.ts'
import { postSchema } from '#features/posts/schemas.ts'

export const tagSchemas = {
  /**
   * Posts that the viewer may see, newest first. Compares folded forms: `Ｇarden` lists posts with `#garden`.
   * Empty if the parameter is not a valid tag.
   */
  posts: endpoint(
    'reader',
    v.object({
      tag: requiredText(MAX_TAG_LENGTH + 1),
      ...pageFields(POST_PAGE_SIZE, 100),
    }),
    v.array(postSchema),
    { paginated: true },
  ),
}
