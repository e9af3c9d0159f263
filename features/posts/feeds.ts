import { type RawBuilder, sql } from 'kysely'
import QuickLRU from 'quick-lru'
import type { AppContext } from '#core/context.ts'
import type { PageParams } from '#core/contract.ts'
import { JsonText, type Paged, paged } from '#core/http/pagination.ts'
import {
  type MemberViewer,
  type Viewer,
  visibilityTables,
  visiblePeople,
} from '#features/people/visibility.ts'
import { PAGE, type Post } from './contract.ts'
import { cursorFilter, followedPosts } from './followed-posts.ts'
import { publicPosts } from './read.ts'

type Page = Paged<JsonText<Post[]>>

/** A post in a list: which version of its JSON to show, and whether the viewer likes it. */
interface Entry {
  id: number
  revision: number
  author_revision: number
  /** Null where the viewer does not like the post. */
  liked_by: number | null
}

/** The JSON of one version of a post. */
interface CachedPost {
  revision: number
  authorRevision: number
  /** Without its closing brace: `liked_by_me`, which differs by viewer, follows. */
  json: string
}

/** Posts whose JSON stays in memory. */
const CACHED_POSTS = 5000

/**
 * Lists of posts, newest first, as JSON text. Ids grow with time, so an id is also the cursor.
 * Two caches make them fast: the JSON of each post by its revisions, which never goes stale, and first pages,
 * which last until a table that they read changes.
 */
export function createFeeds(context: AppContext) {
  const firstPages = context.queryCaches<Page>(
    [...visibilityTables, 'posts', 'post_images', 'likes', 'follows', 'media'],
    200,
  )
  const followedIds = context.queryCaches<number[]>(
    [...visibilityTables, 'insert into posts', 'delete from posts', 'follows'],
    5000,
  )
  const postJson = new QuickLRU<number, CachedPost>({ maxSize: CACHED_POSTS })

  async function page(
    viewer: Viewer,
    params: PageParams,
    where: RawBuilder<unknown>,
    cursor = sql`p.id`,
  ): Promise<Page> {
    const people = visiblePeople(viewer).select(['id', 'revision'])
    const { rows } =
      await sql<Entry>`select p.id, p.revision, u.revision as author_revision, l.user_id as liked_by
      from posts p join ${people} u on u.id = p.user_id
        left join likes l on l.post_id = p.id and l.user_id = ${viewer.me?.id ?? 0}
      where ${where} ${cursorFilter(params, cursor)}
      order by ${cursor} desc limit ${params.limit + 1}`.execute(viewer.db)
    const json = await jsonOf(viewer, rows)
    return paged(
      rows,
      params.limit,
      (last) => ({ before: last.id }),
      (shown) => new JsonText<Post[]>(Buffer.from(listOf(shown, json))),
    )
  }

  /** The JSON of the entries' posts, by id. */
  async function jsonOf(viewer: Viewer, entries: readonly Entry[]) {
    const found = new Map<number, string>()
    const missing: number[] = []
    for (const { id, revision, author_revision } of entries) {
      const cached = postJson.get(id)
      if (cached?.revision === revision && cached.authorRevision === author_revision)
        found.set(id, cached.json)
      else missing.push(id)
    }
    for (const { post, ...revisions } of await publicPosts(viewer, missing)) {
      const json = JSON.stringify(post).slice(0, -1)
      found.set(post.id, json)
      postJson.set(post.id, { ...revisions, json })
    }
    return found
  }

  /** Caches the first page alone: everybody asks for it, while later pages have too many cursors. */
  const cached = (list: string, viewer: Viewer, params: PageParams, make: () => Promise<Page>) =>
    params.before === undefined && params.after === undefined && params.limit === PAGE
      ? firstPages(`${list} ${viewer.me?.id}`, make)
      : make()

  return {
    all: (viewer: Viewer, params: PageParams) =>
      cached('all', viewer, params, () => page(viewer, params, sql`true`)),
    /** Posts of the people that the viewer follows. The viewer's own posts are not among them. */
    following: (viewer: MemberViewer, params: PageParams) =>
      cached('following', viewer, params, async () => {
        const key = `${viewer.me.id} ${params.before} ${params.after} ${params.limit}`
        const ids = await followedIds(key, () => followedPosts(viewer, params))
        return page(viewer, params, ids.length ? sql`p.id in (${sql.join(ids)})` : sql`false`)
      }),
    byAuthor: (viewer: MemberViewer, author: number, params: PageParams) =>
      page(viewer, params, sql`p.user_id = ${author}`, sql`p.id + 0`),
  }
}

/** Leaves out posts that were deleted, or whose author vanished, between the two queries. */
function listOf(entries: readonly Entry[], json: ReadonlyMap<number, string>) {
  let list = ''
  for (const { id, liked_by } of entries) {
    const post = json.get(id)
    if (post !== undefined) list += `${list && ','}${post},"liked_by_me":${liked_by !== null}}`
  }
  return `[${list}]`
}
