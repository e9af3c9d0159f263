import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { cookies, encode, race, type Side, send, type Who } from './client.ts'
import { type Community, openCommunity } from './community.ts'
import type { Copy, Store } from './copies.ts'
import type { Server } from './processes.ts'
import type { Report, Settings } from './report.ts'
import { pairs, sessionToken } from './rows.ts'

/** Members of whom every second one answers at `/`, all within `SECONDS`; fewer with a smaller scale. */
const MEMBERS = 5000
const SECONDS = 60
/** How many members have a device for push messages. */
const DEVICES = 1000
/** In ms. */
const every = { sample: 250, message: 100, look: 100 }
/** How long messages are sent before anybody is asked, in ms. */
const CALM = 5000
const READERS = 20
const POSTS = 20
const aim = { behind: { most: 1000 }, messages: { most: 1.5 }, list: { most: 1.15 } }

export const percentile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN

/**
 * All members are told of a post; then they are asked and told, and answer, while the mail server and the push service hang. Then lists of
 * posts with polls and requests, beside lists of posts without.
 */
export async function measureTold(report: Report, settings: Settings, store: Store) {
  const members = Math.round(MEMBERS * Math.min(1, settings.scale))
  const counts = { occasional: 1, postedOnce: 1, neverPosted: 0, posts: 2000, likes: 5000, messages: 5000 }
  const community = await openCommunity({ members, ...counts, follows: 10, notifications: 0 })
  await measureAnswers(report, community, store)
  await measureRatio(report, community, settings, store)
}

/** Accepts connections, and never answers. */
async function hang() {
  const server = createServer((socket) => socket.on('error', () => {}))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  const { port } = server.address() as { port: number }
  return { port, stop: () => server.close() }
}

async function measureAnswers(report: Report, community: Community, store: Store) {
  const [mail, push] = [await hang(), await hang()]
  const copy = await store.copy(community)
  if (!copy.url) addDevices(copy, `http://127.0.0.1:${push.port}`)
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    PUSH_LOCAL_SERVICE: `http://127.0.0.1:${push.port}`,
    NEW_POSTS_UP_TO: '99999',
  }
  const server = await copy.startServer(env)
  const people = await logIn(server, community.size.members)
  const messages = sendMessages(server, people, community)
  await sleep(CALM)
  const calm = messages.take()
  const ask = (member: number, method: string, path: string, body?: object) =>
    send(server.url, people.get(member)!, method, path, body)
  const compare = (what: string) => {
    const [ours, theirs] = [messages.take(), calm].map((times) => percentile(times, 0.5)) as [number, number]
    const beside = { beside: 'undisturbed', unit: 'ms', aim: aim.messages }
    report.add({ what: `${what}: others’ messages`, ours, theirs, ...beside })
  }
  const posted = performance.now()
  await ask(1, 'POST', '/api/posts', { text: 'The hall is open' })
  while ((await countRows(copy, `notifications where kind = 'new_post'`)) < people.size - 1)
    await sleep(every.look)
  report.add({ what: 'new post: all are told', ours: (performance.now() - posted) / 1000, unit: 's' })
  compare('new post')
  for (const { what, ...kind } of kinds(ask)) {
    const begun = performance.now()
    const asked = await kind.ask()
    while ((await countRows(copy, kind.told)) < people.size - 1) await sleep(every.look)
    report.add({ what: `${what}: all are told`, ours: (performance.now() - begun) / 1000, unit: 's' })
    messages.take()
    const { behind, failures } = await answerAll(people.size, asked)
    report.add({ what: `${what}: behind, p95`, ours: percentile(behind, 0.95), unit: 'ms', aim: aim.behind })
    compare(what)
    const [stored, counted] = [await countRows(copy, kind.stored), await asked.count()]
    if (failures) report.error(`${failures} answers failed`)
    if (stored !== people.size - 1 || counted !== people.size - 1)
      report.error(`${what}: ${people.size - 1} answered, ${stored} are stored, ${counted} are counted`)
  }
  await messages.stop()
  await server.stop()
  for (const { stop } of [mail, push]) stop()
}

type Ask = (member: number, method: string, path: string, body?: object) => ReturnType<typeof send>

/** What the first member asks. `told` and `stored` are conditions of rows, one for each other member. */
const kinds = (ask: Ask) => [
  {
    what: 'read',
    told: `notifications where kind = 'announcement'`,
    stored: 'acknowledgements',
    async ask() {
      const input = { text: 'The hall is closed', extras: { tell: {}, acknowledgement: {} } }
      const { post } = await ask(1, 'POST', '/api/posts', input)
      return {
        answer: (member: number) => ask(member, 'PUT', `/api/posts/${post.id}/acknowledgement`),
        count: async () =>
          (await ask(1, 'GET', `/api/acknowledgements?posts=${post.id}`)).posts[post.id].counts
            .read as number,
      }
    },
  },
  {
    what: 'roll call',
    told: `notifications where kind = 'roll_call'`,
    stored: 'roll_call_answers',
    async ask() {
      const { id } = await ask(1, 'POST', '/api/roll-calls', { title: 'Earthquake' })
      return {
        answer: (member: number) => ask(member, 'PUT', `/api/roll-calls/${id}/answer`, { state: 'safe' }),
        count: async () => (await ask(1, 'GET', `/api/roll-calls/${id}/board`)).counts.safe as number,
      }
    },
  },
]

