import { sql } from 'kysely'
import QuickLRU from 'quick-lru'
import type { AppContext } from '#core/context.ts'
import { batchRowMapReadsPerEventLoopTurn } from '#core/database/cache.ts'
import { buildIdInListCondition } from '#core/database/database.ts'
import { buildUnfilteredPersonRowsQuery } from '#features/people/read.ts'
import type { ViewerContext } from '#features/people/visibility.ts'
import { readViewerIndependentPostsWithoutCheck, type ViewerIndependentPostAndRevisions } from './read.ts'

/** The id of a post, its revision, and the revision of its author. */
export interface PostIdWithPostAndAuthorRevisions {
  id: number
  revision: number
  author_revision: number
}

/** The cached JSON of a post. It is valid only for these revisions of the post and of its author. */
export interface CachedPostJson {
  revision: number
  author_revision: number
  /**
   * The JSON of the post without the closing brace, because `liked_by_me` and `bookmarked_by_me` are appended
   * for each viewer.
   */
  json: string
}

/**
 * The maximum number of posts whose JSON is cached (`json`), and of posts whose revisions are cached
 * (`revisions`).
 */
const MAX_CACHED = { json: 5000, revisions: 20_000 }

/**
 * Creates the cache with the JSON of posts, which all viewers share. An entry is valid for one revision of
 * the post and of its author, so a changed post never gets old JSON.
 */
export function createPostJsonCache(context: Omit<ViewerContext, 'me'> & Pick<AppContext, 'queryCaches'>) {
  const { db } = context
  const cache = new QuickLRU<number, CachedPostJson>({ maxSize: MAX_CACHED.json })

  /**
   * Returns the JSON of the given posts as a Map by the id of the post. Calls `read` for the posts that are
   * not cached.
   */
  async function load(
    posts: readonly PostIdWithPostAndAuthorRevisions[],
    read: (ids: readonly number[]) => Promise<readonly ViewerIndependentPostAndRevisions[]>,
  ) {
    const found = new Map<number, CachedPostJson>()
    const missing: number[] = []
    for (const { id, revision, author_revision } of posts) {
      const known = cache.get(id)
      if (known?.revision === revision && known.author_revision === author_revision) found.set(id, known)
      else missing.push(id)
    }
    if (!missing.length) return found
    for (const { post, revision, authorRevision } of await read(missing)) {
      const entry = { revision, author_revision: authorRevision, json: JSON.stringify(post).slice(0, -1) }
      found.set(post.id, entry)
      cache.set(post.id, entry)
    }
    return found
  }

  const readMissing = batchRowMapReadsPerEventLoopTurn<number, ViewerIndependentPostAndRevisions>(
    async (ids) => {
      const posts = await readViewerIndependentPostsWithoutCheck(context, ids)
      return new Map(posts.map((post) => [post.post.id, post]))
    },
  )

  // The dependencies lack `insert into posts`, because a new post does not change the revisions of other
  // posts.
  const readRevisions = context.queryCaches.ofRows<number, PostIdWithPostAndAuthorRevisions>(
    ['update posts', 'delete from posts', 'users'],
    MAX_CACHED.revisions,
    async (ids) => {
      const authors = buildUnfilteredPersonRowsQuery({ ...context, me: null }).select('revision')
      const { rows } = await sql<PostIdWithPostAndAuthorRevisions>`
        select p.id, p.revision, u.revision as author_revision
        from posts p join ${authors} u on u.id = p.user_id
        where ${buildIdInListCondition(db, 'p.id', ids)}`.execute(db)
      return new Map(rows.map((row) => [row.id, row]))
    },
  )

  return {
    load,
    /**
     * Returns the JSON of the posts with these ids that exist, as a Map by the id of the post. Does not check
     * whether a viewer may see the posts: the caller checks this after the call. After a change of a post,
     * all readers of one turn of the event loop share the query for the revisions.
     */
    async loadWithoutCheck(ids: readonly number[]) {
      const revisions = await readRevisions(ids)
      return load(
        ids.flatMap((id) => revisions.get(id) ?? []),
        async (missing) => {
          const posts = await readMissing(missing)
          return missing.flatMap((id) => posts.get(id) ?? [])
        },
      )
    },
  }
}
export type PostJsonCache = ReturnType<typeof createPostJsonCache>
