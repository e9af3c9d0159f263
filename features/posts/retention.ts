import { sql } from 'kysely'
import { MAX_COUNT_IN_RETENTION_PREVIEW } from '#core/community-settings-contract.ts'
import type { AppContext } from '#core/context.ts'
import { isPostgres, type Tx } from '#core/database/database.ts'
import { markMediaUnreferenced, sumBytesOfMediaWithNames } from '#core/media/lifecycle.ts'
import type { PostHasOpenReportSqlConditionBuilders } from '#core/open-reports.ts'
import {
  type FeatureRetentionFunctions,
  parseRemovableContentSummaryRow,
  type RetentionBatchResult,
} from '#core/retention.ts'
import { postChannelDefinitions } from './contract.ts'
import { type PostAuthorAndAudience, readPostEventViewers } from './visible-posts.ts'

/**
 * The number of old pictures for which one transaction searches. It removes all pictures of the posts that
 * contain them.
 */
const PICTURE_BATCH = 200

/**
 * Counts and removes old pictures of posts. The posts themselves stay, and store the number of their removed
 * pictures. The pictures of a reported post stay until moderators have decided about the report. Pictures of
 * replies are never removed.
 */
export const postPictureRetentionFunctions: FeatureRetentionFunctions = {
  async count({ db, openReports }, { pictures: before }) {
    if (before === null) return {}
    const { rows } = await sql<Parameters<typeof parseRemovableContentSummaryRow>[0]>`
      select count(*) as count, sum(m.bytes) as bytes, min(old.created_at) as oldest
      from (${buildOldPostPicturesQuery(before, openReports, MAX_COUNT_IN_RETENTION_PREVIEW + 1)}) old
      join media m on m.name = old.media`.execute(db)
    return { pictures: parseRemovableContentSummaryRow(rows[0]!) }
  },
  removeBatch: { pictures: removePostPictures },
}

async function removePostPictures(
  context: AppContext,
  tx: Tx,
  before: string,
): Promise<RetentionBatchResult> {
  const { rows } = await buildOldPostPicturesQuery(before, context.openReports).execute(tx)
  const hasMore = rows.length === PICTURE_BATCH
  const posts = [...new Set(rows.map(({ post_id }) => post_id))]
  if (!posts.length) return { count: 0, bytes: 0, hasMore }
  // Locks the posts, so that no other transaction deletes or reports one of them meanwhile. A report locks
  // its post too. If the report comes first, the deletion below leaves the pictures of the post; otherwise
  // the report finds no pictures. The posts are locked in the order of their ids, so that two transactions
  // cannot wait for each other.
  if (isPostgres(tx))
    await tx
      .selectFrom('posts')
      .select('id')
      .where('id', 'in', posts)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
  const removed = await tx
    .deleteFrom('post_images')
    .where('post_id', 'in', posts)
    .where(sql<boolean>`not (${context.openReports.isPostReported(sql`post_images.post_id`)})`)
    .returning(['post_id', 'media'])
    .execute()
  const byPost = Map.groupBy(removed, ({ post_id }) => post_id)
  for (const [count, same] of Map.groupBy(byPost, ([, images]) => images.length))
    await tx
      .updateTable('posts')
      .set((q) => ({ removed_images: q('removed_images', '+', count), revision: q('revision', '+', 1) }))
      .where(
        'id',
        'in',
        same.map(([id]) => id),
      )
      .execute()
  const names = removed.map(({ media }) => media)
  const bytes = await sumBytesOfMediaWithNames(tx, names)
  await markMediaUnreferenced(tx, names)
  const shown = await listShownPosts(tx, [...byPost.keys()])
  tx.afterCommit(() => broadcastRemovedImages(context, shown))
  tx.afterCommit(() => context.media.deleteUnreferenced(names))
  return { count: names.length, bytes, hasMore }
}

/**
 * Returns the ids, authors and audiences of those of these posts that no moderator has hidden. The author and
 * the audience decide who gets the live events of a post.
 */
const listShownPosts = (tx: Tx, ids: readonly number[]) =>
  tx
    .selectFrom('posts')
    .select(['id', 'user_id as author', 'audience', 'group_id'])
    .where('id', 'in', ids.length ? ids : [0])
    .where('id', 'not in', (q) => q.selectFrom('hidden_posts').select('post_id'))
    .execute()

/**
 * Broadcasts to open windows which posts have lost their pictures. Sends one event for all posts with the
 * same author and audience, because viewers who may not see the author, or are not in the audience, must not
 * get the event.
 */
async function broadcastRemovedImages(
  context: AppContext,
  shown: readonly (PostAuthorAndAudience & { id: number })[],
) {
  const byViewers = Map.groupBy(
    shown,
    ({ author, audience, group_id }) => `${author} ${audience} ${group_id}`,
  )
  for (const posts of byViewers.values()) {
    const options = {
      aboutUsers: [posts[0]!.author],
      onlyFor: await readPostEventViewers(context, posts[0]!),
    }
    const ids = posts.map(({ id }) => id)
    context.realtime.broadcast([postChannelDefinitions.posts.name], 'PostImagesRemoved', { ids }, options)
  }
}

/**
 * Builds the query for the oldest pictures of posts that were written before the time `before`, without the
 * pictures of reported posts. The query compares the ids with that of the newest post before this time, so
 * that it does not read the pictures of newer posts.
 */
export const buildOldPostPicturesQuery = (
  before: string,
  openReports: PostHasOpenReportSqlConditionBuilders,
  limit = PICTURE_BATCH,
) => sql<{ post_id: number }>`
  select i.post_id, i.media, p.created_at from post_images i join posts p on p.id = i.post_id
  where i.post_id <= (select id from posts where created_at < ${before} order by created_at desc, id desc limit 1)
    and p.created_at < ${before} and not (${openReports.isPostReported(sql`p.id`)})
  order by i.post_id limit ${limit}`
