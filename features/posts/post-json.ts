import { LRUCache } from 'lru-cache'
import type { ViewerContext } from '#features/people/visibility.ts'
import * as read from './read.ts'

export interface Revisions {
  id: number
  revision: number
  author_revision: number
}

/** Valid only for these revisions of the post and of its author. */
interface CachedJson {
  revision: number
  author_revision: number
  /** Without the closing brace: `liked_by_me` and `bookmarked_by_me` are appended for each viewer. */
  json: string
}

const MAX_CACHED = 5000
/** In UTF-16 units. */
const MAX_CACHED_LENGTH = 20_000_000

/** All viewers share it. A changed post never gets old JSON. */
export function createJsonCache() {
  const cache = new LRUCache<number, CachedJson>({
    max: MAX_CACHED,
    maxSize: MAX_CACHED_LENGTH,
    sizeCalculation: ({ json }) => json.length,
  })

  /** By the id of the post, without posts that were deleted or hidden from the viewer meanwhile. */
  return async (viewer: ViewerContext, posts: readonly Revisions[]) => {
    const found = new Map<number, string>()
    const missing: number[] = []
    for (const { id, revision, author_revision } of posts) {
      const known = cache.get(id)
      if (known?.revision === revision && known.author_revision === author_revision) found.set(id, known.json)
      else missing.push(id)
    }
    for (const { post, revision, authorRevision } of await read.revisions(viewer, missing)) {
      const json = JSON.stringify(post).slice(0, -1)
      found.set(post.id, json)
      cache.set(post.id, { revision, author_revision: authorRevision, json })
    }
    return found
  }
}
