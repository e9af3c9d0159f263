import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { isoNow, type Tx } from '#core/database/database.ts'
import type { PollRow } from './tables.ts'

// A vote of a secret poll is stored twice: that the member has voted (`poll_voters`), and what was chosen
// (`poll_ballots`), under a name that needs the key of the poll. The end destroys the key and the ballots.
// docs/security.md says what an operator can see.

export const newKey = () => randomBytes(32).toString('base64url')

export const ballotOf = ({ ballot_key }: Pick<PollRow, 'ballot_key'>, member: number) =>
  createHmac('sha256', ballot_key!).update(String(member)).digest('base64url')

export async function remove(tx: Tx, poll: PollRow, member: number) {
  await tx
    .deleteFrom('poll_ballots')
    .where('poll_id', '=', poll.id)
    .where('ballot', '=', ballotOf(poll, member))
    .execute()
}

export async function store(tx: Tx, poll: PollRow, member: number, options: readonly number[]) {
  await remove(tx, poll, member)
  const row = { poll_id: poll.id, ballot: ballotOf(poll, member) }
  await tx
    .insertInto('poll_ballots')
    .values(options.map((option_id) => ({ ...row, option_id })))
    .execute()
}

async function makeSums(tx: Tx, poll: number) {
  await tx
    .updateTable('poll_options')
    .set({ votes: sql`(select count(*) from poll_ballots where option_id = poll_options.id)` })
    .where('poll_id', '=', poll)
    .execute()
}

/** Ends a poll. Of a secret one, only the sums are left. */
export async function close(tx: Tx, poll: PollRow) {
  if (poll.ballot === 'secret') {
    await makeSums(tx, poll.id)
    await tx.deleteFrom('poll_ballots').where('poll_id', '=', poll.id).execute()
  }
  const ended_at = poll.ends_at !== null && poll.ends_at < isoNow() ? poll.ends_at : isoNow()
  await tx.updateTable('polls').set({ ended_at, ballot_key: null }).where('id', '=', poll.id).execute()
}
