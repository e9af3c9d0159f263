import { sql } from 'kysely'
import { type BatchResult, parseSummary, type Retention } from '#core/community/retention.ts'
import { MAX_PREVIEW_COUNT } from '#core/community/settings-contract.ts'
import type { AppContext } from '#core/context.ts'
import { isPostgres, type Tx } from '#core/database/database.ts'
import type { OpenReports } from '#core/feature/open-reports.ts'
import * as lifecycle from '#core/media/lifecycle.ts'
import * as attachments from './attachments.ts'
import type { AuthorAudience } from './audiences.ts'
import * as audiences from './audiences.ts'
import { postChannels } from './contract.ts'

/** Old pictures and files for which one transaction searches. It removes all of their posts. */
const PICTURE_BATCH = 200

/**
 * The posts stay, and store the number of their removed pictures and files. Those of a reported post stay
 * until moderators have decided. Pictures and files of replies are never removed.
 */
export const pictureRetention: Retention = {
  async count({ db, openReports }, { pictures: before }) {
    if (before === null) return {}
    const { rows } = await sql<Parameters<typeof parseSummary>[0]>`
      select count(*) as count, sum(m.bytes) as bytes, min(old.created_at) as oldest
      from (${oldPictures(before, openReports, MAX_PREVIEW_COUNT + 1)}) old
      join media m on m.name = old.media`.execute(db)
    return { pictures: parseSummary(rows[0]!) }
  },
  removeBatch: { pictures: removePostPictures },
}

async function removePostPictures(context: AppContext, tx: Tx, before: string): Promise<BatchResult> {
  const { rows } = await oldPictures(before, context.openReports).execute(tx)
  const hasMore = rows.length === PICTURE_BATCH
  const posts = [...new Set(rows.map(({ post_id }) => post_id))]
  if (!posts.length) return { count: 0, bytes: 0, hasMore }
  // No other transaction deletes or reports one of the posts meanwhile, as a report locks its post too. If
  // the report comes first, the deletion below leaves the pictures; otherwise the report finds none. The
  // order of the ids keeps two transactions from waiting for each other.
  if (isPostgres(tx))
    await tx
      .selectFrom('posts')
      .select('id')
      .where('id', 'in', posts)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute()
  const removed = await tx
    .deleteFrom('post_attachments')
    .where('post_id', 'in', posts)
    .where(sql<boolean>`not (${context.openReports.isPostReported(sql`post_attachments.post_id`)})`)
    .returning(['post_id', 'media', 'file'])
    .execute()
  const byPost = Map.groupBy(removed, ({ post_id }) => post_id)
  for (const [count, same] of Map.groupBy(byPost, ([, gone]) => attachments.countOf(gone)))
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
  const bytes = await lifecycle.sumBytes(tx, names)
  await lifecycle.detach(tx, names)
  const shown = await listShownPosts(tx, [...byPost.keys()])
  tx.afterCommit(() => broadcastRemovedImages(context, shown))
  tx.afterCommit(() => context.media.deleteUnreferenced(names))
  return { count: names.length, bytes, hasMore }
}

/** Only posts that no moderator has hidden. The author and the audience decide who gets the live events. */
const listShownPosts = (tx: Tx, ids: readonly number[]) =>
  tx
    .selectFrom('posts')
    .select(['id', 'user_id as author', 'audience', 'group_id'])
    .where('id', 'in', ids.length ? ids : [0])
    .where('id', 'not in', (q) => q.selectFrom('hidden_posts').select('post_id'))
    .execute()

/**
 * One event for all posts with the same author and audience, because viewers who may not see the author, or
 * are not in the audience, must not get the event.
 */
async function broadcastRemovedImages(
  context: AppContext,
  shown: readonly (AuthorAudience & { id: number })[],
) {
  const byViewers = Map.groupBy(
    shown,
    ({ author, audience, group_id }) => `${author} ${audience} ${group_id}`,
  )
  for (const posts of byViewers.values()) {
    const options = {
      aboutUsers: [posts[0]!.author],
      onlyFor: await audiences.viewers(context, posts[0]!),
    }
    const ids = posts.map(({ id }) => id)
    context.realtime.broadcast([postChannels.posts.name], 'PostImagesRemoved', { ids }, options)
  }
}

/**
 * The oldest pictures of posts written before `before`, without reported posts. Compares the ids with that of
 * the newest post before this time, so that it does not read the pictures of newer posts.
 */
export const oldPictures = (before: string, openReports: OpenReports, limit = PICTURE_BATCH) => sql<{
  post_id: number
}>`
  select i.post_id, i.media, p.created_at from post_attachments i join posts p on p.id = i.post_id
  where i.post_id <= (select id from posts where created_at < ${before} order by created_at desc, id desc limit 1)
    and p.created_at < ${before} and not (${openReports.isPostReported(sql`p.id`)})
  order by i.post_id limit ${limit}`
