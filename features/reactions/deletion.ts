import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import { broadcastCounts } from './broadcasts.ts'
import type { SubjectKind } from './contract.ts'
import * as model from './model.ts'
import * as reactions from './read.ts'
import { subjectKinds, subjects } from './subjects.ts'

// The listeners in module.ts call these functions in the transaction of a deletion or of a block. The foreign
// keys delete the reactions to deleted posts and replies.

/** Rows of one SQL statement, and broadcasts after which other work gets a turn of the event loop. */
const BATCH = 500

/** The database does not delete them, because the rows of deleted messages stay in the table `messages`. */
export async function deleteOfMessages(tx: Tx, messages: readonly number[]) {
  for (let first = 0; first < messages.length; first += BATCH)
    await tx
      .deleteFrom('reactions')
      .where('message_id', 'in', messages.slice(first, first + BATCH))
      .execute()
}

export async function deleteOfMember(context: AppContext, tx: Tx, member: number) {
  for (const subject of subjectKinds) await deleteReactionsBy(context, tx, subject, member, () => true)
}

/** Belongs to the transaction of the block. */
export async function deleteMutual(
  context: AppContext,
  tx: Tx,
  { blocker_id, blocked_id }: DomainEvents['member.blocked'],
) {
  for (const [user, author] of [
    [blocker_id, blocked_id],
    [blocked_id, blocker_id],
  ] as const)
    for (const subject of subjectKinds)
      await deleteReactionsBy(context, tx, subject, user, (target) => target.author === author)
}

/**
 * Reads all reactions of the member in batches, oldest first. Emits `reaction.removed` for each deleted
 * reaction, and broadcasts after the commit.
 */
async function deleteReactionsBy(
  context: AppContext,
  tx: Tx,
  subject: SubjectKind,
  user: number,
  isConcerned: (target: { author: number }) => boolean,
) {
  const { column, read } = subjects[subject]
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
        model.toEvent(subject, targets.get(subject_id!)!, user, emoji),
      )
    const counts = await reactions.counts({ db: tx, me: null }, subject, [...targets.keys()])
    tx.afterCommit(async () => {
      for (const [index, target] of [...targets.values()].entries()) {
        broadcastCounts(context, subject, target, counts.get(target.id)!)
        if (index % BATCH === 0) await nextTurn()
      }
    })
  }
}
