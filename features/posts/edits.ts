import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { currentIsoTime, isPostgres, type Tx } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import type { MemberViewerContext, ViewerContext } from '#features/people/visibility.ts'
import { MAX_POST_EDITS, type PostVersion } from './edit-contract.ts'
import { requirePostOrReplyNotTooLong } from './limits.ts'
import { createNoSuchPostError, isVisiblePost } from './read.ts'
import { isPostHiddenByModerator, type PostAuthorAndAudience, readPostEventViewers } from './visible-posts.ts'

// The functions in this file change the text of a post, and store and list the earlier versions of edited
// posts.

/**
 * Changes the text of the member's own post, and stores the earlier text as a version. Returns `viewers`, the
 * viewers who may get the live event about the edit; returns null if the new text is the same as before.
 * Throws 404 if the member may not see the post, and 403 if another member wrote it or a moderator has hidden
 * it. Throws 422 if the text is too long, if it is empty and the post never had a picture, or if the post was
 * edited `MAX_POST_EDITS` times already.
 */
export const editOwnPost = (context: MemberContext, id: number, body: string | null) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const post = await lockPostForEdit(tx, id)
    if (!post || !(await isVisiblePost(viewer, id))) throw createNoSuchPostError()
    if (post.author !== context.me.id) throw createNotAuthorError()
    if (await isPostHiddenByModerator(tx, id)) throw createPostHiddenByModeratorError()
    if (post.body === body) return null
    requirePostOrReplyNotTooLong(context, body, 'text')
    if (!body && !post.removed_images) await requirePicture(tx, id)
    await storeVersion(tx, id, post)
    await tx
      .updateTable('posts')
      .set((q) => ({ body, edited_at: currentIsoTime(), revision: q('revision', '+', 1) }))
      .where('id', '=', id)
      .execute()
    await context.emit(tx, 'post.edited', { id, user_id: context.me.id })
    return { viewers: await readPostEventViewers(viewer, post) }
  })

interface EditedPost extends PostAuthorAndAudience {
  body: string | null
  created_at: string
  edited_at: string | null
  removed_images: number
}

/**
 * Locks a post until the commit, and returns it as it is before the edit; undefined if there is no such post.
 * So edits run one after the other, and a report copies the text either before or after an edit. SQLite needs
 * no lock, because it runs one transaction at a time.
 */
const lockPostForEdit = (tx: Tx, id: number): Promise<EditedPost | undefined> =>
  tx
    .selectFrom('posts')
    .select(['user_id as author', 'audience', 'group_id'])
    .select(['body', 'created_at', 'edited_at', 'removed_images'])
    .where('id', '=', id)
    .$if(isPostgres(tx), (query) => query.forNoKeyUpdate())
    .executeTakeFirst()

async function requirePicture(tx: Tx, id: number) {
  const picture = await tx.selectFrom('post_images').select('id').where('post_id', '=', id).executeTakeFirst()
  if (!picture)
    throw createInvalidFieldError('text', {
      en: 'Write something. A post without a picture needs a text.',
      ja: '文章を入力してください。画像のない投稿には文章が必要です。',
    })
}

async function storeVersion(tx: Tx, post_id: number, { body, created_at, edited_at }: EditedPost) {
  const { count } = await tx
    .selectFrom('post_versions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('post_id', '=', post_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_POST_EDITS)
    throw createInvalidFieldError('text', {
      en: `A post can be edited at most ${MAX_POST_EDITS} times.`,
      ja: `1件の投稿を編集できるのは${MAX_POST_EDITS}回までです。`,
    })
  const version = { post_id, body, created_at: edited_at ?? created_at }
  await tx.insertInto('post_versions').values(version).execute()
}

const createNotAuthorError = () =>
  new HttpError(403, {
    en: 'Only the author can edit a post.',
    ja: '投稿を編集できるのは、投稿した人だけです。',
  })

/** Creates the error 403 for an attempt to edit or pin a post that a moderator has hidden. */
export const createPostHiddenByModeratorError = () =>
  new HttpError(403, {
    en: 'A moderator has hidden this post. It cannot be changed.',
    ja: 'モデレーターがこの投稿を非表示にしたため、変更できません。',
  })

/**
 * Returns one page of the earlier versions of a post, newest first. Throws 404 if the viewer may not see the
 * post.
 */
export async function listPostVersions(
  viewer: ViewerContext,
  { id, ...page }: PaginationParameters & { id: number },
) {
  if (!(await isVisiblePost(viewer, id))) throw createNoSuchPostError()
  const found = viewer.db
    .selectFrom('post_versions')
    .select(['id', 'body', 'created_at'])
    .where('post_id', '=', id)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, sql`id + 0`, page, 'desc').execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown): PostVersion[] => shown,
  )
}

/**
 * Returns the earlier versions of the viewer's own posts, oldest first, as a Map by the id of the post. The
 * export of the viewer's data uses it.
 */
export async function readEarlierOwnPostVersionsByPostId(
  { db, me }: MemberViewerContext,
  ids: readonly number[],
) {
  const rows = await db
    .selectFrom('post_versions as v')
    .innerJoin('posts as p', 'p.id', 'v.post_id')
    .select(['v.post_id', 'v.body', 'v.created_at'])
    .where('v.post_id', 'in', ids.length ? ids : [0])
    .where('p.user_id', '=', me.id)
    .orderBy('v.id')
    .execute()
  return Map.groupBy(rows, ({ post_id }) => post_id)
}
