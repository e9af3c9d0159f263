import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { type PagedResponse, type SerializedJson, toPagedResponse } from '#core/http/pagination.ts'
import {
  buildVisibleMembersQuery,
  buildVisibleUnmutedMembersQuery,
  type MemberViewerContext,
  type ViewerContext,
} from '#features/people/visibility.ts'
import { createCachedPageReader, toPostListJson } from './cached-pages.ts'
import { DEFAULT_POST_PAGE_SIZE, type Post } from './contract.ts'
import { buildCursorSqlStartingWithAnd } from './followed-posts.ts'
import { MAX_PINNED_POSTS } from './pin-contract.ts'
import { createPostIdReaders } from './post-ids.ts'
import { createPostJsonCache, type PostJsonCache, type PostRevisions } from './post-json.ts'
import { readVisibleViewerIndependentPosts } from './read.ts'
import type { PostIdList } from './viewer-marks.ts'
import { buildPostAudienceAndNotHiddenCondition } from './visible-posts.ts'

type FeedPage = PagedResponse<SerializedJson<Post[]>>

/**
 * An entry of a list of posts: the id of the post, the revisions of the post and of its author, and whether
 * the viewer likes the post and has bookmarked it.
 */
interface FeedEntry extends PostRevisions {
  /** The viewer's id if the viewer likes the post; otherwise null. */
  liked_by: number | null
  /** The id of the viewer's bookmark; null if the viewer has not bookmarked the post. */
  bookmark: number | null
}

interface ListOptions {
  /** The column by which the list is ordered, the highest value first. Default: the id of the post. */
  cursor?: RawBuilder<unknown>
  /** SQL: a further table from which the list reads, as a join. */
  join?: RawBuilder<unknown>
  /** Query: the people whose posts are listed. Default: those whom the viewer may see and has not muted. */
  authorsQuery?: typeof buildVisibleMembersQuery
  /** Returns the value of the cursor for an entry. Default: the id of the post. */
  cursorOf?: (entry: FeedEntry) => number
}

/**
 * Creates the function that reads a page of posts as JSON text, with one query for the ids, the revisions and
 * the marks of the viewer. Only the JSON of the posts is cached.
 */
function createPostPageReader(postJson: PostJsonCache) {
  return async (
    viewer: ViewerContext,
    params: PaginationParameters,
    where: RawBuilder<unknown>,
    {
      cursor = sql`p.id`,
      join = sql``,
      authorsQuery = buildVisibleUnmutedMembersQuery,
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
    // The second query leaves out posts that the viewer can no longer see, because in between they were
    // deleted or hidden, or their authors were.
    const json = await postJson.load(rows, (ids) => readVisibleViewerIndependentPosts(viewer, ids))
    return toPagedResponse(
      rows,
      params.limit,
      (last) => ({ before: cursorOf(last) }),
      (shown) =>
        toPostListJson(
          shown.flatMap(({ id, liked_by, bookmark }) => {
            const post = json.get(id)
            return post ? { post, isLiked: liked_by !== null, isBookmarked: bookmark !== null } : []
          }),
        ),
    )
  }
}

/** Only first pages of the default size are cached, because others have many different cursors and sizes. */
const isCached = ({ before, after, limit }: PaginationParameters) =>
  before === undefined && after === undefined && limit === DEFAULT_POST_PAGE_SIZE

/**
 * Creates the function that returns a first page from the caches. If they keep no results, requests of one
 * turn of the event loop share a query.
 */
function createFirstPageReader(context: AppContext, postJson: ReturnType<typeof createPostJsonCache>) {
  const cachedPages = createCachedPageReader(context, postJson)
  const pagesOfTurn = context.queryCaches<FeedPage>([], 2)
  return (
    list: string,
    viewer: ViewerContext,
    limit: number,
    readIds: () => Promise<PostIdList>,
    readUncached: () => Promise<FeedPage>,
  ) =>
    context.queryCaches.keepsResults
      ? cachedPages(`${list} ${viewer.me?.id}`, limit, readIds)
      : pagesOfTurn(`${list} ${viewer.me?.id}`, readUncached)
}

/**
 * Creates the functions that return lists of posts as JSON text. Lists are ordered by the id of the post,
 * newest first, and this id is also the cursor. The list of bookmarks is ordered by the id of the bookmark,
 * and the list of pinned posts by the time of the pin. The first pages of the lists `all`, `following` and
 * `pinned` are cached (see `createCachedPageReader`), and so are the ids on the pages of `following`.
 */
function createPostListReaders(context: AppContext) {
  const postJson = createPostJsonCache(context)
  const readPage = createPostPageReader(postJson)
  const ids = createPostIdReaders(context)

  const firstPage = createFirstPageReader(context, postJson)

  return {
    all: (viewer: ViewerContext, params: PaginationParameters) => {
      const readUncached = () => readPage(viewer, params, sql`true`)
      if (!isCached(params)) return readUncached()
      return firstPage('all', viewer, params.limit, () => ids.all(viewer, params), readUncached)
    },
    /** Returns posts of the people whom the viewer follows. The viewer's own posts are not among them. */
    following: (viewer: MemberViewerContext, params: PaginationParameters) => {
      const readIds = () => ids.following(viewer, params)
      const readUncached = async () => {
        const { ids: found } = await readIds()
        return readPage(viewer, params, found.length ? sql`p.id in (${sql.join(found)})` : sql`false`)
      }
      if (!isCached(params)) return readUncached()
      return firstPage('following', viewer, params.limit, readIds, readUncached)
    },
    /** Returns posts of one person, also if the viewer has muted the person. */
    byAuthor: (viewer: MemberViewerContext, author: number, params: PaginationParameters) =>
      readPage(viewer, params, sql`p.user_id = ${author}`, {
        cursor: sql`p.id + 0`,
        authorsQuery: buildVisibleMembersQuery,
      }),
    /** Returns the bookmarked posts of the viewer, including those of people whom the viewer has muted. */
    bookmarked: (viewer: MemberViewerContext, params: PaginationParameters) =>
      readPage(viewer, params, sql`b.user_id = ${viewer.me.id}`, {
        cursor: sql`b.id + 0`,
        authorsQuery: buildVisibleMembersQuery,
        cursorOf: ({ bookmark }) => bookmark!,
      }),
    /**
     * Returns the posts whose ids the query `ids` selects. The query must select each id only once. Later
     * features use this function for lists of posts by rows of their own tables. It is fast if an index has
     * these rows in the order of `post_id`.
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

/** Returns the functions of `createPostListReaders` for an app, so that all features share their caches. */
export function getPostListReaders(context: AppContext) {
  const readers = readersByContext.get(context) ?? createPostListReaders(context)
  readersByContext.set(context, readers)
  return readers
}
