import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { buildIdInListCondition, type Db, isPostgres } from '#core/database/database.ts'
import { buildUnfilteredPersonRowsQuery } from '#features/people/read.ts'
import {
  isEveryoneReaching,
  isMemberViewer,
  type MemberViewerContext,
  type ViewerContext,
  visibilityAndMuteTableNames,
} from '#features/people/visibility.ts'
import type { PostAudience } from './contract.ts'
import {
  buildReachingFollowedIdsQuery,
  listNewestPostIds,
  MAX_RECENT_POSTS_SEARCHED,
} from './followed-posts.ts'
import { listPostVisibilityCacheDependencies } from './visible-posts.ts'

interface RecentPost {
  id: number
  author: number
  audience: PostAudience
  hidden: boolean | number
}

/**
 * The maximum number of followed people that are cached for each member (`followed`), and of members for whom
 * they are cached (`members`).
 */
const MAX_CACHED = { followed: 1000, members: 500 }

/** Creates the functions that read recent posts and followed people, whose results are cached. */
function createCachedReadFunctions(context: AppContext) {
  const { db, queryCaches } = context
  const newest = queryCaches<readonly RecentPost[]>(
    ['users', 'hidden_posts', 'insert into posts', 'delete from posts'],
    2,
  )
  const shown = queryCaches<boolean>(visibilityAndMuteTableNames, 5000)
  const followed = queryCaches<ReadonlySet<number> | null>(
    [...visibilityAndMuteTableNames, 'follows'],
    MAX_CACHED.members,
  )
  const followedAuthors = queryCaches<ReadonlySet<number>>(
    [...visibilityAndMuteTableNames, 'follows'],
    MAX_CACHED.members,
  )
  const olderIds = queryCaches<readonly number[]>(
    listPostVisibilityCacheDependencies(context).filter((name) => name !== 'insert into posts'),
    5000,
  )

  /** Returns the newest posts of all people, whoever may see them. */
  const readNewest = () =>
    newest('', async () => {
      const authors = buildUnfilteredPersonRowsQuery({ ...context, me: null }).where(
        'users.former_since',
        'is',
        null,
      )
      const { rows } = await sql<RecentPost>`select p.id, p.user_id as author, p.audience,
          p.id in (select post_id from hidden_posts) as hidden
        from posts p join ${authors} u on u.id = p.user_id
        order by p.id desc limit ${MAX_RECENT_POSTS_SEARCHED}`.execute(db)
      return rows
    })

  /** Returns the people whom the viewer follows, may see and has not muted; null if they are too many. */
  const readFollowed = (viewer: MemberViewerContext) =>
    followed(String(viewer.me.id), async () => {
      const rows = await buildReachingFollowedIdsQuery(viewer)
        .limit(MAX_CACHED.followed + 1)
        .execute()
      return rows.length > MAX_CACHED.followed ? null : toIdSet(rows)
    })

  /** Returns the authors of the posts whom the viewer follows, may see and has not muted. */
  const readFollowedAuthors = (viewer: MemberViewerContext, posts: readonly RecentPost[]) => {
    const authors = [...new Set(posts.map(({ author }) => author))].sort((a, b) => a - b)
    return followedAuthors(`${viewer.me.id} ${authors}`, async () =>
      toIdSet(
        await buildReachingFollowedIdsQuery(viewer)
          .where(buildIdInListCondition(db, 'follows.followed_id', authors))
          .execute(),
      ),
    )
  }

  /**
   * Returns the ids of the newest posts of followed people with ids up to `boundary`. Posts that are added
   * later have larger ids, so they do not empty this cache.
   */
  const readOlderIds = (viewer: MemberViewerContext, boundary: number, limit: number) =>
    olderIds(`${viewer.me.id} ${boundary} ${limit}`, () =>
      listNewestPostIds(viewer, { before: boundary + 1, limit: limit - 1 }),
    )

  /** Returns whether posts of all members reach the viewer: nobody is hidden, muted or kept apart. */
  const isEveryoneShownTo = (viewer: MemberViewerContext) =>
    shown(String(viewer.me.id), () => isEveryoneReaching(viewer))

  return { readNewest, readFollowed, readFollowedAuthors, readOlderIds, isEveryoneShownTo }
}

/**
 * Creates the functions that return the ids of the posts on a first page, chosen from the newest posts, which
 * are cached once for all viewers. So a new post costs one query, and not one for each viewer. The functions
 * handle only simple cases, and return null in all others; the caller then runs the query with all rules.
 */
export function createRecentPostIdReadFunctions(context: AppContext) {
  const { readNewest, readFollowed, readFollowedAuthors, readOlderIds, isEveryoneShownTo } =
    createCachedReadFunctions(context)
  const findBoundary = createStableBoundaryFinder(context.db)
  return {
    /**
     * Returns the ids of the newest posts for a member whom the posts of all members reach, if every
     * member may see all of these posts; otherwise null.
     */
    async all(viewer: ViewerContext, limit: number) {
      if (!isMemberViewer(viewer)) return null
      const [posts, isEveryoneShown] = await Promise.all([readNewest(), isEveryoneShownTo(viewer)])
      const page = posts.slice(0, limit)
      const isForMembers = ({ audience, hidden }: RecentPost) =>
        !hidden && (audience === 'everyone' || audience === 'members')
      return isEveryoneShown && page.every(isForMembers) ? page.map(({ id }) => id) : null
    },
    /**
     * Returns the ids of the newest posts of followed people: those among the newest posts of all people, and
     * if these are too few, older ones of a cached list. So on SQLite, a new post costs no viewer a search of
     * the posts of all followed people. Returns null if one of the recent posts
     * is hidden or for a group, or if older posts are needed on PostgreSQL.
     */
    async following(viewer: MemberViewerContext, limit: number) {
      const [posts, all] = await Promise.all([readNewest(), readFollowed(viewer)])
      const people = all ?? (await readFollowedAuthors(viewer, posts))
      const recent = posts.filter(({ author }) => people.has(author)).slice(0, limit)
      const isForFollowers = ({ audience, hidden }: RecentPost) => !hidden && audience !== 'group'
      if (recent.length === limit || posts.length < MAX_RECENT_POSTS_SEARCHED)
        return recent.every(isForFollowers) ? recent.map(({ id }) => id) : null
      const boundary = findBoundary(posts)
      if (boundary === null) return null
      const added = recent.filter(({ id }) => id > boundary)
      if (!added.every(isForFollowers)) return null
      const older = await readOlderIds(viewer, boundary, limit)
      return [...added.map(({ id }) => id), ...older].slice(0, limit)
    },
  }
}

const toIdSet = (rows: readonly { followed_id: number }[]): ReadonlySet<number> =>
  new Set(rows.map(({ followed_id }) => followed_id))

/**
 * Creates the function that returns the id up to which the lists of older posts are cached: no post with a
 * smaller id can be added any more, and `posts`, the newest posts of all people, contains every post with a
 * larger id. Returns the same id as long as it can, so that the lists stay cached. Always returns null on
 * PostgreSQL, where a transaction can commit its post after posts with larger ids. SQLite has one writer at a
 * time.
 */
function createStableBoundaryFinder(db: Db) {
  let boundary = 0
  return (posts: readonly RecentPost[]) => {
    if (isPostgres(db)) return null
    const [newest, oldest] = [posts[0]!.id, posts.at(-1)!.id]
    if (boundary < oldest || boundary > newest) boundary = newest
    return boundary
  }
}
