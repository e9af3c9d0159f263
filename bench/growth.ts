import { type BenchCommunity, describeMissingDiskSpaceForBench } from './community.ts'
import {
  type BenchGrowthDimension,
  measuredBenchGrowthDimensions,
  scaleBaseBenchCommunitySize,
} from './community-size.ts'
import {
  createListBenchCases,
  fetchListBenchResponse,
  measureListBenchContestantsInTurns,
  warmUpServerForListBench,
} from './lists.ts'
import { measureIdleServerMemory } from './memory.ts'
import { startBenchServer } from './processes.ts'
import {
  type BenchReportPrinter,
  type BenchSettings,
  CONSTANT_COST_RATIO_BENCH_THRESHOLD,
  measureMediansInTurns,
} from './report.ts'
import { createServerStartTimeMeasurer } from './start.ts'
import { startBenchServerAndCreateRowWriter } from './writes.ts'

const MB = 2 ** 20
const START_TIMES = 5

/**
 * Returns the growth steps to measure: every dimension with factor 10, and with factor 100 if the settings
 * allow it. With `only`, the name of a dimension (option `--dimension`), returns the largest step of this
 * dimension alone.
 */
export const listBenchGrowthDimensionsAndFactors = ({ maxFactor: most }: BenchSettings, only?: string) =>
  [10, 100]
    .filter((factor) => factor <= most && (only === undefined || factor * 10 > most))
    .flatMap((factor) =>
      measuredBenchGrowthDimensions
        .filter((dimension) => only === undefined || dimension === only)
        .map((dimension): [BenchGrowthDimension, number] => [dimension, factor]),
    )

/** Returns whether the disk has space for the grown bench community. If not, adds a note to the report. */
export function hasBenchDiskSpaceOrReportsLack(
  report: BenchReportPrinter,
  dimension: BenchGrowthDimension,
  factor: number,
) {
  const missing = describeMissingDiskSpaceForBench(scaleBaseBenchCommunitySize(dimension, factor))
  if (missing) report.note(`${dimension} ×${factor} is left out: ${missing}`)
  return missing === null
}

/**
 * Measures a small and a large community in turns, and reports the ratio of their costs: times of lists,
 * writes and starts, and memory.
 */
export async function compareAndReportCommunitySizesOnSqlite(
  report: BenchReportPrinter,
  what: string,
  small: BenchCommunity,
  large: BenchCommunity,
  settings: BenchSettings,
) {
  const few = { ...settings, rounds: Math.min(settings.rounds, 3) }
  await ofLists(report, what, small, large, few)
  await ofWrites(report, what, small, large, few)
  const [before, after] = await measureMediansInTurns(
    START_TIMES,
    [createServerStartTimeMeasurer(small.folder), createServerStartTimeMeasurer(large.folder)],
    (one) => one(),
  )
  report.add({
    what: `${what}: start`,
    ours: after!.ms,
    theirs: before!.ms,
    comparedWith: 'itself at ×1',
    unit: 'ms',
    aim: CONSTANT_COST_RATIO_BENCH_THRESHOLD,
  })
  const [idle, more] = [await measureIdleServerMemory(small), await measureIdleServerMemory(large)]
  report.add({
    what: `${what}: idle memory`,
    ours: more / MB,
    theirs: idle / MB,
    comparedWith: 'itself at ×1',
    unit: 'MB',
    aim: CONSTANT_COST_RATIO_BENCH_THRESHOLD,
  })
}

async function ofLists(
  report: BenchReportPrinter,
  what: string,
  small: BenchCommunity,
  large: BenchCommunity,
  settings: BenchSettings,
) {
  const servers = [await startBenchServer(large.folder), await startBenchServer(small.folder)]
  const [grownLists, lists] = await Promise.all([
    createListBenchCases(servers[0]!, large),
    createListBenchCases(servers[1]!, small),
  ])
  for (const list of grownLists.slice(0, 3)) await warmUpServerForListBench(servers[0]!, list)
  for (const list of lists.slice(0, 3)) await warmUpServerForListBench(servers[1]!, list)
  for (const [n, list] of grownLists.entries()) {
    if (list.reader?.followed === 500) continue
    const both = await Promise.all(
      [list, lists[n]!].map(async (list, m) => {
        const { body } = await fetchListBenchResponse(servers[m]!, list)
        return { ...servers[m]!, list, path: list.path, length: body.length }
      }),
    )
    const [ours, theirs] = await measureListBenchContestantsInTurns(both, settings)
    report.add({
      what: `${what}: ${list.what}, processor`,
      ours: ours!.micros,
      theirs: theirs!.micros,
      comparedWith: 'itself at ×1',
      unit: 'µs',
      aim: CONSTANT_COST_RATIO_BENCH_THRESHOLD,
    })
  }
  for (const server of servers) await server.stop()
}

async function ofWrites(
  report: BenchReportPrinter,
  what: string,
  small: BenchCommunity,
  large: BenchCommunity,
  settings: BenchSettings,
) {
  const both = [
    await startBenchServerAndCreateRowWriter(large),
    await startBenchServerAndCreateRowWriter(small),
  ]
  for (const table of ['likes', 'messages'] as const) {
    const count = Math.min(...(await Promise.all(both.map((one) => one.fitting(table, settings)))))
    const [ours, theirs] = await measureMediansInTurns(settings.rounds, both, (one) =>
      one.write(table, one.take(table, count)),
    )
    const aim = { least: 1 / CONSTANT_COST_RATIO_BENCH_THRESHOLD.most }
    report.add({
      what: `${what}: POST ${table.slice(0, -1)}`,
      ours: ours!.perSecond,
      theirs: theirs!.perSecond,
      comparedWith: 'itself at ×1',
      unit: '/s',
      aim,
    })
  }
  for (const one of both) {
    for (const line of one.wrong()) report.error(line)
    await one.stop()
  }
}
