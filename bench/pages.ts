import type { Page } from '@playwright/test'
import type { BrowserCookies } from '#bin/screenshot-browser.ts'
import { addLongLists, CHAT, type Demo, MESSAGES, openDemo, POSTS } from './demo.ts'
import type { Report, Settings } from './report.ts'
import { traceTasks } from './trace.ts'

/** Above which a task of the browser counts as long, in ms of processor time (Long Tasks, W3C). */
const LONG = 50

// ── What a person does on each measured page ────────────────────────────────

// Scripts that the bench itself runs in the page must be short while a trace runs, because they run on the
// measured thread.

const countElements = (page: Page, selector: string) =>
  page.evaluate((wanted) => document.querySelectorAll(wanted).length, selector)
/** The page finishes its own work, such as prefetching. */
const settled = (page: Page) => page.waitForTimeout(1500)

/** Scrolls as a person does, until it is done or the position has been the same twenty times. */
async function scroll(
  page: Page,
  by: number,
  readPosition: (page: Page) => Promise<number>,
  isDone: (position: number) => boolean,
) {
  for (let still = 0, before = -1; still < 20; ) {
    for (let n = 0; n < 5; n++) {
      await page.mouse.wheel(0, by)
      await page.waitForTimeout(32)
    }
    const position = await readPosition(page)
    if (isDone(position)) return
    still = position === before ? still + 1 : 0
    before = position
  }
}

const nonsense = 'The quick brown fox jumps over the lazy dog. いろはにほへと、ちりぬるを。'

/**
 * Types into a field. Returns the longest time from a key to the next paint, as the browser measures it. Uses
 * no locator, because Playwright's search for an element takes long on a large page.
 */
async function type(page: Page, field: string) {
  await page.evaluate((selector) => {
    document.querySelector<HTMLElement>(selector)!.focus()
    const kept = window as unknown as { slowest: number }
    kept.slowest = 0
    const note = ({ duration }: { duration: number }) => {
      kept.slowest = Math.max(kept.slowest, duration)
    }
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
      type: 'event',
      durationThreshold: 16,
    } as never)
  }, field)
  await page.keyboard.type(nonsense, { delay: 30 })
  await page.waitForTimeout(500)
  const slowest = await page.evaluate(() => (window as unknown as { slowest: number }).slowest)
  return `slowest key ${slowest} ms`
}

interface Measurement {
  name: string
  /** Can return a text that is printed. */
  act: (page: Page) => Promise<unknown>
  /** Printed after the trace. */
  describe?: (page: Page) => Promise<string>
}
interface Visit {
  path?: string
  /** Runs at the full speed of the processor. */
  before?: (page: Page) => Promise<unknown>
  measurements: readonly Measurement[]
}

const open = async (page: Page) => {
  await page.locator('h1').first().waitFor()
  await settled(page)
}
const goTo = (path: string) => async (page: Page) => {
  await page.goto(path)
  await open(page)
}
const post = 'article[data-post]'
const scrollToLastPost = (page: Page) =>
  scroll(
    page,
    1200,
    (one) => countElements(one, post),
    (count) => count >= POSTS,
  )
/** In pixels, and pixels a second. */
const FLING = { distance: 30_000, speed: 6000 }
async function fling(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Input.synthesizeScrollGesture', {
    x: 200,
    y: 400,
    yDistance: -FLING.distance,
    speed: FLING.speed,
    // Chromium without a window does not scroll by touches.
    gestureSourceType: 'mouse',
  })
  return `${await page.evaluate(() => Math.round(scrollY))} px`
}
const describePosts = async (page: Page) => `${await countElements(page, post)} posts`

/** Ids of messages in the chat have no gaps. */
const firstMessage = (page: Page) =>
  page.evaluate(() => Number(document.querySelector<HTMLElement>('[data-message]')?.dataset.message))
async function readBack(page: Page, count: number) {
  const first = await firstMessage(page)
  await scroll(page, -1200, firstMessage, (id) => id <= first - count)
}
/** For loading messages before a measurement, in s. */
const LOADING_TIME = 200
/** Scrolls back as fast as possible, until the page has enough messages or the time has passed. */
async function loadMessages(page: Page, count: number) {
  await page.locator('.message-list').hover()
  await page.evaluate(
    async ({ wanted, end }) => {
      const list = document.querySelector<HTMLElement>('.message-list')!
      const shown = list.getElementsByClassName('message')
      while (shown.length < wanted && Date.now() < end) {
        list.scrollTop = 0
        await new Promise(requestAnimationFrame)
      }
    },
    { wanted: count, end: Date.now() + LOADING_TIME * 1000 },
  )
  await settled(page)
}
const describeMessages = async (page: Page) => `${await countElements(page, '[data-message]')} messages`

