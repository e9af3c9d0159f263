import { runTransactionOrRequestContact } from '#core/contacts.ts'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { requireNotOnlyTwoKeptApart } from '#features/chat/group-of-two.ts'
import { lockMemberRowsShared } from '#features/people/blocks.ts'
import type { EmojiReactionCountWithMine, ReactionSubjectKind } from './contract.ts'
import {
  countReactionsByIdAndEmojiWithoutCheck,
  hasReactedWithEmoji,
  isVisibleReactionSubject,
} from './read.ts'
import { type ReactionSubjectWithEventViewers, reactionSubjectFunctionsByKind } from './subjects.ts'

/** The reactions to a post, reply or message after a member added or removed one. */
export interface ReactionChangeResult {
  target: ReactionSubjectWithEventViewers
  reactions: EmojiReactionCountWithMine[]
  /**
   * Whether the member may see the post, reply or message. If not, the caller must not tell whether there was
   * a reaction.
   */
  isVisible: boolean
  /** Whether the request added or removed a reaction. */
  isChanged: boolean
}

/**
 * Adds a reaction of the member to a post, reply or message. Throws 404 if the member may not see it, 422 if
 * the admins do not offer the emoji, and 403 for a message of a private chat if the two people may not have
 * contact, or of a group of only two people who are kept apart.
 */
export const addReaction = (
  context: MemberContext,
  subject: ReactionSubjectKind,
  id: number,
  emoji: string,
): Promise<ReactionChangeResult> =>
  runTransactionOrRequestContact(context, 'message_reaction', async (tx) => {
    const { me, emit } = context
    const { column, createNotFoundError, lock } = reactionSubjectFunctionsByKind[subject]
    const viewer = { ...context, db: tx }
    await lockMemberRowsShared(tx, [me.id])
    const target = await lock(context, tx, id)
    // Checks the visibility after the lock, because another transaction may have deleted or hidden the post,
    // reply or message before.
    if (!(await isVisibleReactionSubject(viewer, subject, id))) throw createNotFoundError()
    requireOfferedEmoji(context, emoji)
    const other = target.pair?.find((person) => person !== me.id)
    if (target.group !== null) await requireNotOnlyTwoKeptApart(context, tx, target.group)
    if (other !== undefined) await context.contacts.requireContact(tx, me.id, other)
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('reactions')
      .values({ [column]: id, user_id: me.id, emoji, created_at: currentIsoTime() })
      .onConflict((c) => c.doNothing())
      .executeTakeFirstOrThrow()
    const isChanged = Number(numInsertedOrUpdatedRows) > 0
    if (isChanged)
      await emit(tx, 'reaction.added', toReactionDomainEventPayload(subject, target, me.id, emoji))
    return { target, isVisible: true, isChanged, reactions: await readReactions(context, tx, subject, id) }
  })

function requireOfferedEmoji({ settings }: MemberContext, emoji: string) {
  if (!settings.current().reaction_emoji.includes(emoji))
    throw createInvalidFieldError('emoji', {
      en: 'This emoji is not offered here.',
      ja: 'この絵文字は使えません。',
    })
}

/**
 * Removes a reaction of the member, even if the member may no longer see the post, reply or message, or the
 * admins no longer offer the emoji. Throws 404 if the member neither sees the post, reply or message nor
 * reacts to it with the emoji.
 */
export const removeReaction = (
  context: MemberContext,
  subject: ReactionSubjectKind,
  id: number,
  emoji: string,
): Promise<ReactionChangeResult> =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    const { column, createNotFoundError, lock } = reactionSubjectFunctionsByKind[subject]
    const viewer = { ...context, db: tx }
    const isVisible = await isVisibleReactionSubject(viewer, subject, id)
    if (!isVisible && !(await hasReactedWithEmoji(viewer, subject, id, emoji))) throw createNotFoundError()
    const target = await lock(context, tx, id)
    const { numDeletedRows } = await tx
      .deleteFrom('reactions')
      .where(column, '=', id)
      .where('emoji', '=', emoji)
      .where('user_id', '=', me.id)
      .executeTakeFirstOrThrow()
    const isChanged = Number(numDeletedRows) > 0
    if (isChanged)
      await emit(tx, 'reaction.removed', toReactionDomainEventPayload(subject, target, me.id, emoji))
    return { target, isVisible, isChanged, reactions: await readReactions(context, tx, subject, id) }
  })

/** Returns the payload of the domain events `reaction.added` and `reaction.removed`. */
export const toReactionDomainEventPayload = (
  subject: ReactionSubjectKind,
  { id, author }: ReactionSubjectWithEventViewers,
  user_id: number,
  emoji: string,
) => ({ subject, subject_id: id, author_id: author, user_id, emoji })

const readReactions = async ({ me }: MemberContext, tx: Tx, subject: ReactionSubjectKind, id: number) =>
  (await countReactionsByIdAndEmojiWithoutCheck({ db: tx, me }, subject, [id])).get(id)!
