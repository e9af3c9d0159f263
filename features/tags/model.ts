import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { findTagsInText } from '#features/people/text-parts-contract.ts'
import { readPostForListenersWithoutCheck } from '#features/posts/read-for-listeners.ts'

/**
 * Stores the tags in the text of the post of an event, and deletes the stored tags that the text no longer
 * has. Must be called in the transaction that creates or edits the post. `isNew` is true if no tags of the
 * post are stored yet.
 */
export async function storeTagsOfPost(
  context: AppContext,
  tx: Tx,
  event: { id: number },
  { isNew }: { isNew: boolean },
) {
  const { id } = event
  const post = await readPostForListenersWithoutCheck(context, tx, event)
  const tags = findTagsInText(post?.body ?? '')
  if (!isNew) await tx.deleteFrom('post_tags').where('post_id', '=', id).execute()
  if (post && tags.length)
    await tx
      .insertInto('post_tags')
      .values(tags.map((tag) => ({ tag, post_id: id })))
      .execute()
}
