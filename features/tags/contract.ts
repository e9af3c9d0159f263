import { endpoints, fillPath } from '#core/contract.ts'
import type { tagSchemas } from './schemas.ts'

export const tagEndpoints = endpoints<typeof tagSchemas>({
  posts: 'GET /api/tags/:tag/posts',
})

/** `tag` is in its stored form. */
export const tagPostsPath = (tag: string) => fillPath(tagEndpoints.posts.path, { tag })
