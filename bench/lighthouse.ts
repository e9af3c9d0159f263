import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import lighthouse, { type Result } from 'lighthouse'
import type { BrowserCookies } from '#bin/screenshot-browser.ts'
import { chromiumArguments, findChromium } from '#tests/programs.ts'
import { findFreePort } from '#tests/services.ts'
import { CHAT, type Demo, openDemo } from './demo.ts'
import type { Report, Settings } from './report.ts'

const VISITS = 3
/** In points of 100. */
const least = { performance: 97, accessibility: 100, 'best-practices': 100, seo: 100 }
const categories = Object.keys(least) as (keyof typeof least)[]

/** The pages of the specification. Aya is an admin; `:id` is the first group of a member. */
const pages = {
  visitor: ['/', '/login', '/register', '/products/1'],
  ben: [
    ...['/', '/followingpostlist', '/post', '/edit', '/follow', '/users', CHAT, '/my-groups'],
    ...['/group-chat/:id', '/chat', '/products/1', '/cart', '/user'],
  ],
  aya: ['/admin/dashboard', '/admin/creategroup', '/admin/users'],
}

/** Measures pages with Lighthouse for a phone, with a slow network and processor: medians of three visits. */
export async function measureLighthouse(report: Report, { only }: Settings) {
  const demo = await openDemo()
  const cookies = { visitor: [], ben: await demo.logIn('ben'), aya: await demo.logIn('aya') }
  for (const [who, paths] of Object.entries(pages) as [keyof typeof pages, string[]][])
    for (const path of paths) {
      if (only.length && !only.includes(path)) continue
      const url = demo.url + path.replace(':id', await firstGroup(demo, cookies[who]))
      const results: Result[] = []
      for (let n = 0; n < VISITS; n++) results.push(await judge(demo, url, cookies[who]))
      const points = (result: Result) => result.categories.performance!.score ?? 0
      addResult(report, `${path} (${who})`, results.sort((a, b) => points(a) - points(b))[VISITS >> 1]!)
    }
  await demo.stop()
}

async function firstGroup({ url }: Demo, cookies: BrowserCookies) {
  if (!cookies.length) return ''
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const groups = (await (await fetch(`${url}/api/my-groups`, { headers: { cookie } })).json()) as {
    id: number
  }[]
  return String(groups[0]?.id)
}

/** One visit with an empty cache. */
async function judge({ folder }: Demo, url: string, cookies: BrowserCookies): Promise<Result> {
  const port = await findFreePort()
  const context = await chromium.launchPersistentContext(mkdtempSync(join(folder, 'profile-')), {
    executablePath: findChromium()!,
    args: [...chromiumArguments, `--remote-debugging-port=${port}`],
    viewport: null,
  })
  try {
    await context.addCookies(cookies)
    const found = await lighthouse(url, { port, logLevel: 'error', onlyCategories: categories })
    if (!found || found.lhr.runtimeError)
      throw new Error(`Lighthouse failed on ${url}: ${found?.lhr.runtimeError?.message}`)
    return found.lhr
  } finally {
    await context.close()
  }
}

/** Other categories than performance are reported only if they miss their aim. */
function addResult(report: Report, page: string, result: Result) {
  for (const name of categories) {
    const ours = Math.round((result.categories[name]!.score ?? 0) * 100)
    if (name === 'performance' || ours < least[name])
      report.add({ what: `${page}, ${name}`, ours, unit: 'of 100', aim: { least: least[name] } })
  }
  const value = (id: string) => result.audits[id]?.numericValue ?? Number.NaN
  report.note(
    `    largest paint ${(value('largest-contentful-paint') / 1000).toFixed(2)} s, blocked ` +
      `${value('total-blocking-time').toFixed(0)} ms, shifts ${value('cumulative-layout-shift').toFixed(3)}, ` +
      `${(value('total-byte-weight') / 1024).toFixed(0)} kB`,
  )
  for (const line of [...result.runWarnings, ...costly(result)]) report.note(line)
}

/** How many elements, or errors in the console, are printed for an audit. */
const ITEMS = 4

interface AuditItem {
  node?: { snippet?: string; boundingRect?: { width: number; height: number } }
  /** The text of an error in the console. */
  description?: string
}

function listItems({ details }: Result['audits'][string]) {
  const items = details && 'items' in details ? (details.items as AuditItem[]) : []
  return items.slice(0, ITEMS).flatMap(({ node, description }) => {
    const { width, height } = node?.boundingRect ?? {}
    const size = width === undefined ? '' : `${Math.round(width)} × ${Math.round(height!)} px `
    const text = node?.snippet ?? description
    return text ? [`        ${size}${text.slice(0, 160)}`] : []
  })
}

/** The audits that cost at least half a point of their category. */
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
