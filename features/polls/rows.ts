import { sql } from 'kysely'
import { type Db, idIn, isoNow } from '#core/database/database.ts'
import { HttpError } from '#core/http/errors.ts'
import { ballotOf } from './ballots.ts'
import type { Answer, Answers } from './contract.ts'
import type { SharedPoll } from './schemas.ts'
import type { OptionRow, PollRow } from './tables.ts'

// Rows of polls, and what follows from them. Nothing here checks who may see the post or message.

export type PollSubject = 'post' | 'message'
const columns = { post: 'post_id', message: 'message_id' } as const

export const subjectOf = ({ post_id, message_id }: PollRow): { subject: PollSubject; id: number } =>
  post_id !== null ? { subject: 'post', id: post_id } : { subject: 'message', id: message_id! }

export const notFound = () =>
  new HttpError(404, { en: 'There is no such poll.', ja: 'この投票は見つかりません。' })

const hasEnded = () => new HttpError(403, { en: 'This poll has ended.', ja: 'この投票は締め切られました。' })
export const notAuthor = () =>
  new HttpError(403, {
    en: 'Only the person who asks can do this.',
    ja: 'この操作ができるのは、投票を作った人だけです。',
  })

export const find = (db: Db, id: number): Promise<PollRow | undefined> =>
  db.selectFrom('polls').selectAll().where('id', '=', id).executeTakeFirst()

/** 404 if there is none. */
export async function get(db: Db, id: number): Promise<PollRow> {
  const row = await find(db, id)
  if (!row) throw notFound()
  return row
}

export async function list(db: Db, subject: PollSubject, ids: readonly number[]): Promise<PollRow[]> {
  if (!ids.length) return []
  // SQL text, because it runs for each page of posts, and a builder takes more processor time.
  const { rows } = await sql<PollRow>`select * from polls where ${idIn(db, columns[subject], ids)}`.execute(
    db,
  )
  return rows
}

export async function listOptions(db: Db, polls: readonly number[]) {
  const options = sql<OptionRow>`select * from poll_options where ${idIn(db, 'poll_id', polls)} order by id`
  return (await options.execute(db)).rows
}

/** Null while people can vote. */
export const endOf = ({ ended_at, ends_at }: PollRow) =>
  ended_at ?? (ends_at !== null && ends_at <= isoNow() ? ends_at : null)

export function requireRunning(poll: PollRow) {
  if (endOf(poll) !== null) throw hasEnded()
}

/**
 * A secret poll shows its sums only at the end: two earlier ones would differ by the vote of somebody who is
 * known to have voted between them.
 */
export function showsResults(poll: PollRow, hasVoted: boolean) {
  if (poll.ended_at !== null) return true
  if (poll.ballot === 'secret') return false
  return endOf(poll) !== null || poll.results === 'always' || (poll.results === 'voted' && hasVoted)
}

interface Tally {
  /** By option. */
  counts: ReadonlyMap<number, Record<Answer, number>>
  /** By poll. */
  voters: ReadonlyMap<number, { voters: number; guests: number }>
  /** By poll: the answers of one member, without those of secret polls. */
  answers: ReadonlyMap<number, Answers>
}

interface VoteSum {
  poll_id: number
  option_id: number
  answer: Answer
  count: number
  is_own: number
}
interface VoterSum {
  poll_id: number
  voters: number
  guests: number
  own: number
  own_guests: number | null
  own_note: string | null
}

