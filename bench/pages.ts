import { type Browser, chromium, type Page } from '@playwright/test'
import { startDemoServer } from '#bench/demo.ts'
import { exitAfterSeconds } from '#bench/time-limit.ts'
import { traceMainThreadTasks } from '#bench/trace.ts'
import { logInOrRegisterAndReadCookies } from '#bin/screenshot-browser.ts'
import { OperatorError } from '#core/config.ts'
import { type AppContext, createMemberContextWithoutRoles } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { getDemoMemberIndex } from '#demo/members.ts'
import { demoPosts as written } from '#demo/posts.ts'
import { requirePrivateChatAccess } from '#features/chat/read.ts'
import { exitWithError } from '#main.ts'
import { stopAllServers } from '#tests/server.ts'
import { chromiumArguments, findChromium } from '#tests/services.ts'

// Measures the longest time for which a page does not react while a person scrolls through posts and
// messages, and while a person writes below them.

const POSTS = 520
const MESSAGES = 10_000
/** The processor time in ms above which a task is long (50 ms, as in Long Tasks, W3C). */
const LONG = 50
/** The time in seconds after which the measurement is broken off. */
const TIME_LIMIT = 270
const [ben, tomas] = [getDemoMemberIndex('ben') + 1, getDemoMemberIndex('tomas') + 1]

/** Adds copies of the demo's posts, with their pictures, until there are POSTS posts. */
async function addPosts({ db }: AppContext) {
  const there = await db.selectFrom('posts').selectAll().orderBy('id').execute()
  const shown = Map.groupBy(
    await db.selectFrom('post_images').selectAll().orderBy('id').execute(),
    ({ post_id }) => post_id,
  )
  for (let count = there.length; count < POSTS; count++) {
    const { id, client_id: _, ...post } = there[count % there.length]!
    const copy = await transaction(db, (tx) =>
      tx.insertInto('posts').values(post).returning('id').executeTakeFirstOrThrow(),
    )
    const pictures = shown.get(id)?.map(({ id: _, ...picture }) => ({ ...picture, post_id: copy.id })) ?? []
    if (pictures.length)
      await transaction(db, (tx) => tx.insertInto('post_images').values(pictures).execute())
  }
}

/**
 * Adds a year of messages between two members: a few in a row from one, then from the other, sometimes with a
 * picture.
 */
async function addMessages(context: AppContext) {
  const { db } = context
  const { conversation } = await requirePrivateChatAccess(
    createMemberContextWithoutRoles(context, ben),
    tomas,
  )
  const pictures = await db.selectFrom('post_images').select('media').distinct().execute()
  const texts = written.map(({ text }) => text?.slice(0, 200) ?? '👍')
  const start = Date.now() - 365 * 24 * 3600_000
  const rows = Array.from({ length: MESSAGES }, (_, n) => ({
    conversation_id: conversation!,
    user_id: [ben, tomas, tomas, ben, ben, ben, tomas][Math.floor(n / 2) % 7]!,
    client_id: null,
    body: texts[(n * 7) % texts.length]!,
    created_at: new Date(start + n * 3_000_000).toISOString(),
    edited_at: null,
    deleted_at: null,
  }))
  for (let n = 0; n < MESSAGES; n += 500) {
    const messages = await transaction(db, (tx) =>
      tx
        .insertInto('messages')
        .values(rows.slice(n, n + 500))
        .returning('id')
        .execute(),
    )
    const shown = messages.filter(({ id }) => id % 40 === 0)
    const images = shown.map(({ id }) => ({
      message_id: id,
      position: 0,
      media: pictures[id % pictures.length]!.media,
      alt: null,
    }))
    await transaction(db, (tx) => tx.insertInto('message_attachments').values(images).execute())
    const newest = messages.at(-1)!.id
    await transaction(db, (tx) =>
      tx
        .updateTable('conversation_members')
        .set({ last_read_id: newest })
        .where('conversation_id', '=', conversation!)
        .execute(),
    )
  }
}

// ── What a person does on each measured page ────────────────────────────────

// While a trace runs, the scripts of the bench itself must be short: they run on the measured thread.

const countElements = (page: Page, selector: string) =>
  page.evaluate((wanted) => document.querySelectorAll(wanted).length, selector)
/** Waits 1.5 seconds, in which the page finishes its own work, such as prefetching. */
const settled = (page: Page) => page.waitForTimeout(1500)

/**
 * Scrolls in steps of `by` pixels, as a person does, until `isDone` or until the list stands still, which
 * means that `readPosition` returns the same number twenty times.
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
 * Types a text into a field, and then empties the field. Returns the longest time from a key press to the
 * next paint, as the browser measures it.
 */
async function type(page: Page, field: string) {
  await page.evaluate(() => {
    const kept = window as unknown as { slowest: number }
    kept.slowest = 0
    const note = ({ duration }: { duration: number }) => {
      kept.slowest = Math.max(kept.slowest, duration)
    }
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
      type: 'event',
      durationThreshold: 16,
    } as never)
  })
  await page.locator(field).pressSequentially(nonsense, { delay: 30 })
  await page.waitForTimeout(500)
  const slowest = await page.evaluate(() => (window as unknown as { slowest: number }).slowest)
  await page.locator(field).fill('')
  return `slowest key ${slowest} ms`
}

