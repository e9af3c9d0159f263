import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { findTags } from '#features/people/text-parts-contract.ts'
import { postOfEvent } from '#features/posts/read-for-listeners.ts'

/** Must be called in the transaction of the post. `isNew`: no tags of the post are stored yet. */
export async function storeTags(
  context: AppContext,
  tx: Tx,
  event: { id: number },
  { isNew }: { isNew: boolean },
) {
  const { id } = event
  const post = await postOfEvent(context, tx, event)
  const tags = findTags(post?.body ?? '')
  if (!isNew) await tx.deleteFrom('post_tags').where('post_id', '=', id).execute()
  if (post && tags.length)
    await tx
      .insertInto('post_tags')
      .values(tags.map((tag) => ({ tag, post_id: id })))
      .execute()
}
