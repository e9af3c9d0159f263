import QuickLRU from 'quick-lru'
import type { AppContext } from '#core/context.ts'
import { type PagedResponse, SerializedJson } from '#core/http/pagination.ts'
import type { Post } from './contract.ts'
import type { CachedPostJson, PostJsonCache } from './post-json.ts'
import { createViewerLikeAndBookmarkReadFunctions, type PostIdsForViewer } from './viewer-marks.ts'
import { listPostVisibilityCacheDependencies } from './visible-posts.ts'

type PostPage = PagedResponse<SerializedJson<Post[]>>

/**
 * One post of a page of a post list: the cached JSON of the post, and whether the viewer likes it and has
 * bookmarked it.
 */
interface PageEntry {
  post: CachedPostJson
  isLiked: boolean
  isBookmarked: boolean
}

export function joinPostsAndViewerMarksToJsonArray(entries: readonly PageEntry[]) {
  let list = ''
  for (const { post, isLiked, isBookmarked } of entries)
    list += `${list && ','}${post.json},"liked_by_me":${isLiked},"bookmarked_by_me":${isBookmarked}}`
  return new SerializedJson<Post[]>(Buffer.from(`[${list}]`))
}

/** The maximum number of pages of post lists that are cached. Each page has about 25 kB. */
const MAX_CACHED_PAGES = 200

/**
 * Creates the function that returns the first page of a post list. The page is joined from parts that are
 * cached for different times:
 * - the page itself, until anything changes on which post lists depend;
 * - the ids of the posts on the page, which likes, edits and replies do not change (see post-ids.ts);
 * - the JSON of each revision of a post, which all viewers share (see post-json.ts);
 * - which of the posts the viewer likes and has bookmarked (see viewer-marks.ts).
 * So after a like, all viewers share the query for the changed post, and the pages are only joined again.
 */
export function createCachedFirstPostPageReader(context: AppContext, postJson: PostJsonCache) {
  const { queryCaches } = context
  const pages = queryCaches<PostPage>(
    [...listPostVisibilityCacheDependencies(context), 'update posts', 'bookmarks'],
    MAX_CACHED_PAGES,
  )
  const { readLikes, readBookmarks } = createViewerLikeAndBookmarkReadFunctions(context)
  /** The last page that was returned for each key, with the ids and entries from which it was joined. */
  const last = new QuickLRU<
    string,
    { list: PostIdsForViewer; entries: readonly PageEntry[]; page: PostPage }
  >({
    maxSize: MAX_CACHED_PAGES / 2,
  })

  async function loadContent(list: PostIdsForViewer) {
    const [posts, bookmarks] = await Promise.all([postJson.loadWithoutCheck(list.ids), readBookmarks(list)])
    return { posts, bookmarks, likes: await readLikes(list.viewer, posts) }
  }
  type Content = Awaited<ReturnType<typeof loadContent>>

  /**
   * Loads the content of posts before it reads which posts the viewer may see, so that the viewer gets no
   * post that was hidden or deleted meanwhile. Loads the posts of the last page for this key; without a last
   * page, reads the ids first. If the list contains other posts now, loads them and reads the ids again.
   */
  async function readIdsAndContent(key: string, readIds: () => Promise<PostIdsForViewer>) {
    const guess = last.get(key)?.list ?? (await readIds())
    const content = await loadContent(guess)
    const list = await readIds()
    if (list.ids.every((id) => content.posts.has(id))) return { list, content }
    return { content: await loadContent(list), list: await readIds() }
  }

  const toEntries = ({ ids }: PostIdsForViewer, { posts, likes, bookmarks }: Content) =>
    ids.flatMap((id): PageEntry | [] => {
      const post = posts.get(id)
      return post ? { post, isLiked: likes.has(id), isBookmarked: bookmarks.has(id) } : []
    })

  return (key: string, limit: number, readIds: () => Promise<PostIdsForViewer>) =>
    pages(key, async () => {
      const { list, content } = await readIdsAndContent(key, readIds)
      const entries = toEntries({ ...list, ids: list.ids.slice(0, limit) }, content)
      const next = list.ids.length > limit ? { before: list.ids[limit - 1]! } : null
      const known = last.get(key)
      const isSame =
        known?.page.next?.before === next?.before && areEqualEntries(known?.entries ?? [], entries)
      const page = (isSame && known?.page) || { body: joinPostsAndViewerMarksToJsonArray(entries), next }
      last.set(key, { list, entries, page })
      return page
    })
}

const areEqualEntries = (some: readonly PageEntry[], others: readonly PageEntry[]) =>
  some.length === others.length &&
  some.every(({ post, isLiked, isBookmarked }, index) => {
    const other = others[index]!
    return post === other.post && isLiked === other.isLiked && isBookmarked === other.isBookmarked
  })
