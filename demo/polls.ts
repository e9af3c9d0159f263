import { type AppContext, withoutRoles } from '#core/context.ts'
import type { NewPollInput } from '#features/polls/contract.ts'
import * as polls from '#features/polls/rows.ts'
import { vote } from '#features/polls/votes.ts'

/** Days from now, and times of day, among which the author of a post asks. */
export type DemoDates = readonly (readonly [days: number, time: string])[]

const DAY = 24 * 3600_000
const answers = ['yes', 'yes', 'maybe', 'no'] as const

export const toPoll = (dates: DemoDates): NewPollInput => ({
  kind: 'dates',
  options: dates.map(([days, time]) => ({
    day: new Date(Date.now() + days * DAY).toISOString().slice(0, 10),
    time,
  })),
})

/** The votes of these members. */
export async function seedVotes(context: AppContext, post: number, members: readonly number[]) {
  const [poll] = await polls.list(context.db, 'post', [post])
  const options = await polls.listOptions(context.db, [poll!.id])
  for (const [n, member] of members.entries())
    await vote(withoutRoles(context, member), poll!.id, {
      answers: options.map(({ id }, at) => ({ option: id, answer: answers[(n * 3 + at) % 4]! })),
      note: null,
      guests: 0,
    })
}
