import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { type Community, missingSpace, openCommunity } from './community.ts'
import { postgresStore, redisEnvironment, removeCopies, type Store, sqliteStore } from './copies.ts'
import { measureEnumeration } from './enumeration.ts'
import { measureEvents } from './events.ts'
import { measureFanout } from './fanout.ts'
import { measureGrowth, steps } from './growth.ts'
import { measureFeeds, measureLists } from './lists.ts'
import { createReport, type Settings } from './report.ts'
import { measureMemory, measureStart } from './resources.ts'
import { measureSearch } from './search.ts'
import { type Dimension, dimensions, sized } from './sizes.ts'
import { measureSoak } from './soak.ts'
import { measureTold } from './told.ts'
import { measureTurns } from './turns.ts'
import { measureWrites } from './writes.ts'

// The command `npm run bench -- [part …]` measures Engawa on this machine, in turns with simpler programs that
// do the same work.

const parts = {
  lists: async () => measureLists(report, await open(), settings, sqliteStore),
  feeds: async () => {
    await measureFeeds(report, await open(), settings, sqliteStore)
    await onPostgres(async (store, env) => measureFeeds(report, await open(), settings, store, env))
  },
  writes: async () => measureWrites(report, await open(), settings, sqliteStore),
  postgres: () =>
    onPostgres(async (store, env) => {
      await measureLists(report, await open(), settings, store, env)
      await measureWrites(report, await open(), settings, store, env)
    }),
  fanout: async () => measureFanout(report, await open(), settings),
  memory: async () => measureMemory(report, await open(), await open('members', 10)),
  start: async () => measureStart(report, await open()),
  enumeration: () => measureEnumeration(report, settings),
  growth: async () => {
    for (const [dimension, factor] of steps(settings)) {
      const name = `${dimension} ×${factor}`
      const missing = missingSpace(sized(dimension, factor))
      if (missing) report.note(`${name} is left out: ${missing}`)
      else {
        const communities = [await open(dimension, factor), await open(dimension, 1)] as const
        await inDatabase((store) => measureGrowth(report, name, communities, settings, store))
      }
    }
  },
  events: () => inDatabase((store) => measureEvents(report, settings, store)),
  turns: () => inDatabase((store) => measureTurns(report, settings, store)),
  told: () => inDatabase((store) => measureTold(report, settings, store)),
  search: () => inDatabase((store) => measureSearch(report, settings, store)),
  soak: async () => {
    const community = await open('all', 0.1)
    await inDatabase((store) => measureSoak(report, community, settings, store))
  },
  pages: async () => (await import('./pages.ts')).measurePages(report, settings),
  lighthouse: async () => (await import('./lighthouse.ts')).measureLighthouse(report, settings),
}
type Part = keyof typeof parts
/** They take long, or need a browser, and run only by their names. */
const named: readonly Part[] = ['told', 'events', 'turns', 'search', 'soak', 'pages', 'lighthouse']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '0.6' },
    most: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '60' },
    database: { type: 'string', default: 'sqlite' },
    dimension: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const all = Object.keys(parts) as Part[]
const wanted = positionals.length ? positionals : all.filter((name) => !named.includes(name))
const settings: Settings = {
  rounds: values.quick ? 3 : Number(values.rounds),
  seconds: values.quick ? 0.3 : Number(values.seconds),
  scale: Number(values.scale),
  most: Number(values.most),
  minutes: Number(values.minutes),
  database: values.database === 'postgres' ? 'postgres' : 'sqlite',
  dimension: values.dimension,
  only: values.only,
}
const problem = findProblem()
if (problem) {
  console.error(problem)
  process.exit(1)
}
const report = createReport()
const { members, posts, likes, messages } = sized('all', settings.scale)
const many = (n: number) => n.toLocaleString('en')
console.log(
  `${many(members)} active members, ${many(posts)} posts, ${many(likes)} likes, ${many(messages)} messages. ` +
    `${cpus().length} processors, ${cpus()[0]!.model.trim()}; ` +
    `${loadavg()[0]!.toFixed(1)} of them were busy when this began.`,
)
for (const name of wanted as Part[]) {
  report.begin(name)
  await parts[name]()
  removeCopies()
}
if (values.json) report.write(values.json, { settings, node: process.version, at: new Date().toISOString() })

function findProblem() {
  const unknown = wanted.find((name) => !(name in parts))
  if (unknown) return `There is no part ${unknown}: take ${all.join(', ')}.`
  if (values.dimension !== undefined && !dimensions.some((name) => name === values.dimension))
    return `--dimension is one of ${dimensions.join(', ')}.`
  if (!['sqlite', 'postgres'].includes(values.database)) return '--database is sqlite or postgres.'
  const numbers = ['scale', 'rounds', 'seconds', 'most', 'minutes'] as const
  const wrong = numbers.find((name) => !(Number(values[name]) > 0))
  if (wrong) return `--${wrong} is a number above 0.`
  const missing = missingSpace(sized('all', settings.scale))
  return missing && `There is no room for --scale ${values.scale}: ${missing}.`
}

async function open(dimension: Dimension = 'all', factor = settings.scale): Promise<Community> {
  const start = performance.now()
  const community = await openCommunity(sized(dimension, factor))
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  if (community.isNew) report.note(`Made a community in ${seconds} s: ${community.folder}`)
  return community
}

async function onPostgres(work: (store: Store, env: Record<string, string>) => Promise<unknown>) {
  const store = await postgresStore()
  if (!store) return report.note('PostgreSQL is left out: it needs PostgreSQL and Redis.')
  const redis = await redisEnvironment()
  await work(store, redis.env)
  await redis.stop()
  await store.stop()
}

/** In the database of the option. */
function inDatabase(work: (store: Store) => Promise<unknown>) {
  return settings.database === 'postgres' ? onPostgres(work) : work(sqliteStore)
}
