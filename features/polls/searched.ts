import type { Db } from '#core/database/database.ts'
import type { Watched } from '#features/posts/searched.ts'
import * as rows from './rows.ts'

// What a search index holds of polls: they belong to posts and messages. Checks no rights.

export const watched: readonly (Watched & { of: rows.PollSubject })[] = (
  ['post', 'message'] as const
).flatMap((of) => [
  { of, table: 'polls', id: `ROW.${of}_id`, columns: [] },
  { of, table: 'poll_options', id: `(select ${of}_id from polls where id = ROW.poll_id)`, columns: ['text'] },
])

/** The texts of the options by post or message; those without a poll are left out. */
export async function texts(db: Db, subject: rows.PollSubject, ids: readonly number[]) {
  const polls = await rows.list(db, subject, ids)
  if (!polls.length) return new Map<number, string[]>()
  const options = await rows.listOptions(
    db,
    polls.map(({ id }) => id),
  )
  const byPoll = Map.groupBy(options, ({ poll_id }) => poll_id)
  return new Map(
    polls.map((poll) => [
      rows.subjectOf(poll).id,
      (byPoll.get(poll.id) ?? []).flatMap(({ text }) => text ?? []),
    ]),
  )
}
