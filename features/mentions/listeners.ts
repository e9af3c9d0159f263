import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import * as chats from '#features/conversations/read.ts'
import { findEventMessage } from '#features/messages/event-message.ts'
import { postOfEvent } from '#features/posts/read-for-listeners.ts'
import { replyOfEvent } from '#features/replies/read-for-listeners.ts'
import type { SourceText } from './model.ts'
import * as mentions from './model.ts'

/** `isNew`: the text was created in the same transaction. Does nothing without a text. */
async function saveMentions(
  context: AppContext,
  tx: Tx,
  text: SourceText | undefined,
  { isNew }: { isNew: boolean },
) {
  if (text) await (isNew ? mentions.insert : mentions.update)(context, tx, text)
}

export async function inPost(
  context: AppContext,
  tx: Tx,
  event: { id: number } | DomainEvents['post.created'],
  options: { isNew: boolean },
) {
  const post = await postOfEvent(context, tx, event)
  const text: SourceText | undefined = post && { source: 'post', id: event.id, ...post }
  // Only its author sees a hidden post.
  if (text && post?.isHidden) text.readViewers = async () => []
  await saveMentions(context, tx, text, options)
}

export async function inReply(
  context: AppContext,
  tx: Tx,
  { id }: { id: number },
  options: { isNew: boolean },
) {
  const reply = await replyOfEvent(tx, id)
  const post = reply && (await postOfEvent(context, tx, { id: reply.post_id }))
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
      // The authors of the post and of the answered reply get a notification about the reply itself.
      otherwiseNotified: mentioned_id === null ? [post.author] : [post.author, mentioned_id],
    },
    options,
  )
}

export async function inMessage(
  context: AppContext,
  tx: Tx,
  event: DomainEvents['message.created'] | DomainEvents['message.edited'],
  options: { isNew: boolean },
) {
  const message = await findEventMessage(tx, event)
  await saveMentions(
    context,
    tx,
    message && {
      source: 'message',
      ...{ id: event.id, author: message.author, body: message.body },
      readViewers: () => chats.listMemberIds(tx, message.conversation_id),
    },
    options,
  )
}
