import './events.ts'
import { type AppContext, createMemberContextWithoutRoles } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import type { AllowedEventViewers } from '#core/realtime/visibility.ts'
import { findIdHandlePairsOfVisibleMembers } from '#features/people/read-handles.ts'
import { listPossibleHandlesOfEachMention } from '#features/people/text-parts-contract.ts'
import { buildViewerMaySeePersonCondition, buildVisibleMembersQuery } from '#features/people/visibility.ts'

type SourceKind = DomainEvents['mention.created']['source']

/**
 * The names of the columns of the table `mentions` that contain the id of the text, by the kind of the text.
 */
const sourceColumns = { post: 'post_id', reply: 'reply_id', message: 'message_id' } as const

/** A post, reply or message whose text may mention members. */
export interface TextWithPossibleMentions {
  source: SourceKind
  id: number
  /** The id of the post to which the reply belongs; undefined if the text is a post or a message. */
  replied_post_id?: number
  author: number
  body: string | null
  /**
   * Returns the ids of the members who may see the text, as far as its audience, group or chat decides;
   * `members` or undefined for all members.
   */
  readViewers: () => Promise<AllowedEventViewers | undefined>
  /**
   * The ids of people other than the author whom a member must be able to see in order to see the text. For a
   * reply, this is the author of the post.
   */
  otherPeople?: readonly number[]
  /**
   * The ids of the members who get another notification about the text. Their mentions are not stored, so
   * that they get only one notification.
   */
  otherwiseNotified?: readonly number[]
}

/**
 * Stores the mentions in a new text, and emits `mention.created` for each mention. The caller must store the
 * text in the same transaction.
 */
export async function insertMentionsOfNewText(context: AppContext, tx: Tx, text: TextWithPossibleMentions) {
  await insertMentions(context, tx, text, await findMentionedMembers(context, tx, text))
}

/**
 * Makes the stored mentions of a text match its edited words. Emits `mention.created` for each added mention,
 * and `mention.deleted` for each removed one. Emits no event for a mention that stays.
 */
export async function updateMentionsOfEditedText(
  context: AppContext,
  tx: Tx,
  text: TextWithPossibleMentions,
) {
  const earlier = await tx
    .selectFrom('mentions')
    .select(['id', 'mentioned_id'])
    .where(sourceColumns[text.source], '=', text.id)
    .execute()
  const mentioned = await findMentionedMembers(context, tx, text)
  const removed = earlier.filter((row) => !mentioned.includes(row.mentioned_id))
  if (removed.length)
    await tx
      .deleteFrom('mentions')
      .where(
        'id',
        'in',
        removed.map(({ id }) => id),
      )
      .execute()
  for (const { mentioned_id } of removed)
    await context.emit(tx, 'mention.deleted', toEventPayload(text, mentioned_id))
  const known = new Set(earlier.map(({ mentioned_id }) => mentioned_id))
  await insertMentions(
    context,
    tx,
    text,
    mentioned.filter((id) => !known.has(id)),
  )
}

/**
 * Deletes the stored mentions in a post, reply or message that is being deleted, and emits `mention.deleted`
 * for each. For a post, also deletes the mentions in its replies.
 */
export async function deleteMentionsInText(context: AppContext, tx: Tx, source: SourceKind, id: number) {
  const deleted = await tx
    .deleteFrom('mentions')
    .where((where) =>
      source === 'post'
        ? where.or([where('post_id', '=', id), where('replied_post_id', '=', id)])
        : where(sourceColumns[source], '=', id),
    )
    .returning(['post_id', 'reply_id', 'message_id', 'user_id', 'mentioned_id'])
    .execute()
  for (const { post_id, reply_id, message_id, user_id, mentioned_id } of deleted)
    await context.emit(tx, 'mention.deleted', {
      source: post_id !== null ? 'post' : reply_id !== null ? 'reply' : 'message',
      source_id: (post_id ?? reply_id ?? message_id)!,
      user_id,
      mentioned_id,
    })
}

const toEventPayload = ({ source, id, author }: TextWithPossibleMentions, mentioned_id: number) => ({
  source,
  source_id: id,
  user_id: author,
  mentioned_id,
})

async function insertMentions(
  context: AppContext,
  tx: Tx,
  text: TextWithPossibleMentions,
  mentioned: readonly number[],
) {
  if (!mentioned.length) return
  const common = {
    post_id: null,
    reply_id: null,
    replied_post_id: text.replied_post_id ?? null,
    message_id: null,
    user_id: text.author,
    created_at: currentIsoTime(),
    [sourceColumns[text.source]]: text.id,
  }
  await tx
    .insertInto('mentions')
    .values(mentioned.map((mentioned_id) => ({ ...common, mentioned_id })))
    .execute()
  for (const mentioned_id of mentioned)
    await context.emit(tx, 'mention.created', toEventPayload(text, mentioned_id))
}

/**
 * Returns the ids of the members whom a text mentions, if they may see the text and its author, and the
 * author may see them. Leaves out the author and the members of `otherwiseNotified`.
 */
async function findMentionedMembers(context: AppContext, tx: Tx, text: TextWithPossibleMentions) {
  const { author, otherPeople = [], otherwiseNotified = [] } = text
  const mentions = listPossibleHandlesOfEachMention(text.body ?? '')
  if (!mentions.length) return []
  const viewer = { ...createMemberContextWithoutRoles(context, author), db: tx }
  const found = await findIdHandlePairsOfVisibleMembers(viewer, mentions.flat())
  const byHandle = new Map(found.map(({ handle, id }) => [handle, id]))
  const without = new Set([author, ...otherwiseNotified])
  const ids = new Set(
    mentions
      .flatMap((handles) => handles.flatMap((handle) => byHandle.get(handle) ?? []).slice(0, 1))
      .filter((id) => !without.has(id)),
  )
  if (!ids.size) return []
  const allowed = await text.readViewers()
  const isAllowed = Array.isArray(allowed) ? new Set(allowed) : undefined
  const rows = await [author, ...otherPeople]
    .reduce(
      (query, person) => query.where(buildViewerMaySeePersonCondition(person, 'users.id')),
      buildVisibleMembersQuery(viewer)
        .select('users.id')
        .where('users.id', 'in', [...ids]),
    )
    .execute()
  return rows.map(({ id }) => id).filter((id) => isAllowed?.has(id) ?? true)
}
