import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { type PagedResponse, type SerializedJson, toPagedResponse } from '#core/http/pagination.ts'
import {
  buildReachingMembersQuery,
  buildVisibleMembersQuery,
  type MemberViewerContext,
  type ViewerContext,
} from '#features/people/visibility.ts'
import { createCachedFirstPostPageReader, joinPostsAndViewerMarksToJsonArray } from './cached-pages.ts'
import { DEFAULT_POST_PAGE_SIZE, type Post } from './contract.ts'
import { buildCursorSqlStartingWithAnd } from './followed-posts.ts'
import { MAX_PINNED_POSTS } from './pin-contract.ts'
import { createCachedPostListIdReadFunctions } from './post-ids.ts'
import {
  createPostJsonCache,
  type PostIdWithPostAndAuthorRevisions,
  type PostJsonCache,
} from './post-json.ts'
import { readVisibleViewerIndependentPostsAndRevisions } from './read.ts'
import type { PostIdsForViewer } from './viewer-marks.ts'
import { buildPostAudienceAndNotHiddenCondition } from './visible-posts.ts'

type FeedPage = PagedResponse<SerializedJson<Post[]>>

/**
 * One row of the query for a list of posts: the id of the post, the revisions of the post and of its author,
 * and whether the viewer likes the post and has bookmarked it.
 */
interface FeedEntry extends PostIdWithPostAndAuthorRevisions {
  /** The id of the viewer if the viewer likes the post; otherwise null. */
  liked_by: number | null
  /** The id of the viewer's bookmark of the post; null if the viewer has not bookmarked the post. */
  bookmark: number | null
}

interface ListOptions {
  /**
   * The SQL expression by which the list is ordered, the highest value first. Default: the id of the post.
   */
  cursor?: RawBuilder<unknown>
  /** The SQL text of a join with a further table from which the list reads. */
  join?: RawBuilder<unknown>
  /**
   * Builds the query for the people whose posts are listed. Default: the people whom the viewer may see and
   * has not muted.
   */
  authorsQuery?: typeof buildVisibleMembersQuery
  /**
   * Returns the cursor that points to a row: the value of `cursor` in this row. Default: the id of the post.
   */
  cursorOf?: (entry: FeedEntry) => number
}

/**
 * Creates the function that reads one page of a post list as JSON text. One query reads the ids and
 * revisions of the posts, and what the viewer likes and has bookmarked. Only the JSON of the posts is cached.
 */
function createPostPageReader(postJson: PostJsonCache) {
  return async (
    viewer: ViewerContext,
    params: PaginationParameters,
    where: RawBuilder<unknown>,
    {
      cursor = sql`p.id`,
      join = sql``,
      authorsQuery = buildReachingMembersQuery,
      cursorOf = ({ id }) => id,
    }: ListOptions = {},
  ): Promise<FeedPage> => {
    const people = authorsQuery(viewer).select(['id', 'revision'])
    const { rows } =
      await sql<FeedEntry>`select p.id, p.revision, u.revision as author_revision, l.user_id as liked_by,
        b.id as bookmark
      from posts p join ${people} u on u.id = p.user_id ${join}
        left join likes l on l.post_id = p.id and l.user_id = ${viewer.me?.id ?? 0}
        left join bookmarks b on b.post_id = p.id and b.user_id = ${viewer.me?.id ?? 0}
      where ${where} and ${buildPostAudienceAndNotHiddenCondition(viewer, 'p')}
        ${buildCursorSqlStartingWithAnd(params, cursor)}
      order by ${cursor} desc limit ${params.limit + 1}`.execute(viewer.db)
    // Reads the JSON that is not cached in a second query. This query leaves out posts that the viewer can no
    // longer see, because they or their authors were deleted or hidden after the first query.
    const json = await postJson.load(rows, (ids) =>
      readVisibleViewerIndependentPostsAndRevisions(viewer, ids),
    )
    return toPagedResponse(
      rows,
      params.limit,
      (last) => ({ before: cursorOf(last) }),
      (shown) =>
        joinPostsAndViewerMarksToJsonArray(
          shown.flatMap(({ id, liked_by, bookmark }) => {
            const post = json.get(id)
            return post ? { post, isLiked: liked_by !== null, isBookmarked: bookmark !== null } : []
          }),
        ),
    )
  }
}

/**
 * Returns whether a page is cached: only the first page of the default size, because other requests have many
 * different cursors and sizes.
 */
const isCached = ({ before, after, limit }: PaginationParameters) =>
  before === undefined && after === undefined && limit === DEFAULT_POST_PAGE_SIZE

/**
 * Creates the function that returns the first page of a post list from the caches. If results are not kept in
 * the caches, the requests of one turn of the event loop share a query.
 */
