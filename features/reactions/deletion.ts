import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { broadcastReactionCounts } from './broadcasts.ts'
import type { ReactionSubjectKind } from './contract.ts'
import { toReactionDomainEventPayload } from './model.ts'
import { countReactionsByIdAndEmojiWithoutCheck } from './read.ts'
import { allReactionSubjectKinds, reactionSubjectFunctionsByKind } from './subjects.ts'

// The listeners in module.ts call these functions in the transaction of a deletion or of a block. Reactions
// to deleted posts and replies need no such function, because the database deletes them by their foreign
// keys.

/**
 * The maximum number of rows that one SQL statement reads or deletes. It is also the number of broadcasts
 * after which the function waits for the next turn of the event loop, so that the process can do other work.
 */
const BATCH = 500

/**
 * Deletes the reactions to messages that were deleted. The database does not delete them by itself, because
 * the rows of deleted messages stay in the table `messages`.
 */
export async function deleteReactionsToMessages(tx: Tx, messages: readonly number[]) {
  for (let first = 0; first < messages.length; first += BATCH)
    await tx
      .deleteFrom('reactions')
      .where('message_id', 'in', messages.slice(first, first + BATCH))
      .execute()
}

/** Deletes all reactions of a member, in the transaction that deletes the account. */
export async function deleteReactionsGivenByDeletedMember(context: AppContext, tx: Tx, member: number) {
  for (const subject of allReactionSubjectKinds)
    await deleteReactionsBy(context, tx, subject, member, () => true)
}

/**
 * Deletes the reactions of two people to posts, replies and messages of each other, in the transaction of the
 * block between them.
 */
export async function deleteMutualReactions(
  context: AppContext,
  tx: Tx,
  { blocker_id, blocked_id }: DomainEvents['member.blocked'],
) {
  for (const [user, author] of [
    [blocker_id, blocked_id],
    [blocked_id, blocker_id],
  ] as const)
    for (const subject of allReactionSubjectKinds)
      await deleteReactionsBy(context, tx, subject, user, (target) => target.author === author)
}

/**
 * Deletes the reactions of a member to those posts, replies or messages for which `isConcerned` returns true.
 * Reads all reactions of the member in batches, oldest first. Emits `reaction.removed` for each deleted
 * reaction, and broadcasts the new numbers of reactions after the commit.
 */
async function deleteReactionsBy(
  context: AppContext,
  tx: Tx,
  subject: ReactionSubjectKind,
  user: number,
  isConcerned: (target: { author: number }) => boolean,
) {
  const { column, read } = reactionSubjectFunctionsByKind[subject]
  for (let after = 0, isLast = false; !isLast; ) {
    const rows = await tx
      .selectFrom('reactions')
      .select(['id', `${column} as subject_id`, 'emoji'])
      .where('user_id', '=', user)
      .where(column, 'is not', null)
      .where(({ eb, lit }) => eb(eb('id', '+', lit(0)), '>', after))
      .orderBy(({ eb, lit }) => eb('id', '+', lit(0)))
      .limit(BATCH)
      .execute()
    isLast = rows.length < BATCH
    after = rows.at(-1)?.id ?? after
    const found = await read(context, tx, [...new Set(rows.map(({ subject_id }) => subject_id!))])
    const targets = new Map(found.filter(isConcerned).map((target) => [target.id, target]))
    const removed = rows.filter(({ subject_id }) => targets.has(subject_id!))
    if (!removed.length) continue
    const ids = removed.map(({ id }) => id)
    await tx.deleteFrom('reactions').where('id', 'in', ids).execute()
    for (const { subject_id, emoji } of removed)
      await context.emit(
        tx,
        'reaction.removed',
        toReactionDomainEventPayload(subject, targets.get(subject_id!)!, user, emoji),
      )
    const counts = await countReactionsByIdAndEmojiWithoutCheck({ db: tx, me: null }, subject, [
      ...targets.keys(),
    ])
    tx.afterCommit(async () => {
      for (const [index, target] of [...targets.values()].entries()) {
        broadcastReactionCounts(context, subject, target, counts.get(target.id)!)
        if (index % BATCH === 0) await nextTurn()
      }
    })
  }
}
