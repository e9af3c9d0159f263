import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { buildIdInListCondition } from '#core/database/database.ts'
import { buildUnfilteredPersonRowsQuery } from '#features/people/read.ts'
import {
  isEveryoneVisibleAndUnmutedForViewer,
  isMemberViewer,
  type MemberViewerContext,
  type ViewerContext,
  visibilityAndMuteTableNames,
} from '#features/people/visibility.ts'
import type { PostAudience } from './contract.ts'
import {
  buildUnmutedFollowedIdsQuery,
  listPostIdsSearchingEachFollowedPerson,
  MAX_RECENT_POSTS_SEARCHED,
} from './followed-posts.ts'
import { createSettledIdFinder, type SnapshotColumns } from './settled-ids.ts'
import { listPostVisibilityCacheDependencies } from './visible-posts.ts'

interface RecentPost {
  id: number
  author: number
  audience: PostAudience
  hidden: boolean | number
}

/**
 * The newest posts of all people. `settledId` is the id of a post so old that every post which is added later
 * has a larger id; 0 if no such post is known.
 */
interface NewestPosts {
  posts: readonly RecentPost[]
  settledId: number
}

/**
 * The maximum number of followed people that are cached for each member (`followed`), and of members for whom
 * they are cached (`members`).
 */
const MAX_CACHED = { followed: 1000, members: 500 }

/**
 * Creates the functions that return the ids of the posts on a first page, chosen from the newest posts, which
 * are cached once for all viewers. So a new post costs one query, and not one for each viewer. The functions
 * handle only simple cases, and return null in all others; the caller then runs the query with all rules.
 */
export function createRecentPostIdReadFunctions(context: AppContext) {
  const { db, queryCaches } = context
  const newest = queryCaches<NewestPosts>(
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
  const settled = queryCaches<readonly number[]>(
    listPostVisibilityCacheDependencies(context).filter((name) => name !== 'insert into posts'),
    5000,
  )
  const settledIds = createSettledIdFinder(db)
  const findBoundary = createStableBoundaryFinder()

  /** Returns the newest posts of all people, whoever may see them. */
  const readNewest = () =>
    newest('', async () => {
      const authors = buildUnfilteredPersonRowsQuery({ ...context, me: null }).where(
        'users.former_since',
        'is',
        null,
      )
      const { rows } = await sql<
        RecentPost & SnapshotColumns
      >`select ${settledIds.columns} p.id, p.user_id as author, p.audience,
          p.id in (select post_id from hidden_posts) as hidden
        from posts p join ${authors} u on u.id = p.user_id
        order by p.id desc limit ${MAX_RECENT_POSTS_SEARCHED}`.execute(db)
      return { posts: rows, settledId: settledIds.find(rows) }
    })

  /**
   * Returns the authors of the posts whom the viewer follows, may see and has not muted, and perhaps other
   * such people. If the viewer follows too many people to cache them all, only the authors are looked up.
   */
  async function readFollowedAuthors(viewer: MemberViewerContext, posts: readonly RecentPost[]) {
    const { id } = viewer.me
    const query = buildUnmutedFollowedIdsQuery(viewer)
    const toSet = (rows: readonly { followed_id: number }[]) =>
      new Set(rows.map(({ followed_id }) => followed_id))
    const all = await followed(String(id), async () => {
      const rows = await query.limit(MAX_CACHED.followed + 1).execute()
      return rows.length > MAX_CACHED.followed ? null : toSet(rows)
    })
    if (all) return all
    const authors = [...new Set(posts.map(({ author }) => author))].sort((a, b) => a - b)
    const isAuthor = buildIdInListCondition(db, 'follows.followed_id', authors)
    return followedAuthors(`${id} ${authors}`, async () => toSet(await query.where(isAuthor).execute()))
  }

  /**
   * Returns the ids of the newest posts of followed people among those up to the id `boundary`. Posts that are
   * added later have larger ids, so they do not empty this cache.
   */
  const readSettledIds = (viewer: MemberViewerContext, boundary: number, limit: number) =>
    settled(`${viewer.me.id} ${boundary} ${limit}`, () =>
      listPostIdsSearchingEachFollowedPerson(viewer, { before: boundary + 1, limit: limit - 1 }),
    )

  return {
    /**
     * Returns the ids of the newest posts for a member who may see all members and has muted nobody, if every
     * member may see all of these posts; otherwise null.
     */
    async all(viewer: ViewerContext, limit: number) {
      if (!isMemberViewer(viewer)) return null
      const [{ posts }, isEveryoneShown] = await Promise.all([
        readNewest(),
        shown(String(viewer.me.id), () => isEveryoneVisibleAndUnmutedForViewer(viewer)),
      ])
      const page = posts.slice(0, limit)
      const isForMembers = ({ audience, hidden }: RecentPost) =>
        !hidden && (audience === 'everyone' || audience === 'members')
      return isEveryoneShown && page.every(isForMembers) ? page.map(({ id }) => id) : null
    },
    /**
     * Returns the ids of the newest posts of followed people: those among the newest posts of all people, and
     * if these are too few, older ones of a cached list. So a new post costs no viewer a search of the posts
     * of all followed people. Returns null if not every follower may see the new posts.
     */
    async following(viewer: MemberViewerContext, limit: number) {
      const { posts, settledId } = await readNewest()
      const people = await readFollowedAuthors(viewer, posts)
      const recent = posts.filter(({ author }) => people.has(author)).slice(0, limit)
      const isForFollowers = ({ audience, hidden }: RecentPost) => !hidden && audience !== 'group'
      if (recent.length === limit || posts.length < MAX_RECENT_POSTS_SEARCHED)
        return recent.every(isForFollowers) ? recent.map(({ id }) => id) : null
      const boundary = findBoundary(posts, settledId)
      if (boundary === null) return null
      const added = recent.filter(({ id }) => id > boundary)
      if (!added.every(isForFollowers)) return null
      const older = await readSettledIds(viewer, boundary, limit)
      return [...added.map(({ id }) => id), ...older].slice(0, limit)
    },
  }
}

/**
 * Creates the function that returns the id up to which the lists of older posts are cached: a settled id, such
 * that `posts`, the newest posts of all people, have all later ones. Returns the same id as long as it can, so
 * that the lists stay cached; null if there is no such id.
 */
function createStableBoundaryFinder() {
  let boundary = 0
  return (posts: readonly RecentPost[], settledId: number) => {
    const oldest = posts.at(-1)!.id
    if (boundary < oldest) boundary = settledId
    return boundary < oldest ? null : boundary
  }
}
