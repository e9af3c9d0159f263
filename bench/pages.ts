import { type Browser, chromium, type Page } from '@playwright/test'
import { startDemo } from '#bench/demo.ts'
import { traced } from '#bench/trace.ts'
import { logIn } from '#bin/shot-browser.ts'
import { BadSetting } from '#core/config.ts'
import { type AppContext, asMember } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { indexOf } from '#demo/cast.ts'
import { posts as written } from '#demo/posts.ts'
import { privateAccess } from '#features/chat/read.ts'
import { explain } from '#main.ts'
import { endAll } from '#tests/server.ts'
import { chromiumArgs, findChromium } from '#tests/services.ts'

// Measures the longest time that a page does not react, while the reader scrolls through posts and messages,
// and while the reader writes below them.

const POSTS = 520
const MESSAGES = 10_000
/** Milliseconds from which a task is a long one (Long Tasks, W3C). */
const LONG = 50
const [ben, tomas] = [indexOf('ben') + 1, indexOf('tomas') + 1]

/** The posts of the demo once more, and once more, with their pictures. */
async function addPosts({ db }: AppContext) {
  const there = await db.selectFrom('posts').selectAll().orderBy('id').execute()
  const shown = Map.groupBy(
    await db.selectFrom('post_images').selectAll().orderBy('id').execute(),
    ({ post_id }) => post_id,
  )
  for (let made = there.length; made < POSTS; made++) {
    const { id, client_id: _, ...post } = there[made % there.length]!
    const copy = await transaction(db, (tx) =>
      tx.insertInto('posts').values(post).returning('id').executeTakeFirstOrThrow(),
    )
    const pictures = shown.get(id)?.map(({ id: _, ...picture }) => ({ ...picture, post_id: copy.id })) ?? []
    if (pictures.length)
      await transaction(db, (tx) => tx.insertInto('post_images').values(pictures).execute())
  }
}

/** A year of talk between two people: a few lines in a row, then the other's, with a picture now and then. */
async function addMessages(context: AppContext) {
  const { db } = context
  const { conversation } = await privateAccess(asMember(context, ben), tomas)
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
    const made = await transaction(db, (tx) =>
      tx
        .insertInto('messages')
        .values(rows.slice(n, n + 500))
        .returning('id')
        .execute(),
    )
    const shown = made.filter(({ id }) => id % 40 === 0)
    const images = shown.map(({ id }) => ({
      message_id: id,
      position: 0,
      media: pictures[id % pictures.length]!.media,
      alt: null,
    }))
    await transaction(db, (tx) => tx.insertInto('message_images').values(images).execute())
    const newest = made.at(-1)!.id
    await transaction(db, (tx) =>
      tx
        .updateTable('members')
        .set({ last_read_id: newest })
        .where('conversation_id', '=', conversation!)
        .execute(),
    )
  }
}

// ── The visits ──────────────────────────────────────────────────────────────

const rowsOf = (page: Page, selector: string) => page.locator(selector).count()
/** Waits until the page has finished its own work, such as fetching ahead. */
const settled = (page: Page) => page.waitForTimeout(1500)

/** Scrolls as a hand does, until there are so many rows, or there is no way further. */
async function scroll(page: Page, by: number, selector: string, most: number) {
  for (let still = 0, before = -1; still < 20; ) {
    for (let n = 0; n < 5; n++) {
      await page.mouse.wheel(0, by)
      await page.waitForTimeout(32)
    }
    const rows = await rowsOf(page, selector)
    if (rows >= most) break
    still = rows === before ? still + 1 : 0
    before = rows
  }
  return rowsOf(page, selector)
}

const nonsense = 'The quick brown fox jumps over the lazy dog. いろはにほへと、ちりぬるを。'

/** Writes, and returns the slowest answer to a key as the browser measures it, from press to paint. */
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
  return slowest
}

interface Visit {
  name: string
  path?: string
  /** Done before the trace begins, at full speed. */
  before?: (page: Page) => Promise<unknown>
  /** Done while it runs; what it says is printed. */
  act: (page: Page) => Promise<string>
}

const chat = `/privatechat/${tomas}`
const open = async (page: Page) => {
  await page.locator('h1').first().waitFor()
  await settled(page)
}
const goTo = (path: string) => async (page: Page) => {
  await page.goto(path)
  await open(page)
  return ''
}
const toPosts = async (page: Page) => `${await scroll(page, 1200, 'article[data-post]', POSTS)} posts`
const toMessages = (most: number) => async (page: Page) => {
  await page.locator('.said-here').hover()
  return `${await scroll(page, -1200, '[data-message]', most)} messages`
}

/** `far` is how many of the messages are read back to: each page of them takes time on a slow processor. */
const visits = (far: number): readonly Visit[] => [
  { name: 'opening the posts', act: goTo('/') },
  { name: 'scrolling through the posts', path: '/', before: open, act: toPosts },
  {
    name: 'writing a post, the list behind',
    path: '/',
    async before(page) {
      await toPosts(page)
      await page.locator('a[href="/post"]:visible').first().click()
      await open(page)
    },
    act: async (page) => `slowest key ${await type(page, 'textarea')} ms`,
  },
  { name: 'opening the chat', act: goTo(chat) },
  { name: 'reading back in the chat', path: chat, before: open, act: toMessages(far) },
  {
    name: 'writing in the chat',
    path: chat,
    async before(page) {
      await open(page)
      await toMessages(far)(page)
    },
    act: async (page) =>
      `${await rowsOf(page, '[data-message]')} messages, slowest key ${await type(page, '.message-box textarea')} ms`,
  },
]

type Cookies = Awaited<ReturnType<typeof logIn>>

async function visit(
  browser: Browser,
  url: string,
  cookies: Cookies,
  rate: number,
  { name, path, before, act }: Visit,
) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    hasTouch: true,
  })
  await context.addCookies(cookies)
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const cdp = await context.newCDPSession(page)
  if (path) await page.goto(path)
  await before?.(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate })
  let said = ''
  const tasks = await traced(browser, page, async () => {
    said = await act(page)
  })
  const long = tasks.filter(({ ms }) => ms > LONG)
  console.log(
    `×${rate}  ${name.padEnd(34)}longest ${tasks[0]!.ms.toFixed(0).padStart(4)} ms, ${long.length} over ${LONG} ms. ${said}`,
  )
  for (const { ms, passed, work } of long.slice(0, 5))
    console.log(`      ${ms.toFixed(0)} ms (${passed.toFixed(0)} by the clock): ${work}`)
  await context.close()
  return long.length
}

async function main() {
  const executablePath = findChromium()
  if (!executablePath) throw new BadSetting('There is no Chromium: install one, or set CHROMIUM_PATH.')
  const { url } = await startDemo(async (context) => {
    await addPosts(context)
    await addMessages(context)
  })
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  const cookies = await logIn({ browser, url }, 'ben')
  const wanted = process.argv.slice(2)
  for (const [rate, far] of [
    [1, MESSAGES],
    [4, 1000],
  ] as const)
    for (const one of visits(far)) {
      if (!wanted.every((word) => one.name.includes(word))) continue
      const long = await visit(browser, url, cookies, rate, one)
      if (rate === 1 && long) process.exitCode = 1
    }
  await browser.close()
}

try {
  await main()
} catch (error) {
  explain(error)
} finally {
  await endAll()
}
