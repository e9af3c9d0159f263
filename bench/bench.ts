import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { compareAnnouncementsInLargeAndSmallCommunity } from './announcements.ts'
import { describeMissingDiskSpaceForBench, findOrCreateBenchCommunity } from './community.ts'
import { type BenchGrowthDimension, scaleBaseBenchCommunitySize } from './community-size.ts'
import { compareResponseTimesForKnownAndUnknownEmails } from './enumeration.ts'
import { compareMessageFanoutOfServers } from './fanout.ts'
import {
  compareSmallAndLargeCommunityOnSqlite,
  hasBenchDiskSpaceOrReportsLack,
  listBenchGrowthDimensionsAndFactors,
} from './growth.ts'
import { compareSmallAndLargeCommunityOnPostgres } from './growth-postgres.ts'
import { measureResponseWaitsUnderAttack } from './hostile.ts'
import { compareListRequestsWithBareHttp } from './lists.ts'
import { measureCostsAndDeliveriesOfManySockets } from './many-sockets.ts'
import { measureServerMemory } from './memory.ts'
import { compareNotificationCosts } from './notifications.ts'
import { comparePostgresWithAndWithoutRedisCache } from './postgres.ts'
import { compareWritesOnPostgres } from './postgres-writes.ts'
import { compareThreeProxiedProcessesWithOne } from './proxied.ts'
import { type BenchReport, type BenchSettings, createBenchReport } from './report.ts'
import { measureServerStartTime } from './start.ts'
import { compareStaticFilesWithBareHttp } from './static-files.ts'
import { measureReconnectStorm } from './storm.ts'
import { compareWritesWithBareSqlite } from './writes.ts'

// The command `npm run bench -- [section …]` measures one Engawa process on this machine. Some sections
// measure other programs that do the same work, in turns with Engawa, and report the ratio.

const compareGrowth = {
  sqlite: compareSmallAndLargeCommunityOnSqlite,
  postgres: compareSmallAndLargeCommunityOnPostgres,
}

const sections: Record<string, (report: BenchReport, settings: BenchSettings) => Promise<void>> = {
  lists: async (report, settings) =>
    compareListRequestsWithBareHttp(report, await openCommunityAndReport(report, settings), settings),
  writes: async (report, settings) =>
    compareWritesWithBareSqlite(report, await openCommunityAndReport(report, settings), settings),
  fanout: async (report, settings) =>
    compareMessageFanoutOfServers(report, await openCommunityAndReport(report, settings), settings),
  storm: async (report, settings) =>
    measureReconnectStorm(report, await openCommunityAndReport(report, settings)),
  sockets: async (report, settings) =>
    measureCostsAndDeliveriesOfManySockets(report, await openCommunityAndReport(report, settings)),
  memory: async (report, settings) =>
    measureServerMemory(
      report,
      await openCommunityAndReport(report, settings),
      await openCommunityAndReport(report, settings, 'members', 10),
    ),
  start: async (report, settings) =>
    measureServerStartTime(report, await openCommunityAndReport(report, settings)),
  static: compareStaticFilesWithBareHttp,
  notifications: async (report, settings) =>
    compareNotificationCosts(report, await openCommunityAndReport(report, settings), settings),
  announcements: compareAnnouncementsInLargeAndSmallCommunity,
  postgres: async (report, settings) => {
    const community = await openCommunityAndReport(report, settings)
    await comparePostgresWithAndWithoutRedisCache(report, community, settings)
    await compareWritesOnPostgres(report, community, settings)
  },
  proxied: async (report, settings) =>
    compareThreeProxiedProcessesWithOne(
      report,
      await openCommunityAndReport(report, settings),
      settings,
      cpus().length,
    ),
  hostile: measureResponseWaitsUnderAttack,
  enumeration: compareResponseTimesForKnownAndUnknownEmails,
  growth: async (report, settings) => {
    for (const [dimension, factor] of listBenchGrowthDimensionsAndFactors(settings))
      if (hasBenchDiskSpaceOrReportsLack(report, dimension, factor))
        await compareGrowth[settings.database](
          report,
          `${dimension} ×${factor}`,
          await openCommunityAndReport(report, settings),
          await openCommunityAndReport(report, settings, dimension, factor),
          settings,
        )
  },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scale: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '0.6' },
    most: { type: 'string', default: '10' },
    database: { type: 'string', default: 'sqlite' },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const unknown = positionals.find((name) => !(name in sections))
if (unknown) {
  console.error(`There is no section ${unknown}: take ${Object.keys(sections).join(', ')}.`)
  process.exit(1)
}
if (!['sqlite', 'postgres'].includes(values.database)) {
  console.error('--database is sqlite or postgres.')
  process.exit(1)
}
const settings: BenchSettings = {
  rounds: values.quick ? 3 : Number(values.rounds),
  seconds: values.quick ? 0.3 : Number(values.seconds),
  scale: Number(values.scale),
  maxFactor: Number(values.most),
  database: values.database === 'postgres' ? 'postgres' : 'sqlite',
}

const missing = describeMissingDiskSpaceForBench(scaleBaseBenchCommunitySize('all', settings.scale))
if (missing) {
  console.error(`There is no room for --scale ${values.scale}: ${missing}.`)
  process.exit(1)
}
const report = createBenchReport()
const { members, posts, likes, messages, ...others } = scaleBaseBenchCommunitySize('all', settings.scale)
const count = (n: number) => n.toLocaleString('en')
console.log(
  `${count(members)} members, ${count(posts)} posts, ${count(likes)} likes, ${count(messages)} messages.\n` +
    `Besides: ${count(others.occasional)} members who seldom post (“active”, with the others), ` +
    `${count(others.postedOnce)} who posted once, years ago (“posted once”), and ${count(others.neverPosted)} who never did.\n` +
    `${cpus().length} processors, ${cpus()[0]!.model.trim()}; ` +
    `${loadavg()[0]!.toFixed(1)} of them were busy when this began.`,
)
for (const name of positionals.length ? positionals : Object.keys(sections)) {
  report.section(name)
  await sections[name]!(report, settings)
}
if (values.json) report.write(values.json, { settings, node: process.version, at: new Date().toISOString() })

async function openCommunityAndReport(
  report: BenchReport,
  { scale }: BenchSettings,
  dimension: BenchGrowthDimension = 'all',
  factor = scale,
) {
  const start = performance.now()
  const found = await findOrCreateBenchCommunity(scaleBaseBenchCommunitySize(dimension, factor))
  if (found.isNew)
    report.note(`Made a community in ${((performance.now() - start) / 1000).toFixed(0)} s: ${found.folder}`)
  return found
}