/** The numbers of all votes; those of secret polls are 0 until the end. */
async function tally(
  db: Db,
  polls: readonly PollRow[],
  options: readonly OptionRow[],
  member: number,
): Promise<Tally> {
  const ids = polls.map(({ id }) => id)
  const [votes, voters] = await Promise.all([
    sql<VoteSum>`select poll_id, option_id, answer, count(*) as count,
      max(case when user_id = ${member} then 1 else 0 end) as is_own
      from poll_votes where ${idIn(db, 'poll_id', ids)}
      group by poll_id, option_id, answer order by option_id`.execute(db),
    sql<VoterSum>`select poll_id, count(*) as voters, sum(guests) as guests,
      count(case when user_id = ${member} then 1 end) as own,
      max(case when user_id = ${member} then guests end) as own_guests,
      max(case when user_id = ${member} then note end) as own_note
      from poll_voters where ${idIn(db, 'poll_id', ids)} group by poll_id`.execute(db),
  ])
  const counts = new Map(options.map(({ id, votes: yes }) => [id, { yes, maybe: 0, no: 0 }]))
  for (const { option_id, answer, count } of votes.rows) counts.get(option_id)![answer] = Number(count)
  const byPoll = voters.rows.map(
    (row) => [row.poll_id, { voters: Number(row.voters), guests: Number(row.guests) }] as const,
  )
  const answers = new Map<number, Answers>()
  for (const { poll_id, own, own_guests, own_note } of voters.rows)
    if (Number(own)) answers.set(poll_id, { answers: [], note: own_note, guests: own_guests! })
  for (const { poll_id, option_id: option, answer, is_own } of votes.rows)
    if (is_own) answers.get(poll_id)!.answers.push({ option, answer })
  return { counts, voters: new Map(byPoll), answers }
}

function votersOf({ id, ballot, ended_at }: PollRow, { voters }: Tally) {
  if (ballot === 'secret' && ended_at === null) return null
  return voters.get(id)?.voters ?? 0
}

/**
 * `shared` is for one of the polls, at least one: `showsCounts` says whether its answer has the results.
 * `answers` are those of the member by poll, without those of secret polls.
 */
export async function sharedLookup(db: Db, polls: readonly PollRow[], member = 0) {
  const options = await listOptions(
    db,
    polls.map(({ id }) => id),
  )
  const found = await tally(db, polls, options, member)
  const byPoll = Map.groupBy(options, ({ poll_id }) => poll_id)
  const shared = (poll: PollRow, showsCounts: boolean): SharedPoll => {
    const { id, user_id, kind, choices, ballot, results, options_from, ends_at } = poll
    return {
      ...{ id, user_id, kind, choices, ballot, results, options_from, ends_at, ended_at: endOf(poll) },
      options: (byPoll.get(id) ?? []).map(({ id: option, text, day, time }) => ({
        ...{ id: option, text, day, time },
        counts: showsCounts ? found.counts.get(option)! : null,
      })),
      voters_count: votersOf(poll, found),
      guests_count: showsCounts ? (found.voters.get(id)?.guests ?? 0) : null,
    }
  }
  return { shared, answers: found.answers }
}

/** By poll and member, as `3 7`: what these members have answered. */
export async function answersOf(db: Db, polls: readonly PollRow[], members: readonly number[]) {
  const found = new Map<string, Answers>()
  if (!polls.length || !members.length) return found
  const ids = polls.map(({ id }) => id)
  const secret = polls.filter(({ ballot_key }) => ballot_key !== null)
  const names = new Map(
    secret.flatMap((poll) => members.map((member) => [ballotOf(poll, member), member] as const)),
  )
  const [voters, votes, ballots] = await Promise.all([
    db
      .selectFrom('poll_voters')
      .select(['poll_id', 'user_id', 'note', 'guests'])
      .where('poll_id', 'in', ids)
      .where('user_id', 'in', members)
      .execute(),
    db
      .selectFrom('poll_votes')
      .select(['poll_id', 'user_id', 'option_id', 'answer'])
      .where('poll_id', 'in', ids)
      .where('user_id', 'in', members)
      .orderBy('option_id')
      .execute(),
    names.size
      ? db
          .selectFrom('poll_ballots')
          .select(['poll_id', 'ballot', 'option_id'])
          .where(
            'poll_id',
            'in',
            secret.map(({ id }) => id),
          )
          .where('ballot', 'in', [...names.keys()])
          .orderBy('option_id')
          .execute()
      : [],
  ])
  for (const { poll_id, user_id, note, guests } of voters)
    found.set(`${poll_id} ${user_id}`, { answers: [], note, guests })
  for (const { poll_id, user_id, option_id: option, answer } of votes)
    found.get(`${poll_id} ${user_id}`)!.answers.push({ option, answer })
  for (const { poll_id, ballot, option_id: option } of ballots)
    found.get(`${poll_id} ${names.get(ballot)}`)?.answers.push({ option, answer: 'yes' })
  return found
}