interface Asked {
  answer: (member: number) => Promise<unknown>
  count: () => Promise<number>
}

/** `behind`: for how long the count has missed the oldest accepted answer that it misses, in ms. */
async function answerAll(members: number, { answer, count }: Asked) {
  const accepted: number[] = []
  const behind: number[] = []
  const running: Promise<unknown>[] = []
  let failures = 0
  let isOver = false
  const sample = async () => {
    while (!isOver) {
      const at = performance.now()
      const missed = accepted[await count()]
      behind.push(missed === undefined ? 0 : Math.max(0, at - missed))
      await sleep(every.sample)
    }
  }
  const sampling = sample()
  const pause = (SECONDS * 1000) / MEMBERS
  const begun = performance.now()
  for (let member = 2; member <= members; member++) {
    await sleep(Math.max(0, begun + (member - 2) * pause - performance.now()))
    const done = answer(member).then(
      () => accepted.push(performance.now()),
      () => failures++,
    )
    running.push(done)
  }
  await Promise.all(running)
  isOver = true
  await sampling
  return { behind, failures }
}

/** Messages of pairs, one after the other. `take` returns the times of those since the last call, in ms. */
function sendMessages({ url }: Server, people: ReadonlyMap<number, Who>, { size }: Community) {
  const chats = pairs(size)
  let times: number[] = []
  let isOver = false
  const run = async () => {
    for (let n = 0; !isOver; n++) {
      const [from, targetUserId] = chats[n % chats.length]!
      const at = performance.now()
      await send(url, people.get(from)!, 'POST', '/api/send-private-message', { input: `${n}`, targetUserId })
      times.push(performance.now() - at)
      await sleep(every.message)
    }
  }
  const running = run()
  return {
    take() {
      const taken = times
      times = []
      return taken
    },
    stop() {
      isOver = true
      return running
    },
  }
}

export async function logIn({ url }: Server, members: number) {
  const people = new Map<number, Who>()
  const ids = Array.from({ length: members }, (_, n) => n + 1)
  const next = async () => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) people.set(id, await cookies(url, id))
  }
  await Promise.all(Array.from({ length: 8 }, next))
  return people
}

function addDevices({ folder }: Copy, origin: string) {
  const db = new DatabaseSync(join(folder, 'engawa.db'))
  const add = db.prepare(`insert into push_subscriptions
    (user_id, session_hash, endpoint, p256dh, auth, created_at) select user_id, token_hash, ?, ?, ?, ?
    from sessions where token_hash = ?`)
  // A public key of another device, and a secret of sixteen bytes.
  const key = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
  for (let id = 1; id <= DEVICES; id++) {
    const session = createHash('sha256').update(sessionToken(id)).digest('hex')
    add.run(`${origin}/${id}`, key, 'BTBZMqHH6r4Tts7J_aSIgg', new Date().toISOString(), session)
  }
  db.close()
}

const countRows = async (copy: Copy, rows: string) =>
  Number((await copy.query(`select count(*) as count from ${rows}`))[0]!.count)

/** The page `/`, whose newest posts have polls and requests, beside the same without. */
async function measureRatio(report: Report, community: Community, settings: Settings, store: Store) {
  const poll = { kind: 'choice', options: ['Cake', 'Soup', 'Rice'] }
  const open = async (extras: readonly object[]) => {
    const copy = await store.copy(community)
    const server = await copy.startServer()
    const author = await cookies(server.url, 1)
    for (let n = 0; n < POSTS; n++) {
      const more = extras.length > 0 && { extras: extras[n % extras.length] }
      await send(server.url, author, 'POST', '/api/posts', { text: `Post ${n}`, ...more })
    }
    const requests: Buffer[] = []
    for (let id = 2; id < 2 + READERS; id++)
      requests.push(encode('GET', '/', { who: await cookies(server.url, id) }))
    return { server, side: { ...server, requests } satisfies Side }
  }
  const sides = [await open([{ poll }, { acknowledgement: {} }]), await open([])]
  const [ours, theirs] = await race(
    sides.map(({ side }) => side),
    settings,
    store.cpuTime,
  )
  const beside = { beside: 'posts without', aim: aim.list, unit: 'µs' }
  const what = 'page / with polls and requests, processor'
  report.add({ what, ours: ours!.micros, theirs: theirs!.micros, ...beside })
  for (const { server } of sides) await server.stop()
}
