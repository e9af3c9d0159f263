import { parseArgs } from 'node:util'
import { scalingModelLimits, scalingModelMemberBehaviour } from './scaling-assumptions.ts'
import { SIMULATED_SHARD_COUNT, scalingModelShardKeysByTable } from './scaling-keys.ts'
import { scalingDesignNames } from './scaling-paths.ts'
import {
  computeScalingHotKeyLoads,
  findMemberCountsAtScalingLimits,
  type ScalingSimulationFigures,
  simulateBusiestHourOfCommunity,
} from './scaling-simulation.ts'

// The command `npm run scaling` prints a model of communities that are far larger than any that was measured.
// It starts no server. docs/scaling.md explains the figures.

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, samples: { type: 'string', default: '2000' } },
})
const memberCounts = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]

const round = (value: number) =>
  Number.isFinite(value)
    ? value.toLocaleString(
        'en',
        value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 2 },
      )
    : Number.isNaN(value)
      ? '–'
      : '∞'
const percent = (part: number) => `${round(part * 100)} %`
const gigabytes = (bytes: number) => `${round(bytes / 1e9)} GB`

function printTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]) {
  console.log(`\n${title}`)
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  for (const row of all)
    console.log(row.map((cell, n) => (n ? cell.padStart(widths[n]!) : cell.padEnd(widths[n]!))).join('  '))
}

const simulate = (members: number, design: (typeof scalingDesignNames)[number]) =>
  simulateBusiestHourOfCommunity(members, design, Number(values.seed), Number(values.samples))
const figures = scalingDesignNames.flatMap((design) =>
  memberCounts.map((members) => simulate(members, design)),
)

printKeys()
for (const design of scalingDesignNames)
  printPaths(figures.find((one) => one.members === 1e6 && one.design === design)!)
printHotKeys()
printSizes()
printResources()

/** Prints the number of tables for each kind of shard key. */
function printKeys() {
  const byPlacement = Object.groupBy(
    Object.entries(scalingModelShardKeysByTable),
    ([, { placement }]) => placement,
  )
  const rows = Object.entries(byPlacement).map(([placement, tables]) => [placement, String(tables.length)])
  printTable(`Tables by key (${SIMULATED_SHARD_COUNT} shards)`, ['key', 'tables'], rows)
}

function printPaths({ members, design, paths }: ScalingSimulationFigures) {
  const rows = paths.map(({ name, rate, shards, crossing, otherShards, isWrite }) => [
    name,
    round(rate),
    round(shards.mean),
    round(shards.p99),
    isWrite ? percent(crossing) : '–',
    isWrite ? round(otherShards) : '–',
  ])
  printTable(
    `Shards that one request asks, ${round(members)} members, design “${design}”`,
    ['path', 'a second', 'mean', 'p99', 'several changed', 'others changed'],
    rows,
  )
  const crossing = paths.reduce((sum, one) => sum + one.crossing * one.rate, 0)
  const jobs = paths.reduce((sum, one) => sum + one.otherShards * one.rate, 0)
  console.log(
    design === 'today'
      ? `Transactions on several shards: ${round(crossing)} a second`
      : `Transactions on several shards: none; jobs for other shards: ${round(jobs)} a second`,
  )
}

/** Prints the loads of single keys, which more nodes do not divide. */
function printHotKeys() {
  const rows = memberCounts.map((members) => {
    const hot = computeScalingHotKeyLoads(members)
    const kilobytes = (bytes: number) => `${round(bytes / 1000)} kB`
    return [
      ...[round(members), round(hot.followers), round(hot.likesOfBurst)],
      ...[kilobytes(hot.bytesOfFollowersEvent), kilobytes(hot.bytesOfGroupEvent), round(hot.onlineOfGroup)],
    ]
  })
  printTable(
    'Hot keys, design “today”: the most followed member, and a group of 5,000',
    ['members', 'followers', 'likes/s of a post', 'event to followers', 'event to the group', 'of it online'],
    rows,
  )
}

