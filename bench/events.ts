import { send } from './client.ts'
import { openCommunity } from './community.ts'
import type { Store } from './copies.ts'
import type { Report, Settings } from './report.ts'
import { logIn, percentile } from './told.ts'

/** Members who all say yes; fewer with a smaller scale. */
const MEMBERS = 5000
const PLACES = 100
/** Answers that are on their way together. */
const TOGETHER = 250
/** How many with a place say no together. */
const LEAVE = 60
const aim = { most: 1000 }
const DAY = 86_400_000

/**
 * All members say yes to an event with few places, as fast as they can; then many with a place say no at the
 * same moment. Nobody may have a place too many, and the list must keep its order.
 */
export async function measureEvents(report: Report, settings: Settings, store: Store) {
  const members = Math.round(MEMBERS * Math.min(1, settings.scale))
  const counts = { occasional: 1, postedOnce: 1, neverPosted: 0, posts: 200, likes: 200, messages: 200 }
  const community = await openCommunity({ members, ...counts, follows: 10, notifications: 0 })
  const copy = await store.copy(community)
  const server = await copy.startServer()
  const people = await logIn(server, members)
  const ask = (member: number, method: string, path: string, body?: object) =>
    send(server.url, people.get(member)!, method, path, body)
  const at = (hours: number) => new Date(Date.now() + 30 * DAY + hours * 3600_000).toISOString().slice(0, 16)
  const event = { title: 'Match', zone: 'UTC', begins: at(0), ends: at(2), places: PLACES }
  const { post } = await ask(1, 'POST', '/api/posts', { text: 'Match', extras: { event } })
  const { date } = (await ask(1, 'GET', `/api/events?posts=${post.id}`))[post.id]
  const path = `/api/events/dates/${date.id}/answer`

  const left = Array.from({ length: members - 1 }, (_, n) => n + 2)
  const times: number[] = []
  const run = async () => {
    for (let member = left.shift(); member !== undefined; member = left.shift()) {
      const begun = performance.now()
      await ask(member, 'PUT', path, { answer: 'yes' })
      times.push(performance.now() - begun)
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: TOGETHER }, run))
  report.add({ what: 'event: all have answered', ours: (performance.now() - begun) / 1000, unit: 's' })
  report.add({ what: 'event: an answer, p95', ours: percentile(times, 0.95), unit: 'ms', aim })
  const rows = () =>
    copy.query(`select user_id, queue from event_answers where date_id = ${date.id} and answer = 'yes'`)
  const first = await rows()
  const seated = first.filter(({ queue }) => queue === null).map(({ user_id }) => Number(user_id))
  const waiting = first.filter(({ queue }) => queue !== null)
  const order = waiting.toSorted((a, b) => Number(a.queue) - Number(b.queue))
  if (seated.length !== PLACES || waiting.length !== members - 1 - PLACES)
    report.error(`${seated.length} have a place and ${waiting.length} wait`)
  if (new Set(waiting.map(({ queue }) => Number(queue))).size !== waiting.length)
    report.error('Two wait at the same place of the list')

  await Promise.all(seated.slice(0, LEAVE).map((member) => ask(member, 'PUT', path, { answer: 'no' })))
  const now = (await rows()).filter(({ queue }) => queue === null).map(({ user_id }) => Number(user_id))
  const expected = [...seated.slice(LEAVE), ...order.slice(0, LEAVE).map(({ user_id }) => Number(user_id))]
  if (now.toSorted().join() !== expected.toSorted().join())
    report.error(`After ${LEAVE} left together, others than the first of the list have moved up`)
  await server.stop()
}
