import type { MemberContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import * as attachments from '#features/posts/attachments.ts'
import * as repliedPosts from '#features/posts/replied-posts.ts'
import * as broadcasts from './broadcasts.ts'
import * as model from './model.ts'
import * as read from './read.ts'
import { replyPlace } from './tables.ts'

// The feature `moderation`, which calls these functions, checks the right and records the reason.

export async function findByMedia(db: Db, name: string) {
  const query = db.selectFrom('reply_attachments').select('reply_id').where('media', '=', name)
  return (await query.executeTakeFirst())?.reply_id
}

export const getAttachments = async (context: MemberContext, id: number) =>
  (await attachments.read(context, replyPlace, [id]))(id)

/** By the id of the reply. */
export async function postIds({ db }: MemberContext, ids: readonly number[]) {
  if (!ids.length) return new Map<number, number>()
  const rows = await db.selectFrom('replies').select(['id', 'post_id']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, post_id }) => [id, post_id]))
}

/** Deletes the files of the pictures after the commit. 404 if there is no such reply. */
export async function remove(context: MemberContext, tx: Tx, id: number) {
  const found = await tx.selectFrom('replies').select('post_id').where('id', '=', id).executeTakeFirst()
  if (!found) throw read.notFound()
  await repliedPosts.lock(context, tx, found.post_id)
  const { user_id } = await model.lockRow(tx, id)
  const reply = { id, user_id, post_id: found.post_id }
  const { pictures, post } = await model.deleteRow(context, tx, reply)
  tx.afterCommit(() => {
    broadcasts.removed(context, id, post)
    return context.media.deleteUnreferenced(pictures)
  })
}
