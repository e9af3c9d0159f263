import { type Browser, chromium, type Page } from '@playwright/test'
import { startBenchServerWithDemoCommunity } from '#bench/demo.ts'
import {
  insertPagesBenchPostsAndMessages,
  PAGES_BENCH_LONG_CHAT_PATH,
  PAGES_BENCH_MESSAGE_COUNT,
  PAGES_BENCH_POST_COUNT,
} from '#bench/pages-community.ts'
import { exitAfterSecondsOrOnSignal } from '#bench/time-limit.ts'
import { traceBrowserTasksAndFrames } from '#bench/trace.ts'
import { logInOrRegisterAndReadCookies } from '#bin/screenshot-browser.ts'
import { OperatorError } from '#core/config.ts'
import { exitWithError } from '#main.ts'
import { chromiumArguments, findChromiumPath } from '#tests/programs.ts'
import { stopAllTestServers } from '#tests/server.ts'

// This program measures the longest time for which a page in the browser does not react while a person
// scrolls through posts and messages, and while a person writes below them. It also counts the frames that
// show a blank part, because the browser has not drawn it in time.

/**
 * The processor time in milliseconds above which a task of the browser counts as long (50 ms, as in Long
 * Tasks, W3C).
 */
const LONG = 50
/** The number of seconds after which the program ends the measurement. */
const TIME_LIMIT = 270

// ── What a person does on each measured page ────────────────────────────────

// Scripts that the bench itself runs in the page must be short while a trace runs, because they run on the
// measured thread.

const countElements = (page: Page, selector: string) =>
  page.evaluate((wanted) => document.querySelectorAll(wanted).length, selector)
/** Waits 1.5 seconds, so that the page finishes its own work, such as prefetching. */
const settled = (page: Page) => page.waitForTimeout(1500)

/**
 * Scrolls the page in steps of `by` pixels, as a person does, until `isDone` returns true or until the list
 * stands still, which means that `readPosition` returns the same number twenty times.
 */
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
 * Types a text into a field of the page. Returns a text with the longest time from a key press to the next
 * paint, as the browser measures it. Uses no locator, because Playwright's search for an element takes long
 * on a large page.
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
  /** Performs the measured action on the page while the trace runs. Can return a text that is printed. */
  act: (page: Page) => Promise<unknown>
  /** Returns a text about the page that is printed after the trace. */
  describe?: (page: Page) => Promise<string>
}
/** A visit to one page in the browser, on which one or several actions are measured. */
interface Visit {
  path?: string
  /** Prepares the page before the first trace begins, while the processor is not throttled. */
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
    (count) => count >= PAGES_BENCH_POST_COUNT,
  )
/** The distance in pixels of a fling through the posts, and its speed in pixels per second. */
const FLING = { distance: 30_000, speed: 6000 }
/** Scrolls down at the constant speed of a fling. Returns a text with the distance. */
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

/**
 * Returns the id of the first message that the page has rendered. The ids of the messages in the chat have no
 * gaps.
 */
const readFirstMessageId = (page: Page) =>
  page.evaluate(() => Number(document.querySelector<HTMLElement>('[data-message]')?.dataset.message))
/** Scrolls back in the chat, as a person does, until the page has `count` more messages. */
async function readBack(page: Page, count: number) {
  const first = await readFirstMessageId(page)
  await scroll(page, -1200, readFirstMessageId, (id) => id <= first - count)
}
/**
 * The maximum number of seconds for loading messages before a measurement. With words on the command line,
 * which choose some of the measurements, there is time for more messages.
 */
const LOADING_TIME = process.argv.length > 2 ? 200 : 90
/**
 * Scrolls back in the chat as fast as possible, until the page has `count` messages, or until LOADING_TIME has
 * passed.
 */
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

/** The number of older messages that the page loads by scrolling back while the trace runs. */
const READ_BACK = 400

/** Returns the visit to a chat whose page scrolls back until it has `count` messages. */
const visitLongChat = (count: number): Visit => ({
  path: PAGES_BENCH_LONG_CHAT_PATH,
  async before(page) {
    await open(page)
    await loadMessages(page, count - READ_BACK)
  },
  measurements: [
    {
      name: `reading back to ${count} messages`,
      act: (page) => readBack(page, READ_BACK),
      describe: describeMessages,
    },
    {
      name: `writing below ${count} messages`,
      act: (page) => type(page, '.message-box textarea'),
      describe: describeMessages,
    },
  ],
})

/**
 * The visit that counts blank frames of a fling. It runs at full speed only, because the throttling slows
 * only the main thread, and not the compositor that draws the frames.
 */
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
  { measurements: [{ name: 'opening the chat', act: goTo(PAGES_BENCH_LONG_CHAT_PATH) }] },
  visitLongChat(1000),
]

type Cookies = Awaited<ReturnType<typeof logInOrRegisterAndReadCookies>>

async function openVisitedPage(browser: Browser, url: string, cookies: Cookies, { path, before }: Visit) {
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

/**
 * Runs an action on the page, and prints how long the tasks of the page's main thread are. Returns the
 * number of long tasks.
 */
async function measure(browser: Browser, page: Page, rate: number, { name, act, describe }: Measurement) {
  let said: unknown
  const { tasks, frames } = await traceBrowserTasksAndFrames(browser, page, async () => {
    said = await act(page)
  })
  const long = tasks.filter(({ ms }) => ms > LONG)
  const blank = `${frames.incomplete} of ${frames.shown} frames incomplete`
  const notes = [said, await describe?.(page), blank].filter(Boolean).join(', ')
  console.log(
    `×${rate}  ${name.padEnd(34)}longest ${tasks[0]!.ms.toFixed(0).padStart(4)} ms, ${long.length} over ${LONG} ms. ${notes}`,
  )
  for (const { ms, passed, work } of long.slice(0, 5))
    console.log(`      ${ms.toFixed(0)} ms (${passed.toFixed(0)} by the clock): ${work}`)
  return long.length
}

async function main() {
  const executablePath = findChromiumPath()
  if (!executablePath) throw new OperatorError('There is no Chromium: install one, or set CHROMIUM_PATH.')
  let work = 'starting the server'
  exitAfterSecondsOrOnSignal(TIME_LIMIT, () => work)
  const { url } = await startBenchServerWithDemoCommunity(insertPagesBenchPostsAndMessages)
  const browser = await chromium.launch({ executablePath, args: chromiumArguments })
  const cookies = await logInOrRegisterAndReadCookies({ browser, url }, 'ben')
  const words = process.argv.slice(2)
  for (const [rate, all] of [
    [1, [...visits, flingVisit, visitLongChat(PAGES_BENCH_MESSAGE_COUNT)]],
    [4, visits],
  ] as const)
    for (const visit of all) {
      // Also runs the measurements before the wanted one, because each measurement of a visit uses the page
      // as the one before has left it.
      const last = visit.measurements.findLastIndex(({ name }) => words.every((word) => name.includes(word)))
      const wanted = visit.measurements.slice(0, last + 1)
      if (!wanted.length) continue
      work = `preparing to measure: ${wanted[0]!.name}`
      const page = await openVisitedPage(browser, url, cookies, visit)
      const cdp = await page.context().newCDPSession(page)
      await cdp.send('Emulation.setCPUThrottlingRate', { rate })
      for (const measurement of wanted) {
        work = `measuring: ${measurement.name}`
        const long = await measure(browser, page, rate, measurement)
        if (rate === 1 && long) process.exitCode = 1
      }
      await page.context().close()
    }
  await browser.close()
}

try {
  await main()
} catch (error) {
  exitWithError(error)
} finally {
  await stopAllTestServers()
}
