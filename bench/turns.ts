import { send } from './client.ts'
import { openCommunity } from './community.ts'
import type { Store } from './copies.ts'
import type { Report, Settings } from './report.ts'
import { logIn } from './told.ts'

/** In all classes together; fewer with a smaller scale. */
const PUPILS = 2000
const CLASS = 40
const aim = { most: 5 }

/** The year turns for all classes of a school, and back. */
export async function measureTurns(report: Report, settings: Settings, store: Store) {
  const classes = Math.ceil((PUPILS * Math.min(1, settings.scale)) / CLASS)
  const members = classes * CLASS + 1
  const counts = { occasional: 1, postedOnce: 1, neverPosted: 0, posts: 200, likes: 200, messages: 200 }
  const community = await openCommunity({ members, ...counts, follows: 10, notifications: 0 })
  const copy = await store.copy(community)
  await copy.query(`update sessions set confirmed_at = '${new Date().toISOString()}'`)
  const server = await copy.startServer()
  const admin = (await logIn(server, 1)).get(1)!
  const ask = (method: string, path: string, body?: object) => send(server.url, admin, method, path, body)
  const lines: { group: number; name: string }[] = []
  for (let one = 0; one < classes; one++) {
    const { group } = await ask('POST', '/api/groups', { name: `Class ${one}, year 5` })
    for (let pupil = 0; pupil < CLASS; pupil++)
      await ask('POST', `/api/groups/${group.id}/add-user`, { user_id: 2 + one * CLASS + pupil })
    lines.push({ group: group.id, name: `Class ${one}, year 6` })
  }
  const seconds = async (method: string, path: string, body?: object) => {
    const begun = performance.now()
    return { answer: await ask(method, path, body), took: (performance.now() - begun) / 1000 }
  }
  const preview = await seconds('POST', '/api/admin/turns/preview', { lines })
  report.add({ what: `turn of ${members - 1} members: preview`, ours: preview.took, unit: 's' })
  const turn = await seconds('POST', '/api/admin/turns', { lines })
  report.add({ what: `turn of ${members - 1} members`, ours: turn.took, unit: 's', aim })
  const [row] = await copy.query(`select count(*) as count from conversation_members m
    join turn_groups t on t.next_id = m.conversation_id`)
  // The admin is in each class.
  if (Number(row!.count) !== classes * (CLASS + 1)) report.error(`${row!.count} are in the new classes`)
  const undo = await seconds('POST', `/api/admin/turns/${turn.answer.id}/undo`)
  report.add({ what: `turn of ${members - 1} members: back`, ours: undo.took, unit: 's' })
  await server.stop()
}
