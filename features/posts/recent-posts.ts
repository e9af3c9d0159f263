import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { buildUnfilteredPersonRowsQuery } from '#features/people/read.ts'
import {
  isEveryoneVisibleAndUnmutedForViewer,
  isMemberViewer,
  type MemberViewerContext,
  type ViewerContext,
  visibilityAndMuteTableNames,
} from '#features/people/visibility.ts'
import type { PostAudience } from './contract.ts'
import { buildUnmutedFollowedIdsQuery, MAX_RECENT_POSTS_SEARCHED } from './followed-posts.ts'

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

/**
 * Creates the functions that return the ids of the posts on a first page, chosen from the newest posts, which
 * are cached once for all viewers. So a new post costs one query, and not one for each viewer. The functions
 * handle only simple cases, and return null in all others; the caller then runs the query with all rules.
 */
export function createRecentPostIdReadFunctions(context: AppContext) {
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

  const readFollowed = (viewer: MemberViewerContext) =>
    followed(String(viewer.me.id), async () => {
      const rows = await buildUnmutedFollowedIdsQuery(viewer)
        .limit(MAX_CACHED.followed + 1)
        .execute()
      return rows.length > MAX_CACHED.followed ? null : new Set(rows.map(({ followed_id }) => followed_id))
    })

  return {
    /**
     * Returns the ids of the newest posts for a member who may see all members and has muted nobody, if every
     * member may see all of these posts; otherwise null.
     */
    async all(viewer: ViewerContext, limit: number) {
      if (!isMemberViewer(viewer)) return null
      const [posts, isEveryoneShown] = await Promise.all([
        readNewest(),
        shown(String(viewer.me.id), () => isEveryoneVisibleAndUnmutedForViewer(viewer)),
      ])
      const page = posts.slice(0, limit)
      const isForMembers = ({ audience, hidden }: RecentPost) =>
        !hidden && (audience === 'everyone' || audience === 'members')
      return isEveryoneShown && page.every(isForMembers) ? page.map(({ id }) => id) : null
    },
    /**
     * Returns the ids of the newest posts of followed people, if the newest posts of all people contain
     * enough of them and every follower may see them; otherwise null.
     */
    async following(viewer: MemberViewerContext, limit: number) {
      const [posts, people] = await Promise.all([readNewest(), readFollowed(viewer)])
      if (!people) return null
      const page = posts.filter(({ author }) => people.has(author)).slice(0, limit)
      const isForFollowers = ({ audience, hidden }: RecentPost) => !hidden && audience !== 'group'
      const isComplete = page.length === limit || posts.length < MAX_RECENT_POSTS_SEARCHED
      return isComplete && page.every(isForFollowers) ? page.map(({ id }) => id) : null
    },
  }
}