interface Visit {
  name: string
  path?: string
  /** Prepares the page before the trace begins, while the processor is not throttled. */
  before?: (page: Page) => Promise<unknown>
  /** Performs the measured action on the page while the trace runs. Can return a text for the report. */
  act: (page: Page) => Promise<unknown>
  /** Returns a text for the report after the trace. */
  describe?: (page: Page) => Promise<string>
}

const chat = `/privatechat/${tomas}`
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
const describePosts = async (page: Page) => `${await countElements(page, post)} posts`

/** Returns the id of the first message that the page has; the ids of the messages have no gaps. */
const readFirstMessageId = (page: Page) =>
  page.evaluate(() => Number(document.querySelector<HTMLElement>('[data-message]')?.dataset.message))
/** Scrolls back in the chat, as a person does, until `count` more messages are there. */
async function readBack(page: Page, count: number) {
  const first = await readFirstMessageId(page)
  await scroll(page, -1200, readFirstMessageId, (id) => id <= first - count)
}
/**
 * Scrolls back in the chat as fast as possible, until it has `count` messages, or until `seconds` have passed.
 */
async function loadMessages(page: Page, count: number, seconds = 90) {
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
    { wanted: count, end: Date.now() + seconds * 1000 },
  )
  await settled(page)
}
const describeMessages = async (page: Page) => `${await countElements(page, '[data-message]')} messages`

/** The number of messages that are read back while the trace runs. */
const READ_BACK = 400

/** Returns the visits to a chat of which `count` messages are loaded. */
const listVisitsToLongChat = (count: number): Visit[] => [
  {
    name: `reading back to ${count} messages`,
    path: chat,
    async before(page) {
      await open(page)
      await loadMessages(page, count - READ_BACK)
    },
    act: (page) => readBack(page, READ_BACK),
    describe: describeMessages,
  },
  {
    name: `writing below ${count} messages`,
    path: chat,
    async before(page) {
      await open(page)
      await loadMessages(page, count)
    },
    act: (page) => type(page, '.message-box textarea'),
    describe: describeMessages,
  },
]

const visits: readonly Visit[] = [
  { name: 'opening the posts', act: goTo('/') },
  {
    name: 'scrolling through the posts',
    path: '/',
    before: open,
    act: scrollToLastPost,
    describe: describePosts,
  },
  {
    name: 'writing a post, the list behind',
    path: '/',
    async before(page) {
      await scrollToLastPost(page)
      await page.locator('a[href="/post"]:visible').first().click()
      await open(page)
    },
    act: (page) => type(page, 'textarea'),
  },
  { name: 'opening the chat', act: goTo(chat) },
  ...listVisitsToLongChat(1000),
]

type Cookies = Awaited<ReturnType<typeof logInOrRegisterAndReadCookies>>

async function visit(
  browser: Browser,
  url: string,
  cookies: Cookies,
  rate: number,
  { name, path, before, act, describe }: Visit,
) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    hasTouch: true,
  })
  await context.addCookies(cookies)
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const cdp = await context.newCDPSession(page)
  if (path) await page.goto(path)
  await before?.(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate })
  let said: unknown
  const tasks = await traceMainThreadTasks(browser, page, async () => {
    said = await act(page)
  })
  const long = tasks.filter(({ ms }) => ms > LONG)
  const notes = [said, await describe?.(page)].filter(Boolean).join(', ')
  console.log(
    `×${rate}  ${name.padEnd(34)}longest ${tasks[0]!.ms.toFixed(0).padStart(4)} ms, ${long.length} over ${LONG} ms. ${notes}`,
  )
  for (const { ms, passed, work } of long.slice(0, 5))
    console.log(`      ${ms.toFixed(0)} ms (${passed.toFixed(0)} by the clock): ${work}`)
  await context.close()
  return long.length
}

async function main() {
  const executablePath = findChromium()
  if (!executablePath) throw new OperatorError('There is no Chromium: install one, or set CHROMIUM_PATH.')
  let work = 'starting the server'
  exitAfterSeconds(TIME_LIMIT, () => work)
  const { url } = await startDemoServer(async (context) => {
    await addPosts(context)
    await addMessages(context)
  })
  const browser = await chromium.launch({ executablePath, args: chromiumArguments })
  const cookies = await logInOrRegisterAndReadCookies({ browser, url }, 'ben')
  const wanted = process.argv.slice(2)
  for (const [rate, all] of [
    [1, [...visits, ...listVisitsToLongChat(MESSAGES)]],
    [4, visits],
  ] as const)
    for (const one of all) {
      work = one.name
      if (!wanted.every((word) => one.name.includes(word))) continue
      const long = await visit(browser, url, cookies, rate, one)
      if (rate === 1 && long) process.exitCode = 1
    }
  await browser.close()
}

export const seedPages = async (context: AppContext) => {
  await addPosts(context)
  await addMessages(context)
}
if (import.meta.main)
  try {
    await main()
  } catch (error) {
    exitWithError(error)
  } finally {
    await stopAllServers()
  }
