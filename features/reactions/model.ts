import type { MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { withContact } from '#core/feature/contacts.ts'
import { fieldError } from '#core/http/errors.ts'
import { requireNotApart } from '#features/groups/of-two.ts'
import { lockMembers } from '#features/people/blocks.ts'
import type { EmojiCount, SubjectKind } from './contract.ts'
import * as read from './read.ts'
import { type Subject, subjects } from './subjects.ts'

export interface Change {
  target: Subject
  reactions: EmojiCount[]
  /** If false, the caller must not tell whether there was a reaction. */
  isVisible: boolean
  isChanged: boolean
}

/**
 * 404 if the member may not see the post, reply or message, 422 if the admins do not offer the emoji, 403 for
 * a message of a private chat if the two people may not have contact, or of a group of only two people who
 * are kept apart.
 */
export const add = (
  context: MemberContext,
  subject: SubjectKind,
  id: number,
  emoji: string,
): Promise<Change> =>
  withContact(context, 'message_reaction', async (tx) => {
    const { me, emit } = context
    const { column, createNotFoundError, lock } = subjects[subject]
    const viewer = { ...context, db: tx }
    await lockMembers(tx, [me.id])
    const target = await lock(context, tx, id)
    // After the lock, because another transaction may have deleted or hidden the post, reply or message
    // before.
    if (!(await read.isVisible(viewer, subject, id))) throw createNotFoundError()
    requireOfferedEmoji(context, emoji)
    const other = target.pair?.find((person) => person !== me.id)
    if (target.group !== null) await requireNotApart(context, tx, target.group)
    if (other !== undefined) await context.contacts.requireContact(tx, me.id, other)
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('reactions')
      .values({ [column]: id, user_id: me.id, emoji, created_at: isoNow() })
      .onConflict((c) => c.doNothing())
      .executeTakeFirstOrThrow()
    const isChanged = Number(numInsertedOrUpdatedRows) > 0
    if (isChanged) await emit(tx, 'reaction.added', toEvent(subject, target, me.id, emoji))
    return { target, isVisible: true, isChanged, reactions: await readReactions(context, tx, subject, id) }
  })

function requireOfferedEmoji({ settings }: MemberContext, emoji: string) {
  if (!settings.current().reaction_emoji.includes(emoji))
    throw fieldError('emoji', {
      en: 'This emoji is not offered here.',
      ja: 'この絵文字は使えません。',
    })
}

/**
 * Works even if the member may no longer see the post, reply or message, or the admins no longer offer the
 * emoji. 404 if the member neither sees it nor reacts to it with the emoji.
 */
export const remove = (
  context: MemberContext,
  subject: SubjectKind,
  id: number,
  emoji: string,
): Promise<Change> =>
  transaction(context.db, async (tx) => {
    const { me, emit } = context
    const { column, createNotFoundError, lock } = subjects[subject]
    const viewer = { ...context, db: tx }
    const isVisible = await read.isVisible(viewer, subject, id)
    if (!isVisible && !(await read.hasReacted(viewer, subject, id, emoji))) throw createNotFoundError()
    const target = await lock(context, tx, id)
    const { numDeletedRows } = await tx
      .deleteFrom('reactions')
      .where(column, '=', id)
      .where('emoji', '=', emoji)
      .where('user_id', '=', me.id)
      .executeTakeFirstOrThrow()
    const isChanged = Number(numDeletedRows) > 0
    if (isChanged) await emit(tx, 'reaction.removed', toEvent(subject, target, me.id, emoji))
    return { target, isVisible, isChanged, reactions: await readReactions(context, tx, subject, id) }
  })

export const toEvent = (subject: SubjectKind, { id, author }: Subject, user_id: number, emoji: string) => ({
  subject,
  subject_id: id,
  author_id: author,
  user_id,
  emoji,
})

const readReactions = async ({ me }: MemberContext, tx: Tx, subject: SubjectKind, id: number) =>
  (await read.counts({ db: tx, me }, subject, [id])).get(id)!
