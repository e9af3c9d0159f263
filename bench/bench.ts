import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { compareAndReportAnnouncementsByCommunitySize } from './announcements.ts'
import { describeMissingDiskSpaceForBench, findOrCreateBenchCommunity } from './community.ts'
import {
  type BenchGrowthDimension,
  measuredBenchGrowthDimensions,
  scaleBaseBenchCommunitySize,
} from './community-size.ts'
import { compareAndReportTimesForKnownAndUnknownEmails } from './enumeration.ts'
import { compareAndReportMessageFanoutOfServers } from './fanout.ts'
import { compareAndReportFeedsJustAfterPosts } from './feeds.ts'
import {
  compareAndReportCommunitySizesOnSqlite,
  hasBenchDiskSpaceOrReportsLack,
  listBenchGrowthDimensionsAndFactors,
} from './growth.ts'
import { compareAndReportCommunitySizesOnPostgres } from './growth-postgres.ts'
import { measureAndReportResponseWaitsUnderAttack } from './hostile.ts'
import { compareAndReportListRequestsWithBareHttp } from './lists.ts'
import { measureAndReportManySocketCostsAndDeliveries } from './many-sockets.ts'
import { measureAndReportServerMemory } from './memory.ts'
import { compareAndReportNotificationCosts } from './notifications.ts'
import { compareAndReportPostgresWithAndWithoutRedis } from './postgres.ts'
import { compareAndReportWritesOnPostgres } from './postgres-writes.ts'
import { compareAndReportThreeProxiedProcessesWithOne } from './proxied.ts'
import { type BenchReportPrinter, type BenchSettings, createBenchReportPrinter } from './report.ts'
import { measureAndReportServerStartTime } from './start.ts'
import { compareAndReportStaticFilesWithBareHttp } from './static-files.ts'
import { measureAndReportReconnectStorm } from './storm.ts'
import { compareAndReportWritesWithBareSqlite } from './writes.ts'

// The command `npm run bench -- [section …]` measures one Engawa process on this machine. Some sections
// measure other programs that do the same work, in turns with Engawa, and report the ratio.

const compareGrowth = {
  sqlite: compareAndReportCommunitySizesOnSqlite,
  postgres: compareAndReportCommunitySizesOnPostgres,
}

const sections: Record<string, (report: BenchReportPrinter, settings: BenchSettings) => Promise<void>> = {
  lists: async (report, settings) =>
    compareAndReportListRequestsWithBareHttp(
      report,
      await openCommunityAndReport(report, settings),
      settings,
    ),
  feeds: async (report, settings) =>
    compareAndReportFeedsJustAfterPosts(report, await openCommunityAndReport(report, settings), settings),
  writes: async (report, settings) =>
    compareAndReportWritesWithBareSqlite(report, await openCommunityAndReport(report, settings), settings),
  fanout: async (report, settings) =>
    compareAndReportMessageFanoutOfServers(report, await openCommunityAndReport(report, settings), settings),
  storm: async (report, settings) =>
    measureAndReportReconnectStorm(report, await openCommunityAndReport(report, settings)),
  sockets: async (report, settings) =>
    measureAndReportManySocketCostsAndDeliveries(report, await openCommunityAndReport(report, settings)),
  memory: async (report, settings) =>
    measureAndReportServerMemory(
      report,
      await openCommunityAndReport(report, settings),
      await openCommunityAndReport(report, settings, 'members', 10),
    ),
  start: async (report, settings) =>
    measureAndReportServerStartTime(report, await openCommunityAndReport(report, settings)),
  static: compareAndReportStaticFilesWithBareHttp,
  notifications: async (report, settings) =>
    compareAndReportNotificationCosts(report, await openCommunityAndReport(report, settings), settings),
  announcements: compareAndReportAnnouncementsByCommunitySize,
  postgres: async (report, settings) => {
    const community = await openCommunityAndReport(report, settings)
    await compareAndReportPostgresWithAndWithoutRedis(report, community, settings)
    await compareAndReportWritesOnPostgres(report, community, settings)
  },
  proxied: async (report, settings) =>
    compareAndReportThreeProxiedProcessesWithOne(
      report,
      await openCommunityAndReport(report, settings),
      settings,
      cpus().length,
    ),
  hostile: measureAndReportResponseWaitsUnderAttack,
  enumeration: compareAndReportTimesForKnownAndUnknownEmails,
  growth: async (report, settings) => {
    for (const [dimension, factor] of listBenchGrowthDimensionsAndFactors(settings, values.dimension))
      if (hasBenchDiskSpaceOrReportsLack(report, dimension, factor))
        await compareGrowth[settings.database](
          report,
          `${dimension} ×${factor}`,
          await openCommunityAndReport(report, settings, dimension, 1),
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
    dimension: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
})
const unknown = positionals.find((name) => !(name in sections))
if (unknown) {
  console.error(`There is no section ${unknown}: take ${Object.keys(sections).join(', ')}.`)
  process.exit(1)
}
if (
  values.dimension !== undefined &&
  !measuredBenchGrowthDimensions.some((name) => name === values.dimension)
) {
  console.error(`--dimension is one of ${measuredBenchGrowthDimensions.join(', ')}.`)
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
const report = createBenchReportPrinter()
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
  report: BenchReportPrinter,
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
