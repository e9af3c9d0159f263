import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { buildIdInListCondition } from '#core/database/database.ts'
import {
  buildReachingMembersQuery,
  type MemberViewerContext,
  type ViewerContext,
} from '#features/people/visibility.ts'
import { listPageOfPostIdsByFollowedPeoplePlusOne } from './followed-posts.ts'
import { MAX_PINNED_POSTS } from './pin-contract.ts'
import { createRecentPostIdReadFunctions } from './recent-posts.ts'
import type { PostIdsForViewer } from './viewer-marks.ts'
import {
  buildPostAudienceAndNotHiddenCondition,
  listPostVisibilityCacheDependencies,
} from './visible-posts.ts'

/**
 * Creates the functions that return the ids of the posts on one page that the viewer may see, in the order of
 * the list, and one id more if there is a next page. The ids are cached until a post is added or deleted, or
 * until something changes that decides who may see a post. Edits, likes and replies do not empty the cache,
 * because the author and the audience of a post never change.
 */
export function createCachedPostListIdReadFunctions(context: AppContext) {
  const { db, queryCaches } = context
  const lists = queryCaches<PostIdsForViewer>(listPostVisibilityCacheDependencies(context), 5000)
  const recent = createRecentPostIdReadFunctions(context)
  const pinnedPosts = queryCaches<readonly number[]>(['posts'], 100)

  async function readVisibleIds(viewer: ViewerContext, where: RawBuilder<unknown>, limit: number) {
    const people = buildReachingMembersQuery(viewer).select('id')
    const { rows } = await sql<{ id: number }>`select p.id from posts p join ${people} u on u.id = p.user_id
      where ${where} and ${buildPostAudienceAndNotHiddenCondition(viewer, 'p')}
      order by p.id desc limit ${limit}`.execute(viewer.db)
    return rows.map(({ id }) => id)
  }

  /**
   * Returns the ids of the pinned posts of a group or of the community, whoever may see them, the newest pin
   * first.
   */
  const listPinnedPosts = (group: number | undefined) =>
    pinnedPosts(String(group), async () => {
      const scope = group === undefined ? sql`group_id is null` : sql`group_id = ${group}`
      const { rows } = await sql<{ id: number }>`select id from posts
        where ${scope} and pinned_at is not null order by pinned_at desc limit ${MAX_PINNED_POSTS}`.execute(
        db,
      )
      return rows.map(({ id }) => id)
    })

  const cached = ({ me }: ViewerContext, list: string, read: () => Promise<readonly number[]>) => {
    const viewer = me?.id ?? 0
    return lists(`${list} ${viewer}`, async () => ({ viewer, ids: await read() }))
  }

  return {
    all: (viewer: ViewerContext, { limit }: PaginationParameters) =>
      cached(
        viewer,
        `all ${limit}`,
        async () => (await recent.all(viewer, limit + 1)) ?? readVisibleIds(viewer, sql`true`, limit + 1),
      ),
    following: (viewer: MemberViewerContext, params: PaginationParameters) =>
      cached(
        viewer,
        `following ${params.before} ${params.after} ${params.limit}`,
        async () =>
          (isFirstPage(params) && (await recent.following(viewer, params.limit + 1))) ||
          listPageOfPostIdsByFollowedPeoplePlusOne(viewer, params),
      ),
    /**
     * Returns the ids of the pinned posts that the viewer may see. All viewers share the query for the pinned
     * posts, which runs again after each change of a post. The query for those that the viewer may see runs
     * again only if the pinned posts have changed.
     */
    pinned: async (viewer: ViewerContext, group: number | undefined) => {
      const pinned = await listPinnedPosts(group)
      return cached(viewer, `pinned ${pinned.join()}`, async () => {
        if (!pinned.length) return []
        const visible = new Set(
          await readVisibleIds(viewer, buildIdInListCondition(db, 'p.id', pinned), pinned.length),
        )
        return pinned.filter((id) => visible.has(id))
      })
    },
  }
}

const isFirstPage = ({ before, after }: PaginationParameters) => before === undefined && after === undefined
