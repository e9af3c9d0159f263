import { sql } from 'kysely'
import QuickLRU from 'quick-lru'
import type { AppContext } from '#core/context.ts'
import { batchRowMapReadsPerEventLoopTurn } from '#core/database/cache.ts'
import { buildIdInListCondition, type Db } from '#core/database/database.ts'

/**
 * The ids of the posts on one page, and the id of the viewer who requests the page. `viewer` is 0 for
 * visitors.
 */
export interface PostIdsForViewer {
  viewer: number
  ids: readonly number[]
}

/**
 * `halfOfViewers` is half of the maximum number of viewers whose likes are cached, `postsOfViewer` the
 * maximum number of posts for each of them, and `lists` the maximum number of lists whose bookmarks are
 * cached.
 */
const MAX_CACHED = { halfOfViewers: 500, postsOfViewer: 300, lists: 2000 }

/**
 * Creates the functions that return which posts of a page the viewer likes and has bookmarked. Both functions
 * cache their results, and calls in the same turn of the event loop share one query for what is not cached.
 */
export const createViewerLikeAndBookmarkReadFunctions = ({
  db,
  queryCaches,
}: Pick<AppContext, 'db' | 'queryCaches'>) => ({
  readLikes: createLikesReader(db),
  readBookmarks: createBookmarksReader(db, queryCaches),
})

interface PostOfViewer {
  viewer: number
  post: number
}

/**
 * Creates the function that returns the ids of those of the given posts that a viewer likes. Each statement
 * that adds or removes likes also raises the revision of the post, in the same transaction. So whether a
 * viewer likes a post is cached for one revision of the post, and a like of another member invalidates only
 * the entries of this post.
 */
function createLikesReader(db: Db) {
  /**
   * The cached likes, by the id of the viewer and then by the id of the post. The value is the revision of
   * the post plus one, and negative if the viewer likes the post.
   */
  const cache = new QuickLRU<number, Map<number, number>>({ maxSize: MAX_CACHED.halfOfViewers })

  function remember(viewer: number, post: number, revision: number, isLiked: boolean) {
    let posts = cache.get(viewer)
    if (!posts || posts.size >= MAX_CACHED.postsOfViewer) cache.set(viewer, (posts = new Map()))
    posts.set(post, isLiked ? -revision - 1 : revision + 1)
  }

  const readMissing = batchRowMapReadsPerEventLoopTurn<PostOfViewer, boolean>(async (pairs) => {
    const viewers = [...new Set(pairs.map(({ viewer }) => viewer))]
    const posts = [...new Set(pairs.map(({ post }) => post))]
    const { rows } = await sql<{ id: number; revision: number; liked_by: number | null }>`
      select p.id, p.revision, l.user_id as liked_by from posts p
        left join likes l on l.post_id = p.id and ${buildIdInListCondition(db, 'l.user_id', viewers)}
      where ${buildIdInListCondition(db, 'p.id', posts)}`.execute(db)
    const rowsByPost = Map.groupBy(rows, ({ id }) => id)
    const likersByPost = new Map(
      [...rowsByPost].map(([post, found]) => [post, new Set(found.map(({ liked_by }) => liked_by))]),
    )
    const likes = new Map<PostOfViewer, boolean>()
    for (const pair of pairs) {
      const { viewer, post } = pair
      const isLiked = likersByPost.get(post)?.has(viewer) ?? false
      likes.set(pair, isLiked)
      const [first] = rowsByPost.get(post) ?? []
      if (first) remember(viewer, post, first.revision, isLiked)
    }
    return likes
  })

  return async (viewer: number, posts: ReadonlyMap<number, { revision: number }>) => {
    const liked = new Set<number>()
    if (!viewer) return liked
    const known = cache.get(viewer)
    const missing: PostOfViewer[] = []
    for (const [post, { revision }] of posts) {
      const mark = known?.get(post)
      if (mark === -revision - 1) liked.add(post)
      else if (mark !== revision + 1) missing.push({ viewer, post })
    }
    if (!missing.length) return liked
    const found = await readMissing(missing)
    for (const pair of missing) if (found.get(pair)) liked.add(pair.post)
    return liked
  }
}

/** Creates the function that returns the ids of those posts of a list that its viewer has bookmarked. */
function createBookmarksReader(db: Db, queryCaches: AppContext['queryCaches']) {
  const readSets = queryCaches.ofRows<PostIdsForViewer, ReadonlySet<number>>(
    ['bookmarks'],
    MAX_CACHED.lists,
    async (lists) => {
      const viewers = [...new Set(lists.map(({ viewer }) => viewer))]
      const posts = [...new Set(lists.flatMap(({ ids }) => ids))]
      const { rows } = await sql<{ viewer: number; post: number }>`
        select user_id as viewer, post_id as post from bookmarks
        where ${buildIdInListCondition(db, 'user_id', viewers)}
          and ${buildIdInListCondition(db, 'post_id', posts)}`.execute(db)
      const rowsByViewer = Map.groupBy(rows, ({ viewer }) => viewer)
      return new Map(
        lists.map((list) => [list, new Set((rowsByViewer.get(list.viewer) ?? []).map(({ post }) => post))]),
      )
    },
  )
  const none: ReadonlySet<number> = new Set()
  return async (list: PostIdsForViewer) => (list.viewer ? (await readSets([list])).get(list)! : none)
}
