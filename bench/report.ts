import { writeFileSync } from 'node:fs'

/** One line of the report. */
export interface Figure {
  what: string
  /** With its unit, which is of all three. */
  ours: number
  theirs?: number
  /** Against whom. */
  contestant?: string
  unit: string
  /** A bound on the ratio, or on our own figure where there is no contestant. */
  aim?: Aim
}
export type Aim = { least: number } | { most: number }

/** The aim for costs that should not grow with the community. */
export const FLAT = { most: 1.3 }

export function median(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/**
 * Measures everybody in turn, round after round, so that a slow minute of the machine slows everybody.
 * Returns the medians.
 */
export async function byTurns<One, T extends object>(
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
      names.map((name) => [name, median(some.map((one) => one[name] as number))]),
    ) as T
  })
}

export interface Settings {
  rounds: number
  /** That a slice of a round takes. */
  seconds: number
  /** ×1, ×10, ×100 of the community that is measured. */
  scale: number
  /** How far `growth` goes. */
  most: number
}

export type Report = ReturnType<typeof openReport>

/** Prints each figure as it comes; an aim is printed as met or not, and nothing fails for it. */
export function openReport() {
  const figures: (Figure & { section: string; ratio: number | null; met: boolean | null })[] = []
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
    say: (line: string) => console.log(`  ${line}`),
    add(figure: Figure) {
      const { what, ours, theirs, contestant, unit, aim } = figure
      const ratio = theirs === undefined ? null : ours / theirs
      const judged = ratio ?? ours
      const met =
        aim && !Number.isNaN(judged) ? ('least' in aim ? judged >= aim.least : judged <= aim.most) : null
      figures.push({ ...figure, section, ratio, met })
      row([
        `  ${what}`,
        `${short(ours)} ${unit}`,
        contestant ?? '',
        theirs === undefined ? '' : `${short(theirs)} ${unit}`,
        ratio === null || Number.isNaN(ratio) ? '' : ratio.toFixed(2),
        aim ? ('least' in aim ? `≥ ${short(aim.least)}` : `≤ ${short(aim.most)}`) : '',
        met === null ? '' : met ? 'met' : 'NOT MET',
      ])
    },
    /** Reports an error that was found while measuring. The figures beside it are worth nothing. */
    wrong(line: string) {
      console.log(`  WRONG: ${line}`)
      process.exitCode = 1
    },
    write: (file: string, about: object) =>
      writeFileSync(file, `${JSON.stringify({ ...about, figures }, null, 2)}\n`),
  }
}

const widths = [58, 12, 25, 12, 8, 7, 8]
/** A figure that the system cannot tell is shown as a dash. */
const short = (value: number) =>
  Number.isNaN(value)
    ? '–'
    : value.toLocaleString(
        'en',
        Math.abs(value) >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 },
      )
