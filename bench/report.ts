import { writeFileSync } from 'node:fs'

/** One measured figure, which is one line of the report. */
export interface BenchReportMetric {
  what: string
  /** The measured value of Engawa. `unit` is the unit of both `ours` and `theirs`. */
  ours: number
  theirs?: number
  /**
   * The name of the measurement that Engawa's value is compared with: of another program, or another one of
   * Engawa. `theirs` is its value.
   */
  comparedWith?: string
  unit: string
  /** The target for `ours` divided by `theirs`, or for `ours` alone if there is no `theirs`. */
  aim?: BenchMetricThreshold
}
export type BenchMetricThreshold = { least: number } | { most: number }

/**
 * The target for the ratio of a cost in a large community to the same cost in a small one, if the cost should
 * not grow with the community.
 */
export const CONSTANT_COST_RATIO_BENCH_THRESHOLD = { most: 1.3 }

export function computeMedian(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * Calls `work` for each contestant in every round, so that a slow minute of the machine slows all of them.
 * Returns for each contestant the medians of the numbers that `work` resolves to.
 */
export async function measureMediansInTurns<One, T extends object>(
  rounds: number,
  all: readonly One[],
  work: (one: One) => Promise<T>,
): Promise<T[]> {
  const found = all.map((): T[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [n, one] of all.entries()) found[n]!.push(await work(one))
  return found.map((some) => {
    const names = Object.keys(some[0]!) as (keyof T)[]
    return Object.fromEntries(
      names.map((name) => [name, computeMedian(some.map((one) => one[name] as number))]),
    ) as T
  })
}

export interface BenchSettings {
  rounds: number
  /** The duration of one measurement of one compared program in a round, in seconds. */
  seconds: number
  /** The factor by which the measured community is larger than the smallest one: 1, 10 or 100. */
  scale: number
  /** The largest factor by which the bench section `growth` enlarges the community. */
  maxFactor: number
  /** The database on which the bench section `growth` measures. */
  database: 'sqlite' | 'postgres'
}

export type BenchReportPrinter = ReturnType<typeof createBenchReportPrinter>

/**
 * Creates a report that prints each measured figure at once, and whether the figure meets its target. The
 * bench does not fail if a target is missed.
 */
export function createBenchReportPrinter() {
  const figures: (BenchReportMetric & { section: string; ratio: number | null; met: boolean | null })[] = []
  let section = ''
  const row = (cells: readonly string[]) =>
    console.log(
      cells
        .map((cell, n) => (n ? cell.padStart(widths[n]!) : cell.padEnd(widths[n]!)))
        .join('  ')
        .trimEnd(),
    )
  return {
    section(name: string) {
      section = name
      console.log(`\n${name}`)
      row(['', 'ours', 'against', '', 'ratio', 'aim', ''])
    },
    note: (line: string) => console.log(`  ${line}`),
    add(figure: BenchReportMetric) {
      const { what: label, ours, theirs, comparedWith: contestant, unit, aim: target } = figure
      const ratio = theirs === undefined ? null : ours / theirs
      const judged = ratio ?? ours
      const met =
        target && !Number.isNaN(judged)
          ? 'least' in target
            ? judged >= target.least
            : judged <= target.most
          : null
      figures.push({ ...figure, section, ratio, met })
      row([
        `  ${label}`,
        `${short(ours)} ${unit}`,
        contestant ?? '',
        theirs === undefined ? '' : `${short(theirs)} ${unit}`,
        ratio === null || Number.isNaN(ratio) ? '' : ratio.toFixed(2),
        target ? ('least' in target ? `≥ ${short(target.least)}` : `≤ ${short(target.most)}`) : '',
        met === null ? '' : met ? 'met' : 'NOT MET',
      ])
    },
    /**
     * Prints an error that was found while measuring, and makes the bench exit with the code 1. The figures
     * beside the error are not reliable.
     */
    error(line: string) {
      console.log(`  WRONG: ${line}`)
      process.exitCode = 1
    },
    write: (file: string, about: object) =>
      writeFileSync(file, `${JSON.stringify({ ...about, figures }, null, 2)}\n`),
  }
}

const widths = [58, 12, 25, 12, 8, 7, 8]
/** Returns a figure as text; a dash stands for a figure that the system cannot measure. */
const short = (value: number) =>
  Number.isNaN(value)
    ? '–'
    : value.toLocaleString(
        'en',
        Math.abs(value) >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
      )
