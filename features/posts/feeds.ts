import { type RawBuilder, sql } from 'kysely'
import QuickLRU from 'quick-lru'
import type { AppContext } from '#core/context.ts'
import type { PageParameters } from '#core/contract.ts'
import { type PagedResponse, SerializedJson, toPagedResponse } from '#core/http/pagination.ts'
import {
  buildVisibleMembersQuery,
  buildVisibleUnmutedMembersQuery,
  type MemberViewerContext,
  type ViewerContext,
  visibilityAndMuteTableNames,
} from '#features/people/visibility.ts'
import { DEFAULT_POST_PAGE_SIZE, type Post } from './contract.ts'
import { buildCursorConditionWithAnd, listFollowedPostIds } from './followed-posts.ts'
import { MAX_PINNED_POSTS } from './pin-contract.ts'
import { readVisibleViewerIndependentPosts } from './read.ts'
import { buildInAudienceNotHiddenCondition } from './visible-posts.ts'

type FeedPage = PagedResponse<SerializedJson<Post[]>>

/**
 * An entry of a list of posts: the id of the post, the revisions of the post and of its author, and whether
 * the viewer likes the post and has bookmarked it.
 */
interface FeedEntry {
  id: number
  revision: number
  author_revision: number
  /** The viewer's id if the viewer likes the post; otherwise null. */
  liked_by: number | null
  /** The id of the viewer's bookmark; null if the viewer has not bookmarked the post. */
  bookmark: number | null
}

