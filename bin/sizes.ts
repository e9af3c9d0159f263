import { statSync } from 'node:fs'
import { join } from 'node:path'
import { modules, pages } from '#app.ts'
import { loadBuiltFiles } from '#core/http/pages.ts'
import { explain } from '#main.ts'

interface Weighed {
  path: string
  bytes: number
}

const HOME = 120_000
const OTHERS = 140_000

const parts = modules.flatMap(({ pageParts = [] }) => pageParts)

const budgetOf = (path: string) => (path === '/' ? HOME : OTHERS)

/** One line for every page that needs more than it may. */
export const tooHeavy = (weighed: readonly Weighed[]) =>
  weighed
    .filter(({ path, bytes }) => bytes > budgetOf(path))
    .map(
      ({ path, bytes }) =>
        `${path} needs ${inBytes(bytes)}, ${figure(bytes - budgetOf(path))} more than it may.`,
    )

/**
 * Compressed sizes of the scripts and styles that each page loads before it is drawn, and of each file
 * once.
 */
function weigh(folder: string) {
  const { entry, needs } = loadBuiltFiles(folder)
  const files = new Map<string, Weighed>()
  const of = (path: string) => {
    const file = files.get(path) ?? { path, bytes: statSync(join(folder, `${path}.br`)).size }
    files.set(path, file)
    return file
  }
  const weighed = pages.map(({ path, view }) => {
    const views = [view, ...parts.filter((part) => part.path === path).map((part) => part.view)]
    const needed = new Set(
      [entry, ...views.map(needs)].flatMap(({ scripts, styles }) => [...scripts, ...styles]),
    )
    return { path, bytes: [...needed].reduce((sum, file) => sum + of(file).bytes, 0) }
  })
  return { weighed: weighed.sort(heaviestFirst), files: [...files.values()].sort(heaviestFirst) }
}

const heaviestFirst = (a: Weighed, b: Weighed) => b.bytes - a.bytes
const figure = (bytes: number) => bytes.toLocaleString('en')
const inBytes = (bytes: number) => `${figure(bytes)} bytes`
const table = (rows: readonly Weighed[]) =>
  rows.map(({ path, bytes }) => `${figure(bytes).padStart(9)}  ${path}`).join('\n')

if (import.meta.main)
  try {
    const { weighed, files } = weigh(join(import.meta.dirname, '../dist'))
    console.log(
      `Bytes that travel before a page is drawn (brotli):\n${table(weighed)}\n\nThe largest files:\n${table(files.slice(0, 10))}`,
    )
    const faults = tooHeavy(weighed)
    for (const fault of faults) console.error(fault)
    if (faults.length) process.exitCode = 1
  } catch (error) {
    explain(error)
  }
