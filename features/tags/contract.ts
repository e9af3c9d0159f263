import * as v from 'valibot'
import {
  createPaginationParameterFields,
  createRequiredTextSchema,
  defineEndpoint,
  fillPathParameters,
} from '#core/contract.ts'
import { MAX_TAG_LENGTH } from '#features/people/text-parts-contract.ts'
import { DEFAULT_POST_PAGE_SIZE, postSchema } from '#features/posts/contract.ts'

export const tagEndpoints = {
  /**
   * Lists the posts with a tag that the viewer may see, newest first. The tag may be written in any way that
   * has the same folded form: `Ｇarden` lists the posts with `#garden`. The response is an empty list if the
   * parameter is not a valid tag.
   */
  posts: defineEndpoint(
    'GET /api/tags/:tag/posts',
    'reader',
    v.object({
      tag: createRequiredTextSchema(MAX_TAG_LENGTH + 1),
      ...createPaginationParameterFields(DEFAULT_POST_PAGE_SIZE, 100),
    }),
    v.array(postSchema),
    { paginated: true },
  ),
}

/** Returns the API path of the list of posts with a tag. `tag` is the stored form of the tag. */
export const toTagPostsApiPath = (tag: string) => fillPathParameters(tagEndpoints.posts.path, { tag })
