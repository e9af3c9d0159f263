import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { type PagedResponse, paged, SerializedJson } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import type { MemberViewer, ViewerContext } from '#features/people/visibility.ts'
import * as visibility from '#features/people/visibility.ts'
import * as audiences from './audiences.ts'
import { MAX_PINNED_POSTS, POST_PAGE_SIZE, type Post } from './contract.ts'
import { andCursor, followedPostIds } from './followed-posts.ts'
import { createJsonCache, type Revisions } from './post-json.ts'

type Page = PagedResponse<SerializedJson<Post[]>>

interface Entry extends Revisions {
  /** The id of the viewer; null if the viewer does not like the post. */
  liked_by: number | null
  /** The id of the viewer's bookmark; null if there is none. */
  bookmark: number | null
}

interface ListOptions {
  /** The list is ordered by it, the highest value first. Default: the id of the post. */
  cursor?: RawBuilder<unknown>
  join?: RawBuilder<unknown>
  /** The people whose posts are listed. Default: those whom the viewer may see and has not muted. */
  authors?: typeof visibility.members
  /** The value of `cursor` in a row. Default: the id of the post. */
  cursorOf?: (entry: Entry) => number
}

function toJsonArray(entries: readonly Entry[], json: ReadonlyMap<number, string>) {
  let list = ''
  for (const { id, liked_by, bookmark } of entries) {
    const post = json.get(id)
    if (post === undefined) continue
    list += `${list && ','}${post},"liked_by_me":${liked_by !== null},"bookmarked_by_me":${bookmark !== null}}`
  }
  return new SerializedJson<Post[]>(Buffer.from(`[${list}]`))
}

/** One query reads the ids, the revisions and the viewer's marks, another one the JSON that is not cached. */
function pageReader() {
  const readJson = createJsonCache()
  return async (
    viewer: ViewerContext,
    params: PageParams,
    where: RawBuilder<unknown>,
    {
      cursor = sql`p.id`,
      join = sql``,
      authors = visibility.reaching,
      cursorOf = ({ id }) => id,
    }: ListOptions = {},
  ): Promise<Page> => {
    const people = authors(viewer).select(['id', 'revision'])
    const { rows } =
      await sql<Entry>`select p.id, p.revision, u.revision as author_revision, l.user_id as liked_by,
        b.id as bookmark
      from posts p join ${people} u on u.id = p.user_id ${join}
        left join likes l on l.post_id = p.id and l.user_id = ${viewer.me?.id ?? 0}
        left join bookmarks b on b.post_id = p.id and b.user_id = ${viewer.me?.id ?? 0}
      where ${where} and ${audiences.shown(viewer, 'p')}
        ${andCursor(params, cursor)}
      order by ${cursor} desc limit ${params.limit + 1}`.execute(viewer.db)
    const json = await readJson(viewer, rows)
    return paged(
      rows,
      params.limit,
      (last) => ({ before: cursorOf(last) }),
      (shown) => toJsonArray(shown, json),
    )
  }
}

/** Each page has about 25 kB. */
const MAX_CACHED_PAGES = 200

/** Other requests have many different cursors and sizes. */
const isFirstPage = ({ before, after, limit }: PageParams) =>
  before === undefined && after === undefined && limit === POST_PAGE_SIZE

/**
 * The lists are JSON text, ordered by the id of the post, newest first; the cursor is this id. Bookmarks are
 * ordered by the id of the bookmark instead, and pinned posts by the time of the pin. The first pages of
 * `all`, `following` and `pinned` are cached for each viewer.
 */
function createFeeds(context: AppContext) {
  const readPage = pageReader()
  // Without `likes`: a statement that changes a like also raises the revision of the post.
  const firstPages = context.queryCaches<Page>(
    [...audiences.dependencies(context), 'update posts', 'bookmarks'],
    MAX_CACHED_PAGES,
  )
  const firstPage = (list: string, { me }: ViewerContext, read: () => Promise<Page>) =>
    firstPages(`${list} ${me?.id}`, read)

  return {
    all: (viewer: ViewerContext, params: PageParams) => {
      const read = () => readPage(viewer, params, sql`true`)
      return isFirstPage(params) ? firstPage('all', viewer, read) : read()
    },
    /** Without the viewer's own posts. */
    following: (viewer: MemberViewer, params: PageParams) => {
      const read = async () => {
        const ids = await followedPostIds(viewer, params)
        return readPage(viewer, params, ids.length ? sql`p.id in (${sql.join(ids)})` : sql`false`)
      }
      return isFirstPage(params) ? firstPage('following', viewer, read) : read()
    },
    /** Even if the viewer has muted the author. */
    byAuthor: (viewer: MemberViewer, author: number, params: PageParams) =>
      readPage(viewer, params, sql`p.user_id = ${author}`, {
        cursor: sql`p.id + 0`,
        authors: visibility.members,
      }),
    /** Including posts of people whom the viewer has muted. */
    bookmarked: (viewer: MemberViewer, params: PageParams) =>
      readPage(viewer, params, sql`b.user_id = ${viewer.me.id}`, {
        cursor: sql`b.id + 0`,
        authors: visibility.members,
        cursorOf: ({ bookmark }) => bookmark!,
      }),
    /**
     * The posts whose ids `listed` selects as `post_id`, each only once: for lists by rows of later features.
     * It is fast if an index has these rows in the order of `post_id`.
     */
    withIdsIn: (viewer: ViewerContext, params: PageParams, listed: RawBuilder<{ post_id: number }>) =>
      readPage(viewer, params, sql`true`, {
        join: sql`join (${listed}) listed on listed.post_id = p.id`,
        cursor: sql`listed.post_id`,
      }),
    /** For the community if `group` is undefined. The newest pin first. */
    pinned: async (viewer: ViewerContext, group: number | undefined) => {
      const scope = group === undefined ? sql`p.group_id is null` : sql`p.group_id = ${group}`
      const { body } = await firstPage(`pinned ${group}`, viewer, () =>
        readPage(viewer, { limit: MAX_PINNED_POSTS }, sql`${scope} and p.pinned_at is not null`, {
          cursor: sql`p.pinned_at`,
        }),
      )
      return body
    },
  }
}

const readersByContext = new WeakMap<AppContext, ReturnType<typeof createFeeds>>()

/** Created once for each app, so that all features share the caches. */
export function getFeeds(context: AppContext) {
  const readers = readersByContext.get(context) ?? createFeeds(context)
  readersByContext.set(context, readers)
  return readers
}
