import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { listConversationMemberIds } from '#features/chat/read.ts'
import { readMessageOfDomainEventWithoutCheck } from '#features/chat/read-for-listeners.ts'
import { readPostForListenersWithoutCheck } from '#features/posts/read-for-listeners.ts'
import { readReplyForListenersWithoutCheck } from '#features/replies/read-for-listeners.ts'
import {
  insertMentionsOfNewText,
  type TextWithPossibleMentions,
  updateMentionsOfEditedText,
} from './model.ts'

/**
 * Stores the mentions that a text contains. Does nothing if `text` is undefined. `isNew` is true if the text
 * was created in the same transaction; otherwise the mentions that are already stored are updated.
 */
async function saveMentions(
  context: AppContext,
  tx: Tx,
  text: TextWithPossibleMentions | undefined,
  { isNew }: { isNew: boolean },
) {
  if (text) await (isNew ? insertMentionsOfNewText : updateMentionsOfEditedText)(context, tx, text)
}

export async function savePostMentions(
  context: AppContext,
  tx: Tx,
  event: { id: number } | DomainEvents['post.created'],
  options: { isNew: boolean },
) {
  const post = await readPostForListenersWithoutCheck(context, tx, event)
  const text: TextWithPossibleMentions | undefined = post && { source: 'post', id: event.id, ...post }
  // Stores no mentions of a hidden post, because only its author sees the post.
  if (text && post?.isHidden) text.readViewers = async () => []
  await saveMentions(context, tx, text, options)
}

export async function saveReplyMentions(
  context: AppContext,
  tx: Tx,
  { id }: { id: number },
  options: { isNew: boolean },
) {
  const reply = await readReplyForListenersWithoutCheck(tx, id)
  const post = reply && (await readPostForListenersWithoutCheck(context, tx, { id: reply.post_id }))
  if (!post) return
  const { author, body, post_id, mentioned_id } = reply
  await saveMentions(
    context,
    tx,
    {
      source: 'reply',
      id,
      replied_post_id: post_id,
      author,
      body,
      readViewers: post.isHidden ? async () => [] : post.readViewers,
      otherPeople: [post.author],
      // Stores no mention of the author of the post or of the author of the answered reply, because both get
      // a notification about the reply itself.
      otherwiseNotified: mentioned_id === null ? [post.author] : [post.author, mentioned_id],
    },
    options,
  )
}

export async function saveMessageMentions(
  context: AppContext,
  tx: Tx,
  event: DomainEvents['message.created'] | DomainEvents['message.edited'],
  options: { isNew: boolean },
) {
  const message = await readMessageOfDomainEventWithoutCheck(tx, event)
  await saveMentions(
    context,
    tx,
    message && {
      source: 'message',
      ...{ id: event.id, author: message.author, body: message.body },
      readViewers: () => listConversationMemberIds(tx, message.conversation_id),
    },
    options,
  )
}
