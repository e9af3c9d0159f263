import type { Tx } from '#core/database/database.ts'
import * as ballots from './ballots.ts'

// The listeners in module.ts call these. The foreign keys delete the polls of posts, and named votes.

/** Rows of one statement. */
const BATCH = 500

/** The rows of deleted messages stay. */
export async function deleteOfMessages(tx: Tx, messages: readonly number[]) {
  for (let first = 0; first < messages.length; first += BATCH)
    await tx
      .deleteFrom('polls')
      .where('message_id', 'in', messages.slice(first, first + BATCH))
      .execute()
}

/** No foreign key leads from a ballot to its member. */
export async function deleteBallots(tx: Tx, member: number) {
  const open = await tx
    .selectFrom('poll_voters as v')
    .innerJoin('polls as p', 'p.id', 'v.poll_id')
    .select('p.ballot_key')
    .where('v.user_id', '=', member)
    .where('p.ballot_key', 'is not', null)
    .execute()
  const names = open.map((poll) => ballots.ballotOf(poll, member))
  for (let first = 0; first < names.length; first += BATCH)
    await tx
      .deleteFrom('poll_ballots')
      .where('ballot', 'in', names.slice(first, first + BATCH))
      .execute()
}
