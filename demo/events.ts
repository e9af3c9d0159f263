import { type AppContext, withoutRoles } from '#core/context.ts'
import { answer } from '#features/events/answers.ts'
import type { NewEventInput } from '#features/events/contract.ts'
import * as read from '#features/events/read.ts'
import * as rota from '#features/rota/model.ts'

/** Days from now, and times of day in Tokyo. */
export interface DemoEvent {
  title: string
  place: string
  days: number
  from: string
  to: string
  places?: number
  /** Of weekly dates. */
  weeks?: number
  /** Tasks of the author, and cars of who comes first. */
  jobs?: readonly { kind: 'task' | 'car'; title: string; places: number }[]
}

const DAY = 24 * 3600_000
const answers = ['yes', 'yes', 'yes', 'maybe', 'no'] as const
const dayAfter = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

export const toEvent = ({ title, place, days, from, to, places = 0, weeks }: DemoEvent): NewEventInput => ({
  ...{ title, place, zone: 'Asia/Tokyo', places: places || null, max_guests: 2 },
  ...{ begins: `${dayAfter(days)}T${from}`, ends: `${dayAfter(days)}T${to}` },
  repeats: weeks === undefined ? null : { unit: 'week', until: dayAfter(days + 7 * weeks) },
})

/** The answers of these members. */
export async function seedAnswers(context: AppContext, post: number, members: readonly number[]) {
  for (const [n, member] of members.entries()) {
    const viewer = withoutRoles(context, member)
    const found = (await read.ofPosts(viewer, [post]))[post]
    const said = answers[n % answers.length]!
    if (found) await answer(viewer, found.date.id, { answer: said, note: null, guests: 0 })
  }
}

/** The next member takes a place in each. */
export async function seedJobs(
  context: AppContext,
  { post, author, members }: { post: number; author: number; members: readonly number[] },
  jobs: DemoEvent['jobs'] = [],
) {
  for (const [n, job] of jobs.entries()) {
    const viewer = withoutRoles(context, job.kind === 'car' ? members[0]! : author)
    const found = (await read.ofPosts(viewer, [post]))[post]
    if (!found) continue
    const added = await rota.add(viewer, { id: found.date.id, following: false, ...job })
    await rota.join(withoutRoles(context, members[n + 1]!), added.jobs.at(-1)!.id)
  }
}
