import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { findTagsInText } from '#features/people/text-parts-contract.ts'
import { readPostForListenersWithoutCheck } from '#features/posts/read-for-listeners.ts'

/**
 * Stores the tags of the post of an event, and deletes the earlier ones that its text no longer has. Call
 * it in the transaction that creates or edits the post. `isNew`: the post has no tags yet.
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
