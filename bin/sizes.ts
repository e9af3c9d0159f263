import { statSync } from 'node:fs'
import { join } from 'node:path'
import { featureModules, pageDefinitions } from '#app.ts'
import { readAssets } from '#core/http/frontend.ts'
import { exitWithError } from '#main.ts'

interface FileSize {
  path: string
  bytes: number
}

/**
 * The maximum size in bytes of the compressed scripts and styles of the page `/` (HOME), and of any other
 * page.
 */
const HOME = 122_500
const OTHERS = 146_600

const sections = featureModules.flatMap(({ pageSections = [] }) => pageSections)

const budgetOf = (path: string) => (path === '/' ? HOME : OTHERS)

/** Returns a line of text for each page whose scripts and styles are larger than the page's budget. */
export const describeOverBudget = (weighed: readonly FileSize[]) =>
  weighed
    .filter(({ path, bytes }) => bytes > budgetOf(path))
    .map(
      ({ path, bytes }) =>
        `${path} needs ${inBytes(bytes)}, ${figure(bytes - budgetOf(path))} more than it may.`,
    )

/**
 * Returns the compressed size of the scripts and styles that each page loads before it is drawn (`weighed`),
 * and the compressed size of each file.
 */
function measureSizes(folder: string) {
  const { entry, assetsOf } = readAssets(folder)
  const files = new Map<string, FileSize>()
  const of = (path: string) => {
    const file = files.get(path) ?? { path, bytes: statSync(join(folder, `${path}.br`)).size }
    files.set(path, file)
    return file
  }
  const weighed = pageDefinitions.map(({ path, view }) => {
    const views = [
      view,
      ...sections.filter((section) => section.path === path).map((section) => section.view),
    ]
    const needed = new Set(
      [entry, ...views.map(assetsOf)].flatMap(({ scripts, styles }) => [...scripts, ...styles]),
    )
    return { path, bytes: [...needed].reduce((sum, file) => sum + of(file).bytes, 0) }
  })
  return { weighed: weighed.sort(heaviestFirst), files: [...files.values()].sort(heaviestFirst) }
}

const heaviestFirst = (a: FileSize, b: FileSize) => b.bytes - a.bytes
const figure = (bytes: number) => bytes.toLocaleString('en')
const inBytes = (bytes: number) => `${figure(bytes)} bytes`
const table = (rows: readonly FileSize[]) =>
  rows.map(({ path, bytes }) => `${figure(bytes).padStart(9)}  ${path}`).join('\n')

if (import.meta.main)
  try {
    const { weighed, files } = measureSizes(join(import.meta.dirname, '../dist'))
    console.log(
      `Bytes that travel before a page is drawn (brotli):\n${table(weighed)}\n\nThe largest files:\n${table(files.slice(0, 10))}`,
    )
    const faults = describeOverBudget(weighed)
    for (const fault of faults) console.error(fault)
    if (faults.length) process.exitCode = 1
  } catch (error) {
    exitWithError(error)
  }