/** The cached JSON of a post, with the revisions of the post and of its author for which it is valid. */
interface CachedPost {
  revision: number
  authorRevision: number
  /**
   * The JSON of the post without the closing brace. `liked_by_me` and `bookmarked_by_me` are appended for
   * each viewer.
   */
  json: string
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

/** The maximum number of posts whose JSON is cached. */
const CACHED_POSTS = 5000

/**
 * Creates the function that reads a page of posts as JSON text. It caches the JSON of each post by the
 * revisions of the post and of its author, so an entry never becomes stale.
 */
function createPostPageReader() {
  const postJson = new QuickLRU<number, CachedPost>({ maxSize: CACHED_POSTS })

  async function readPage(
    viewer: ViewerContext,
    params: PageParameters,
    where: RawBuilder<unknown>,
    {
      cursor = sql`p.id`,
      join = sql``,
      authorsQuery = buildVisibleUnmutedMembersQuery,
      cursorOf = ({ id }) => id,
    }: ListOptions = {},
  ): Promise<FeedPage> {
    const people = authorsQuery(viewer).select(['id', 'revision'])
    const { rows } =
      await sql<FeedEntry>`select p.id, p.revision, u.revision as author_revision, l.user_id as liked_by,
        b.id as bookmark
      from posts p join ${people} u on u.id = p.user_id ${join}
        left join likes l on l.post_id = p.id and l.user_id = ${viewer.me?.id ?? 0}
        left join bookmarks b on b.post_id = p.id and b.user_id = ${viewer.me?.id ?? 0}
      where ${where} and ${buildInAudienceNotHiddenCondition(viewer, 'p')}
        ${buildCursorConditionWithAnd(params, cursor)}
      order by ${cursor} desc limit ${params.limit + 1}`.execute(viewer.db)
    const json = await loadJson(viewer, rows)
    return toPagedResponse(
      rows,
      params.limit,
      (last) => ({ before: cursorOf(last) }),
      (shown) => new SerializedJson<Post[]>(Buffer.from(toJsonList(shown, json))),
    )
  }

  /** Returns the JSON of the entries' posts, by post id. */
  async function loadJson(viewer: ViewerContext, entries: readonly FeedEntry[]) {
    const found = new Map<number, string>()
    const missing: number[] = []
    for (const { id, revision, author_revision } of entries) {
      const cached = postJson.get(id)
      if (cached?.revision === revision && cached.authorRevision === author_revision)
        found.set(id, cached.json)
      else missing.push(id)
    }
    for (const { post, ...revisions } of await readVisibleViewerIndependentPosts(viewer, missing)) {
      const json = JSON.stringify(post).slice(0, -1)
      found.set(post.id, json)
      postJson.set(post.id, { ...revisions, json })
    }
    return found
  }

  return readPage
}

/**
 * Creates the functions that return lists of posts as JSON text. Lists are ordered by the id of the post,
 * newest first, and this id is also the cursor. The list of bookmarks is ordered by the id of the bookmark,
 * and the list of pinned posts by the time of the pin. Two caches keep their entries until a table that they
 * depend on changes: the first pages of the lists `all`, `following` and `pinned`, and the ids of the posts
 * on the pages of the list `following`.
 */
function createPostListReaders(context: AppContext) {
  const always = [
    ...visibilityAndMuteTableNames,
    ...context.groups.dependencies,
    'hidden_posts',
    'follows',
  ] as const
  const firstPages = context.queryCaches<FeedPage>(
    [...always, 'posts', 'post_images', 'likes', 'bookmarks', 'media'],
    200,
  )
  const followedPostIds = context.queryCaches<number[]>(
    [...always, 'insert into posts', 'delete from posts'],
    5000,
  )
  const readPage = createPostPageReader()

  /**
   * Returns a page of a list. Caches only first pages of the default size, because other pages have many
   * different cursors and sizes.
   */
  const cachedPage = (
    list: string,
    viewer: ViewerContext,
    params: PageParameters,
    make: () => Promise<FeedPage>,
  ) =>
    params.before === undefined && params.after === undefined && params.limit === DEFAULT_POST_PAGE_SIZE
      ? firstPages(`${list} ${viewer.me?.id}`, make)
      : make()

  return {
    all: (viewer: ViewerContext, params: PageParameters) =>
      cachedPage('all', viewer, params, () => readPage(viewer, params, sql`true`)),
    /** Returns posts of the people whom the viewer follows. The viewer's own posts are not among them. */
    following: (viewer: MemberViewerContext, params: PageParameters) =>
      cachedPage('following', viewer, params, async () => {
        const key = `${viewer.me.id} ${params.before} ${params.after} ${params.limit}`
        const ids = await followedPostIds(key, () => listFollowedPostIds(viewer, params))
        return readPage(viewer, params, ids.length ? sql`p.id in (${sql.join(ids)})` : sql`false`)
      }),
    /** Returns posts of one person, also if the viewer has muted the person. */
    byAuthor: (viewer: MemberViewerContext, author: number, params: PageParameters) =>
      readPage(viewer, params, sql`p.user_id = ${author}`, {
        cursor: sql`p.id + 0`,
        authorsQuery: buildVisibleMembersQuery,
      }),
    /** Returns the bookmarked posts of the viewer, including those of people whom the viewer has muted. */
    bookmarked: (viewer: MemberViewerContext, params: PageParameters) =>
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
    withIdsIn: (viewer: ViewerContext, params: PageParameters, ids: RawBuilder<{ post_id: number }>) =>
      readPage(viewer, params, sql`true`, {
        join: sql`join (${ids}) listed on listed.post_id = p.id`,
        cursor: sql`listed.post_id`,
      }),
    /**
     * Returns the pinned posts of a group, or of the community if `group` is undefined, the newest pin
     * first.
     */
    pinned: async (viewer: ViewerContext, group: number | undefined) => {
      const scope = group === undefined ? sql`p.group_id is null` : sql`p.group_id = ${group}`
      const { body } = await firstPages(`pinned ${group} ${viewer.me?.id}`, () =>
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

/**
 * Joins the JSON of the entries. Leaves out posts without JSON: the viewer could no longer see them in the
 * second query, because in between they were deleted or hidden, or their authors were.
 */
function toJsonList(entries: readonly FeedEntry[], json: ReadonlyMap<number, string>) {
  let list = ''
  for (const { id, liked_by, bookmark } of entries) {
    const post = json.get(id)
    const ofViewer = `"liked_by_me":${liked_by !== null},"bookmarked_by_me":${bookmark !== null}`
    if (post !== undefined) list += `${list && ','}${post},${ofViewer}}`
  }
  return `[${list}]`
}
