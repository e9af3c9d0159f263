import { type MemberContext, withoutRoles } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { fieldError } from '#core/http/errors.ts'
import * as guardians from '#features/guardians/read.ts'
import * as ballots from './ballots.ts'
import type { Answer } from './contract.ts'
import { changePoll } from './model.ts'
import * as read from './read.ts'
import * as reminders from './reminders.ts'
import * as polls from './rows.ts'
import type { PollRow } from './tables.ts'

export interface Vote {
  options?: number[] | undefined
  answers?: { option: number; answer: Answer }[] | undefined
  note: string | null
  guests: number
  for?: number | undefined
}

const wrongChoice = (field: string) =>
  fieldError(field, {
    en: 'Choose from what this poll offers.',
    ja: 'この投票の選択肢から選んでください。',
  })

/** The votes, each option once. 422 unless they fit the poll. */
async function choicesOf(tx: Tx, poll: PollRow, { options, answers }: Vote) {
  const field = poll.kind === 'choice' ? 'options' : 'answers'
  const chosen: { option: number; answer: Answer }[] | undefined =
    field === 'options' ? options?.map((option) => ({ option, answer: 'yes' })) : answers
  if (!chosen) throw fieldError(field, { en: 'Choose something.', ja: 'どれかを選んでください。' })
  const byOption = new Map(chosen.map(({ option, answer }) => [option, answer]))
  const offered = new Set((await polls.listOptions(tx, [poll.id])).map(({ id }) => id))
  const isOffered = [...byOption.keys()].every((option) => offered.has(option))
  if (!isOffered || (poll.choices === 'one' && byOption.size > 1)) throw wrongChoice(field)
  return byOption
}

/** 404 unless the member is a guardian of the child, and the child sees the poll; 422 for a choice. */
async function requireVoter(context: MemberContext, tx: Tx, poll: PollRow, voter: number) {
  if (voter === context.me.id) return
  await guardians.requireGuardian({ ...context, db: tx }, voter)
  if (poll.kind === 'choice')
    throw fieldError('for', {
      en: 'Everybody votes for themselves here.',
      ja: 'この投票では、ほかの人の代わりに投票できません。',
    })
  await read.requirePoll({ ...withoutRoles(context, voter), db: tx }, poll.id)
}

export const vote = (context: MemberContext, id: number, given: Vote) =>
  changePoll(context, id, async (tx, poll) => {
    polls.requireRunning(poll)
    const voter = given.for ?? context.me.id
    await requireVoter(context, tx, poll, voter)
    const choices = await choicesOf(tx, poll, given)
    await storeVoter(context, tx, poll, voter, given, [...choices.values()])
    await reminders.end(context, tx, poll, voter)
    if (poll.ballot === 'secret') {
      await ballots.store(tx, poll, voter, [...choices.keys()])
      return false
    }
    await removeVotes(tx, id, voter)
    const rows = [...choices].map(([option_id, answer]) => ({
      poll_id: id,
      user_id: voter,
      option_id,
      answer,
    }))
    await tx.insertInto('poll_votes').values(rows).execute()
    return true
  })

/** Only who answers about their coming leaves a note; only who comes brings guests. */
async function storeVoter(
  { me }: MemberContext,
  tx: Tx,
  { id, kind }: PollRow,
  voter: number,
  { note, guests }: Vote,
  answers: readonly Answer[],
) {
  const isComing = kind === 'attendance' && answers[0] === 'yes'
  const said = {
    note: kind === 'choice' ? null : note,
    guests: isComing ? guests : 0,
    guardian_id: voter === me.id ? null : me.id,
  }
  await tx
    .insertInto('poll_voters')
    .values({ poll_id: id, user_id: voter, ...said })
    .onConflict((conflict) => conflict.columns(['poll_id', 'user_id']).doUpdateSet(said))
    .execute()
}

const removeVotes = (tx: Tx, poll: number, voter: number) =>
  tx.deleteFrom('poll_votes').where('poll_id', '=', poll).where('user_id', '=', voter).execute()

export const withdraw = (context: MemberContext, id: number, child: number | undefined) =>
  changePoll(context, id, async (tx, poll) => {
    polls.requireRunning(poll)
    const voter = child ?? context.me.id
    await requireVoter(context, tx, poll, voter)
    await removeVotes(tx, id, voter)
    if (poll.ballot === 'secret') await ballots.remove(tx, poll, voter)
    const { numDeletedRows } = await tx
      .deleteFrom('poll_voters')
      .where('poll_id', '=', id)
      .where('user_id', '=', voter)
      .executeTakeFirstOrThrow()
    return poll.ballot === 'named' && Number(numDeletedRows) > 0
  })