function printSizes() {
  const figureRows: [string, (one: ScalingSimulationFigures) => string][] = [
    ['requests a second', ({ requests }) => round(requests)],
    ['cores of one PostgreSQL', ({ database }) => round(database.coresOnOneNode)],
    ['jobs a second', ({ jobs }) => round(jobs)],
    ['database nodes', ({ database }) => String(database.nodes)],
    ['cores of all nodes', ({ database }) => round(database.cores)],
    ['cores of the busiest node', ({ database }) => round(database.hottestNode)],
    ['busiest / average shard', ({ database }) => round(database.imbalance)],
    ['rows of a year', ({ database }) => gigabytes(database.bytesOfYear)],
    ['members online', ({ live }) => round(live.online)],
    ['sockets', ({ live }) => round(live.sockets)],
    ['processes', ({ live }) => round(live.processes)],
    ['sockets of a process', ({ live }) => round(live.socketsOfProcess)],
    ['memory of a process', ({ live }) => `${round(live.processMemory / 1e6)} MB`],
    ['list of who is online', ({ live }) => `${round(live.window.presenceList / 1000)} kB`],
    ['events of a window /s', ({ live }) => round(live.window.events)],
    ['frames a second', ({ live }) => round(live.frames)],
    ['bus: read by each process /s', ({ live }) => round(live.read)],
    ['bus: core of each process', ({ live }) => percent(live.busCore)],
    ['Redis: busiest node, deliveries/s', ({ live }) => round(live.hottestDeliveries)],
    ['Redis: busiest node, MB/s', ({ live }) => round(live.busBytes / 1e6)],
    [
      'Redis: commands of limits and locks /s',
      ({ requests }) => round(requests * scalingModelMemberBehaviour.redisCommands),
    ],
    ['Redis nodes', ({ live }) => round(live.redisNodes)],
    ['machines (8 processes each; nodes twice)', ({ machines }) => round(machines)],
    ['pictures a second', ({ media }) => round(media.requests)],
    ['pictures, MB/s', ({ media }) => round(media.bytes / 1e6)],
    ['S3: millions of GET a year', ({ media }) => round(media.getsOfYear / 1e6)],
    ['S3: millions of PUT a year', ({ media }) => round(media.putsOfYear / 1e6)],
    ['S3: TB of a year', ({ media }) => round(media.bytesOfYear / 1e12)],
  ]
  for (const design of scalingDesignNames) {
    const ofDesign = figures.filter((one) => one.design === design)
    const rows = figureRows.map(([name, read]) => [name, ...ofDesign.map(read)])
    printTable(`The busiest hour, design “${design}”`, ['', ...memberCounts.map(round)], rows)
  }
}

/**
 * Prints for each part of the system the use in percent of its limit, and the number of members at which it
 * reaches the limit.
 */
function printResources() {
  for (const design of scalingDesignNames) {
    const ofDesign = figures.filter((one) => one.design === design)
    const names = ofDesign.at(-1)!.resources.map(({ name }) => name)
    const useOf = (one: ScalingSimulationFigures, name: string) =>
      percent(one.resources.find((resource) => resource.name === name)!.use)
    const rows = names.map((name) => [name, ...ofDesign.map((one) => useOf(one, name))])
    printTable(`Use of each limit, design “${design}”`, ['', ...memberCounts.map(round)], rows)
    const found = findMemberCountsAtScalingLimits(design, Number(values.seed)).filter(
      ({ members }) => members !== null,
    )
    const limitRows = found.map(({ name, members }) => [name, round(Number(members!.toPrecision(2)))])
    printTable(`A part reaches its limit, design “${design}”`, ['', 'members'], limitRows)
  }
  console.log(
    `\nA database node has ${scalingModelLimits.coresOfNode} cores, and the rows of ${scalingModelLimits.years} years.`,
  )
}