/** How many older messages are loaded by scrolling back while the trace runs. */
const BACK = 400

const longChat = (count: number): Visit => ({
  path: CHAT,
  async before(page) {
    await open(page)
    await loadMessages(page, count - BACK)
  },
  measurements: [
    {
      name: `reading back to ${count} messages`,
      act: (page) => readBack(page, BACK),
      describe: describeMessages,
    },
    {
      name: `writing below ${count} messages`,
      act: (page) => type(page, '.message-box textarea'),
      describe: describeMessages,
    },
  ],
})

/** At full speed only: throttling slows the main thread, and not the compositor that draws the frames. */
const flingVisit: Visit = {
  path: '/',
  before: open,
  measurements: [{ name: 'a fling through the posts', act: fling, describe: describePosts }],
}

const visits: readonly Visit[] = [
  { measurements: [{ name: 'opening the posts', act: goTo('/') }] },
  {
    path: '/',
    before: open,
    measurements: [
      { name: 'scrolling through the posts', act: scrollToLastPost, describe: describePosts },
      {
        name: 'opening the form, the list behind',
        async act(page) {
          await page.locator('a[href="/post"]:visible').first().click()
          await open(page)
        },
      },
      { name: 'writing a post, the list behind', act: (page) => type(page, 'textarea') },
    ],
  },
  { measurements: [{ name: 'opening the chat', act: goTo(CHAT) }] },
  longChat(1000),
]

async function openVisit({ browser, url }: Demo, cookies: BrowserCookies, { path, before }: Visit) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    hasTouch: true,
  })
  await context.addCookies(cookies)
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  if (path) await page.goto(path)
  await before?.(page)
  return page
}

async function measure(report: Report, demo: Demo, page: Page, rate: number, one: Measurement) {
  let said: unknown
  const { tasks, frames } = await traceTasks(demo.browser, page, demo.folder, async () => {
    said = await one.act(page)
  })
  const long = tasks.filter(({ ms }) => ms > LONG)
  const what = `${one.name}${rate > 1 ? `, a ${rate}th of the processor` : ''}`
  report.add({
    ...{ what: `${what}: longest task`, ours: tasks[0]!.ms, unit: 'ms' },
    ...(rate === 1 && { aim: { most: LONG } }),
  })
  report.add({ what: `${what}: tasks over ${LONG} ms`, ours: long.length, unit: '' })
  report.add({ what: `${what}: frames with a blank part`, ours: frames.incomplete, unit: '' })
  const notes = [said, await one.describe?.(page), `${frames.shown} frames`]
  report.note(notes.filter(Boolean).join(', '))
  for (const { ms, passed, work } of long.slice(0, 5))
    report.note(`    ${ms.toFixed(0)} ms (${passed.toFixed(0)} by the clock): ${work}`)
}

/**
 * Measures the longest time for which a page does not react while a person opens, scrolls and writes, and the
 * frames with a blank part: at full speed, and on a processor that is four times slower.
 */
export async function measurePages(report: Report, { only }: Settings) {
  const demo = await openDemo(addLongLists)
  const cookies = await demo.logIn('ben')
  for (const [rate, all] of [
    [1, [...visits, flingVisit, longChat(MESSAGES)]],
    [4, visits],
  ] as const)
    for (const visit of all) {
      // Earlier measurements of the visit run too, because each uses the page as the one before has left it.
      const last = visit.measurements.findLastIndex(({ name }) => only.every((word) => name.includes(word)))
      const wanted = visit.measurements.slice(0, last + 1)
      if (!wanted.length) continue
      const page = await openVisit(demo, cookies, visit)
      const cdp = await page.context().newCDPSession(page)
      await cdp.send('Emulation.setCPUThrottlingRate', { rate })
      for (const one of wanted) await measure(report, demo, page, rate, one)
      await page.context().close()
    }
  await demo.stop()
}
