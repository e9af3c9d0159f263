import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import type { MemberViewer, ViewerContext } from '#features/people/visibility.ts'
import type { AuthorAudience } from './audiences.ts'
import * as audiences from './audiences.ts'
import { MAX_POST_EDITS, type PostVersion } from './contract.ts'
import { requireLength } from './limits.ts'
import * as read from './read.ts'

/**
 * `viewers` may get the live event; null if the text is the same as before. 404 if the member may not see the
 * post, 403 if another member wrote it or a moderator has hidden it. 422 if the text is too long, if it is
 * empty and the post never had a picture or file, or if the post was edited `MAX_POST_EDITS` times already.
 */
export const editOwnPost = (context: MemberContext, id: number, body: string | null) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const post = await lockPostForEdit(tx, id)
    if (!post || !(await read.isVisible(viewer, id))) throw read.notFound()
    if (post.author !== context.me.id) throw createNotAuthorError()
    if (await audiences.isHidden(tx, id)) throw hiddenError()
    if (post.body === body) return null
    requireLength(context, body, 'text')
    if (!body && !post.removed_images) await requireAttachment(tx, id)
    await storeVersion(tx, id, post)
    await tx
      .updateTable('posts')
      .set((q) => ({ body, edited_at: isoNow(), revision: q('revision', '+', 1) }))
      .where('id', '=', id)
      .execute()
    await context.emit(tx, 'post.edited', { id, user_id: context.me.id })
    return { viewers: await audiences.viewers(viewer, post) }
  })

interface EditedPost extends AuthorAudience {
  body: string | null
  created_at: string
  edited_at: string | null
  removed_images: number
}

/**
 * Locks the post, so that edits run one after the other, and a report copies the text either before or after
 * an edit.
 */
const lockPostForEdit = (tx: Tx, id: number): Promise<EditedPost | undefined> =>
  tx
    .selectFrom('posts')
    .select(['user_id as author', 'audience', 'group_id'])
    .select(['body', 'created_at', 'edited_at', 'removed_images'])
    .where('id', '=', id)
    .$if(isPostgres(tx), (query) => query.forNoKeyUpdate())
    .executeTakeFirst()

async function requireAttachment(tx: Tx, id: number) {
  const found = await tx
    .selectFrom('post_attachments')
    .select('id')
    .where('post_id', '=', id)
    .executeTakeFirst()
  if (!found)
    throw fieldError('text', {
      en: 'Write something. A post without a picture or file needs a text.',
      ja: '文章を入力してください。画像もファイルもない投稿には文章が必要です。',
    })
}

async function storeVersion(tx: Tx, post_id: number, { body, created_at, edited_at }: EditedPost) {
  const { count } = await tx
    .selectFrom('post_versions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('post_id', '=', post_id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_POST_EDITS)
    throw fieldError('text', {
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

export const hiddenError = () =>
  new HttpError(403, {
    en: 'A moderator has hidden this post. It cannot be changed.',
    ja: 'この投稿は、モデレーターが非表示にしているため、編集できません。',
  })

/** Newest first. 404 if the viewer may not see the post. */
export async function listVersions(viewer: ViewerContext, { id, ...page }: PageParams & { id: number }) {
  if (!(await read.isVisible(viewer, id))) throw read.notFound()
  const found = viewer.db
    .selectFrom('post_versions')
    .select(['id', 'body', 'created_at'])
    .where('post_id', '=', id)
  const rows = await pageOf(found, sql`id + 0`, page, 'desc').execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown): PostVersion[] => shown,
  )
}

/** The earlier versions, oldest first, by the id of the post. */
export async function ownVersions({ db, me }: MemberViewer, ids: readonly number[]) {
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
