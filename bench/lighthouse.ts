import { type AddressInfo, createServer } from 'node:net'
import { type BrowserContext, chromium } from '@playwright/test'
import lighthouse, { type Result } from 'lighthouse'
import { startBenchServerWithDemoCommunity } from '#bench/demo.ts'
import { exitAfterSecondsOrOnSignal } from '#bench/time-limit.ts'
import { logInOrRegisterAndReadCookies } from '#bin/screenshot-browser.ts'
import { OperatorError } from '#core/config.ts'
import { getDemoMemberIndexByEmailLocalPart } from '#demo/members.ts'
import { exitWithError } from '#main.ts'
import { chromiumArguments, findChromiumPath } from '#tests/programs.ts'
import { createTestServerTemporaryFolder, stopAllTestServers } from '#tests/server.ts'

// This program measures pages with Lighthouse and its default settings for a phone: a slow network and a slow
// processor.

const RUNS = 3
/** The minimum of points in each Lighthouse category. */
const LEAST: Record<string, number> = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 }
/** The number of seconds after which the program ends the measurement. */
const TIME_LIMIT = 3600
const onlyCategories = ['performance', 'accessibility', 'best-practices', 'seo']

type Viewer = 'visitor' | 'ben' | 'aya'
interface Judged {
  path: string
  who: Viewer
}
/**
 * The pages of the specification, each with the person who visits it. Aya is an admin. `:id` stands for the
 * first group of the person.
 */
const judged: readonly Judged[] = Object.entries({
  visitor: ['/', '/login', '/register', '/products/1'],
  ben: [
    ...['/', '/followingpostlist', '/post', '/edit', '/follow'],
    ...[
      '/users',
      `/privatechat/${getDemoMemberIndexByEmailLocalPart('tomas') + 1}`,
      '/my-groups',
      '/group-chat/:id',
    ],
    ...['/chat', '/products/1', '/cart', '/user'],
  ],
  aya: ['/admin/dashboard', '/admin/creategroup', '/admin/users'],
}).flatMap(([who, paths]) => paths.map((path) => ({ path, who: who as Viewer })))

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

type Cookies = Parameters<BrowserContext['addCookies']>[0]

async function findIdOfFirstGroup(url: string, cookies: Cookies) {
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const groups = (await (await fetch(`${url}/api/my-groups`, { headers: { cookie } })).json()) as {
    id: number
  }[]
  return String(groups[0]!.id)
}

/** Runs Lighthouse for one visit of a page with an empty cache, and returns its result. */
async function judge(url: string, cookies: Cookies): Promise<Result> {
  const port = await freePort()
  const context = await chromium.launchPersistentContext(await createTestServerTemporaryFolder(), {
    executablePath: findChromiumPath()!,
    args: [...chromiumArguments, `--remote-debugging-port=${port}`],
    viewport: null,
  })
  try {
    await context.addCookies(cookies)
    const found = await lighthouse(url, { port, logLevel: 'error', onlyCategories })
    if (!found || found.lhr.runtimeError)
      throw new Error(`Lighthouse failed on ${url}: ${found?.lhr.runtimeError?.message}`)
    return found.lhr
  } finally {
    await context.close()
  }
}

const toPoints = ({ score }: { score: number | null }) => Math.round((score ?? 0) * 100)
const scoresOf = ({ categories }: Result) => Object.values(categories).map(toPoints)
const isBelowAim = ({ categories }: Result) =>
  Object.entries(categories).some(([id, category]) => toPoints(category) < LEAST[id]!)
const speedOf = ({ categories }: Result) => categories.performance!.score ?? 0
const figure = ({ audits }: Result, id: string) => audits[id]?.numericValue ?? Number.NaN
const headings = ['perf', 'a11y', 'best', 'seo', 'LCP s', 'TBT ms', 'CLS', 'kB']
const rowOf = (result: Result) => [
  ...scoresOf(result),
  (figure(result, 'largest-contentful-paint') / 1000).toFixed(2),
  figure(result, 'total-blocking-time').toFixed(0),
  figure(result, 'cumulative-layout-shift').toFixed(3),
  (figure(result, 'total-byte-weight') / 1024).toFixed(0),
]
const line = (name: string, cells: readonly unknown[]) =>
  name.padEnd(34) + cells.map((cell) => `${cell}`.padStart(8)).join('')

/** The maximum number of elements, or errors in the console, that are printed for an audit. */
const MAX_ITEMS = 4

interface AuditItem {
  node?: { snippet?: string; boundingRect?: { width: number; height: number } }
  /** The text of an error in the console. */
  description?: string
}

/** Returns a line of text for each of the first elements, or errors in the console, that an audit names. */
function listItems({ details }: Result['audits'][string]) {
  const items = details && 'items' in details ? (details.items as AuditItem[]) : []
  return items.slice(0, MAX_ITEMS).flatMap(({ node, description }) => {
    const { width, height } = node?.boundingRect ?? {}
    const size = width === undefined ? '' : `${Math.round(width)} × ${Math.round(height!)} px `
    const text = node?.snippet ?? description
    return text ? [`        ${size}${text.slice(0, 160)}`] : []
  })
}

/**
 * Returns a line of text for each Lighthouse audit that costs at least half a point of its category, and
 * lines for the elements or errors that the audit names.
 */
function costly({ categories, audits }: Result) {
  return Object.values(categories).flatMap(({ id: category, auditRefs }) => {
    const whole = auditRefs.reduce((sum, { weight }) => sum + weight, 0)
    return auditRefs
      .map(({ id, weight }) => ({ id, lost: ((1 - (audits[id]?.score ?? 1)) * weight * 100) / whole }))
      .filter(({ lost }) => lost >= 0.5)
      .flatMap(({ id, lost }) => [
        `    −${lost.toFixed(1)} ${category}: ${audits[id]!.title} (${id}${audits[id]!.displayValue ? `, ${audits[id]!.displayValue}` : ''})`,
        ...listItems(audits[id]!),
      ])
  })
}

async function main() {
  const executablePath = findChromiumPath()
  if (!executablePath) throw new OperatorError('There is no Chromium: install one, or set CHROMIUM_PATH.')
  let work = 'starting the server'
  exitAfterSecondsOrOnSignal(TIME_LIMIT, () => work)
  const { url } = await startBenchServerWithDemoCommunity()
  const browser = await chromium.launch({ executablePath, args: chromiumArguments })
  const cookies = {
    visitor: [],
    ben: await logInOrRegisterAndReadCookies({ browser, url }, 'ben'),
    aya: await logInOrRegisterAndReadCookies({ browser, url }, 'aya'),
  }
  await browser.close()

  const wanted = process.argv.slice(2)
  console.log(line(`median of ${RUNS}, in points of 100`, headings))
  for (const { path, who } of judged) {
    if (wanted.length && !wanted.includes(path)) continue
    work = `visiting ${path}`
    const results: Result[] = []
    const shown = path.includes(':id')
      ? path.replace(':id', await findIdOfFirstGroup(url, cookies[who]))
      : path
    for (let run = 0; run < RUNS; run++) results.push(await judge(url + shown, cookies[who]))
    const median = results.sort((a, b) => speedOf(a) - speedOf(b))[Math.floor(RUNS / 2)]!
    console.log(line(`${path} (${who})`, rowOf(median)))
    for (const words of [...median.runWarnings, ...costly(median)]) console.log(words)
    if (isBelowAim(median)) process.exitCode = 1
  }
}

try {
  await main()
} catch (error) {
  exitWithError(error)
} finally {
  await stopAllTestServers()
}