function createFirstPageReader(context: AppContext, postJson: ReturnType<typeof createPostJsonCache>) {
  const cachedPages = createCachedFirstPostPageReader(context, postJson)
  const pagesOfTurn = context.queryCaches<FeedPage>([], 2)
  return (
    list: string,
    viewer: ViewerContext,
    limit: number,
    readIds: () => Promise<PostIdsForViewer>,
    readUncached: () => Promise<FeedPage>,
  ) =>
    context.queryCaches.keepsResults
      ? cachedPages(`${list} ${viewer.me?.id}`, limit, readIds)
      : pagesOfTurn(`${list} ${viewer.me?.id}`, readUncached)
}

/**
 * Creates the functions that return one page of each kind of post list as JSON text. The lists are ordered by
 * the id of the post, newest first, and the cursor is this id. Bookmarks are ordered by the id of the
 * bookmark instead, and pinned posts by the time of the pin. The first pages of the lists `all`, `following`
 * and `pinned` are cached (see `createCachedFirstPostPageReader`), and so are the ids of the posts on all
 * pages of `following`.
 */
function createPostListReaders(context: AppContext) {
  const postJson = createPostJsonCache(context)
  const readPage = createPostPageReader(postJson)
  const ids = createCachedPostListIdReadFunctions(context)

  const firstPage = createFirstPageReader(context, postJson)

  return {
    all: (viewer: ViewerContext, params: PaginationParameters) => {
      const readUncached = () => readPage(viewer, params, sql`true`)
      if (!isCached(params)) return readUncached()
      return firstPage('all', viewer, params.limit, () => ids.all(viewer, params), readUncached)
    },
    /** Returns a page of the posts of the people whom the viewer follows, without the viewer's own posts. */
    following: (viewer: MemberViewerContext, params: PaginationParameters) => {
      const readIds = () => ids.following(viewer, params)
      const readUncached = async () => {
        const { ids: found } = await readIds()
        return readPage(viewer, params, found.length ? sql`p.id in (${sql.join(found)})` : sql`false`)
      }
      if (!isCached(params)) return readUncached()
      return firstPage('following', viewer, params.limit, readIds, readUncached)
    },
    /** Returns a page of the posts of one author, even if the viewer has muted the author. */
    byAuthor: (viewer: MemberViewerContext, author: number, params: PaginationParameters) =>
      readPage(viewer, params, sql`p.user_id = ${author}`, {
        cursor: sql`p.id + 0`,
        authorsQuery: buildVisibleMembersQuery,
      }),
    /**
     * Returns a page of the posts that the viewer has bookmarked, including posts of people whom the viewer
     * has muted.
     */
    bookmarked: (viewer: MemberViewerContext, params: PaginationParameters) =>
      readPage(viewer, params, sql`b.user_id = ${viewer.me.id}`, {
        cursor: sql`b.id + 0`,
        authorsQuery: buildVisibleMembersQuery,
        cursorOf: ({ bookmark }) => bookmark!,
      }),
    /**
     * Returns a page of the posts whose ids the SQL query `listed` selects as `post_id`. The query must
     * select each id only once. Later features use this function to list posts by rows of their own tables.
     * The function is fast if an index has these rows in the order of `post_id`.
     */
    withIdsIn: (
      viewer: ViewerContext,
      params: PaginationParameters,
      listed: RawBuilder<{ post_id: number }>,
    ) =>
      readPage(viewer, params, sql`true`, {
        join: sql`join (${listed}) listed on listed.post_id = p.id`,
        cursor: sql`listed.post_id`,
      }),
    /**
     * Returns the pinned posts of a group, or of the community if `group` is undefined, the newest pin
     * first.
     */
    pinned: async (viewer: ViewerContext, group: number | undefined) => {
      const scope = group === undefined ? sql`p.group_id is null` : sql`p.group_id = ${group}`
      const { body } = await firstPage(
        `pinned ${group}`,
        viewer,
        MAX_PINNED_POSTS,
        () => ids.pinned(viewer, group),
        () =>
          readPage(viewer, { limit: MAX_PINNED_POSTS }, sql`${scope} and p.pinned_at is not null`, {
            cursor: sql`p.pinned_at`,
          }),
      )
      return body
    },
  }
}

const readersByContext = new WeakMap<AppContext, ReturnType<typeof createPostListReaders>>()

/**
 * Returns the functions of `createPostListReaders`, which are created once for each app, so that all features
 * share their caches.
 */
export function getPostListReadFunctions(context: AppContext) {
  const readers = readersByContext.get(context) ?? createPostListReaders(context)
  readersByContext.set(context, readers)
  return readers
}
