import { writeFileSync } from 'node:fs'

export interface Settings {
  rounds: number
  /** How long each side is measured in a round. */
  seconds: number
  /** How many times the community is larger than the smallest one. */
  scale: number
  /** The largest factor of `growth`. */
  most: number
  /** Where `growth` and `soak` measure. */
  database: 'sqlite' | 'postgres'
  /** The one dimension that `growth` measures. */
  dimension?: string | undefined
  /** How long `soak` lasts. */
  minutes: number
  /** Words in the names of what `pages` and `lighthouse` measure; all if there are none. */
  only: readonly string[]
}

/** A floor or a ceiling for `ours` divided by `theirs`, or for `ours` if there is no `theirs`. */
export type Aim = { least: number } | { most: number }
/** The aim for what should not grow with the community. */
export const constant = { most: 1.3 }

interface Figure {
  what: string
  ours: number
  theirs?: number
  /** The name of what `theirs` was measured of. */
  beside?: string
  unit: string
  aim?: Aim
}

export function median(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * Measures each side once in every round, so that a slow minute of the machine slows all of them. Returns the
 * medians of each side.
 */
export async function inTurns<One, T extends object>(
  rounds: number,
  sides: readonly One[],
  measure: (side: One) => Promise<T>,
): Promise<T[]> {
  const found = sides.map((): T[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [n, side] of sides.entries()) found[n]!.push(await measure(side))
  return found.map((some) => {
    const names = Object.keys(some[0]!) as (keyof T)[]
    return Object.fromEntries(
      names.map((name) => [name, median(some.map((one) => one[name] as number))]),
    ) as T
  })
}

export type Report = ReturnType<typeof createReport>

/** Prints each figure at once, and whether it meets its aim. A missed aim fails nothing. */
export function createReport() {
  const figures: (Figure & { part: string; ratio: number | null; met: boolean | null })[] = []
  let part = ''
  return {
    begin(name: string) {
      part = name
      console.log(`\n${name}`)
      print(['', 'ours', 'beside', '', 'ratio', 'aim', ''])
    },
    note: (line: string) => console.log(`  ${line}`),
    add(figure: Figure) {
      const { what, ours, theirs, beside = '', unit, aim } = figure
      const ratio = theirs === undefined ? null : ours / theirs
      const met = aim ? meets(ratio ?? ours, aim) : null
      figures.push({ ...figure, part, ratio, met })
      print([
        `  ${what}`,
        `${short(ours)} ${unit}`,
        beside,
        theirs === undefined ? '' : `${short(theirs)} ${unit}`,
        ratio === null || !Number.isFinite(ratio) ? '' : ratio.toFixed(2),
        aim ? ('least' in aim ? `≥ ${short(aim.least)}` : `≤ ${short(aim.most)}`) : '',
        met === null ? '' : met ? 'met' : 'NOT MET',
      ])
    },
    /** Makes the command fail: the figures beside the error cannot be trusted. */
    error(line: string) {
      console.log(`  WRONG: ${line}`)
      process.exitCode = 1
    },
    write: (file: string, about: object) =>
      writeFileSync(file, `${JSON.stringify({ ...about, figures }, null, 2)}\n`),
  }
}

/** Null for a figure that the system cannot measure. */
function meets(value: number, aim: Aim) {
  if (Number.isNaN(value)) return null
  return 'least' in aim ? value >= aim.least : value <= aim.most
}

const widths = [58, 12, 25, 12, 8, 7, 8]
const print = (cells: readonly string[]) =>
  console.log(
    cells
      .map((cell, n) => (n ? cell.padStart(widths[n]!) : cell.padEnd(widths[n]!)))
      .join('  ')
      .trimEnd(),
  )

const short = (value: number) =>
  Number.isNaN(value)
    ? '–'
    : value.toLocaleString(
        'en',
        Math.abs(value) >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
      )
