import type { AppContext, MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { withContact } from '#core/feature/contacts.ts'
import type { Written } from '#core/feature/extras.ts'
import { fieldError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { requireNotApart } from '#features/groups/of-two.ts'
import { lockMembers } from '#features/people/blocks.ts'
import { subjects } from '#features/reactions/subjects.ts'
import * as ballots from './ballots.ts'
import { lockKey, prepare } from './broadcasts.ts'
import { MAX_OPTIONS, type NewPoll, type Poll } from './contract.ts'
import * as read from './read.ts'
import * as reminders from './reminders.ts'
import * as polls from './rows.ts'
import type { PollRow } from './tables.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** Ends the poll at its time, unless its author has ended it. */
    end_poll: { poll: number }
  }
}

/** In ms: a poll ends within a year. */
const MAX_TIME = 366 * 24 * 3600_000

function requireAfter(at: string, ends_at: string | null) {
  if (ends_at === null) return null
  const time = Date.parse(ends_at)
  const begin = Math.max(Date.parse(at), Date.now())
  if (!(time > begin && time < begin + MAX_TIME))
    throw fieldError('poll.ends_at', {
      en: 'Choose an end within the next year.',
      ja: '締め切りは、今から1年以内の日時にしてください。',
    })
  return new Date(time).toISOString()
}

const tooFew = {
  choice: { en: 'Write at least two choices.', ja: '選択肢を2つ以上書いてください。' },
  dates: { en: 'Add at least one day.', ja: '日にちを1つ以上入れてください。' },
}

/** 422 if there are too few. */
function optionsOf(poll: NewPoll) {
  if (poll.kind === 'attendance') return [{ text: null, day: null, time: null }]
  if (poll.options.length < (poll.kind === 'choice' ? 2 : 1))
    throw fieldError('poll.options', tooFew[poll.kind])
  return poll.kind === 'choice'
    ? poll.options.map((text) => ({ text, day: null, time: null }))
    : poll.options.map(({ day, time }) => ({ text: null, day, time }))
}

/** Belongs to the transaction that writes the post or message. */
export async function add(context: MemberContext, tx: Tx, { kind: subject, id, at }: Written, poll: NewPoll) {
  const { me } = context
  const { choices, ballot, options_from } =
    poll.kind === 'choice' ? poll : ({ choices: 'several', ballot: 'named', options_from: 'author' } as const)
  const ends_at = requireAfter(at, poll.ends_at)
  const row = await tx
    .insertInto('polls')
    .values({
      post_id: subject === 'post' ? id : null,
      message_id: subject === 'message' ? id : null,
      ...{ user_id: me.id, kind: poll.kind, choices, ballot, results: poll.results, options_from },
      ...{ ends_at, ended_at: null, created_at: isoNow() },
      ballot_key: ballot === 'secret' ? ballots.newKey() : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('poll_options')
    .values(optionsOf(poll).map((option) => ({ poll_id: row.id, user_id: me.id, ...option })))
    .execute()
  if (ends_at !== null) await enqueueJob(tx, 'end_poll', { poll: row.id }, { runAt: new Date(ends_at) })
  tx.afterCommit(await prepare(context, tx, row.id))
}

/**
 * Runs a change of a visible poll, with its post or message locked, and then sends its event. `change` returns
 * whether others see a difference. 404 as in `read.requirePoll`, 403 as for a reaction.
 */
export const changePoll = (
  context: MemberContext,
  id: number,
  change: (tx: Tx, poll: PollRow) => Promise<boolean>,
): Promise<Poll> =>
  context.withLock(lockKey(id), () =>
    withContact(context, 'message_reaction', async (tx) => {
      const viewer = { ...context, db: tx }
      await lockMembers(tx, [context.me.id])
      const { subject, id: content } = polls.subjectOf(await read.requirePoll(viewer, id))
      const target = await subjects[subject].lock(context, tx, content)
      // After the lock, because another transaction may have changed all of it.
      const poll = await read.requirePoll(viewer, id)
      const other = target.pair?.find((person) => person !== context.me.id)
      if (target.group !== null) await requireNotApart(context, tx, target.group)
      if (other !== undefined) await context.contacts.requireContact(tx, context.me.id, other)
      if (await change(tx, poll)) tx.afterCommit(await prepare(context, tx, id))
      return read.get(viewer, id)
    }),
  )

export const addOption = (context: MemberContext, id: number, text: string) =>
  changePoll(context, id, async (tx, poll) => {
    polls.requireRunning(poll)
    const isAuthor = poll.user_id === context.me.id
    if (poll.kind !== 'choice' || (poll.options_from === 'author' && !isAuthor)) throw polls.notAuthor()
    const options = await polls.listOptions(tx, [id])
    if (options.some((option) => option.text === text))
      throw fieldError('text', { en: 'This choice is there already.', ja: 'この選択肢は、もうあります。' })
    if (options.length >= MAX_OPTIONS)
      throw fieldError('text', {
        en: `A poll has at most ${MAX_OPTIONS} choices.`,
        ja: `選択肢は${MAX_OPTIONS}個までです。`,
      })
    const option = { poll_id: id, user_id: context.me.id, text, day: null, time: null }
    await tx.insertInto('poll_options').values(option).execute()
    return true
  })

export const end = (context: MemberContext, id: number) =>
  changePoll(context, id, async (tx, poll) => {
    if (poll.user_id !== context.me.id) throw polls.notAuthor()
    if (poll.ended_at !== null) return false
    await ballots.close(tx, poll)
    await reminders.endAll(tx, poll)
    return true
  })

/** For the job. Does nothing if the poll has ended or is gone. */
export const endInTime = (context: AppContext, id: number) =>
  context.withLock(lockKey(id), () =>
    transaction(context.db, async (tx) => {
      const found = await polls.find(tx, id)
      if (!found) return
      const { subject, id: content } = polls.subjectOf(found)
      await subjects[subject].lock(context, tx, content)
      const poll = await polls.find(tx, id)
      if (!poll || poll.ended_at !== null) return
      await ballots.close(tx, poll)
      await reminders.endAll(tx, poll)
      tx.afterCommit(await prepare(context, tx, id))
    }),
  )
