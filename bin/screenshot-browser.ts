import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { OperatorError } from '#core/config.ts'
import { DEMO_PASSWORD, demoMembers, memberIndex } from '#demo/members.ts'
import { chromiumArguments, findChromium } from '#tests/programs.ts'
import { clockAhead, startServer, stopServers } from '#tests/server.ts'
import type { ScreenshotUserName } from './screenshot-actions.ts'
import { potteryGroup } from './screenshot-list.ts'

/** The member who is newly registered for the screenshots, follows nobody and has no messages. */
const newcomer = { name: 'Yui Ando', email: 'yui@engawa.example' }

export const viewportHeights = { 390: 844, 820: 1180, 1440: 900 } as const
const themes = ['light', 'dark'] as const
const langs = ['en', 'ja'] as const
export interface ScreenshotVariant {
  width: keyof typeof viewportHeights
  theme: (typeof themes)[number]
  lang: (typeof langs)[number]
  /** The number of pixels of the screenshot for each CSS pixel. */
  scale?: number
}
export const allScreenshotVariants: ScreenshotVariant[] = [390, 820, 1440].flatMap((width) =>
  themes.flatMap((theme) =>
    langs.map((lang) => ({ width: width as ScreenshotVariant['width'], theme, lang })),
  ),
)

export interface ShotContext {
  browser: Browser
  url: string
  /** The time at which the clock of all pages stands still, so that all screenshots show the same time. */
  now: Date
  /** The id of the demo group for pottery. */
  pottery: number
  /** The cookies of the logged-in members, by the name of the member. */
  cookies: ReadonlyMap<ScreenshotUserName, BrowserCookies>
}
export type BrowserCookies = Awaited<ReturnType<BrowserContext['cookies']>>

/** Logs a member in, or registers the member if `isNew`. Returns the cookies of the new session. */
export async function logInCookies(
  { browser, url }: Pick<ShotContext, 'browser' | 'url'>,
  who: ScreenshotUserName,
  isNew = false,
): Promise<BrowserCookies> {
  const context = await browser.newContext({ baseURL: url })
  await context.request.get('/sanctum/csrf-cookie')
  const token = (await context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')!.value
  const { name, email } = who === 'newcomer' ? newcomer : demoMembers[memberIndex(who)]!
  const answer = await context.request.post(isNew ? '/api/register' : '/login', {
    data: { email, password: DEMO_PASSWORD, ...(isNew && { name, password_confirmation: DEMO_PASSWORD }) },
    headers: { accept: 'application/json', 'x-xsrf-token': decodeURIComponent(token) },
  })
  if (!answer.ok()) throw new Error(`${name} could not log in: ${answer.status()} ${await answer.text()}`)
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

/**
 * Opens an empty browser tab with the cookies of a member (none for a visitor), in the window size, theme and
 * language of a screenshot variant.
 */
export async function openEmptyScreenshotTab(
  { browser, url, now, cookies }: ShotContext,
  who: ScreenshotUserName,
  { width, theme, lang, scale = 1 }: ScreenshotVariant,
) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: viewportHeights[width] },
    deviceScaleFactor: scale,
    isMobile: width === 390,
    hasTouch: width === 390,
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: lang === 'ja' ? 'ja-JP' : 'en-GB',
    timezoneId: 'Asia/Tokyo',
  })
  await context.addCookies(cookies.get(who) ?? [])
  await context.clock.setFixedTime(now)
  // Blocks the requests that mark chat messages as read, so that each screenshot shows these messages as
  // unread.
  await context.route(/\/api\/(conversations|groups)\/\d+\/read$/, () => {})
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  return { page, ...watchWebSocket(page), close: () => context.close() }
}

/**
 * Watches the WebSocket of a page. `quiet` resolves when the server has answered all subscriptions and no
 * frame was sent or received for 150 ms, or after eight seconds. `forget` makes `quiet` wait for a new
 * connection; call it before the page is loaded again.
 */
function watchWebSocket(page: Page) {
  const fresh = () => ({ open: false, asked: 0, given: 0, last: Date.now() })
  let line = fresh()
  page.on('websocket', (socket) => {
    line = fresh()
    const mine = line
    socket.on('framesent', ({ payload }) => {
      mine.last = Date.now()
      if (payload.includes('"pusher:subscribe"')) mine.asked++
    })
    socket.on('framereceived', ({ payload }) => {
      mine.last = Date.now()
      if (payload.includes('pusher:connection_established')) mine.open = true
      if (/subscription_(succeeded|error)/.test(`${payload}`)) mine.given++
    })
  })
  return {
    forget: () => (line = fresh()),
    async quiet() {
      const patience = Date.now() + 8_000
      while (
        Date.now() < patience &&
        !(line.open && line.given >= line.asked && Date.now() - line.last > 150)
      )
        await page.waitForTimeout(25)
    },
  }
}

/**
 * Waits until the fonts, the visible pictures, the data and the late parts of a page are loaded. Waits for the
 * data and the parts at most five seconds.
 */
export const waitUntilPageSettled = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready
    const missing = '.skeleton, .loading, .post-menu-space, .row-space, main [aria-busy=true]'
    for (let i = 0; i < 100 && document.querySelector(missing); i++)
      await new Promise((resolve) => setTimeout(resolve, 50))
    const near = [...document.images].filter((image) => {
      const { top, bottom } = image.getBoundingClientRect()
      return bottom > 0 && top < innerHeight
    })
    await Promise.all(near.map((image) => image.decode().catch(() => {})))
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })

async function findGroup(browser: Browser, url: string, cookies: BrowserCookies) {
  const context = await browser.newContext({ baseURL: url })
  await context.addCookies(cookies)
  const groups = (await (await context.request.get('/api/my-groups')).json()) as {
    id: number
    name: string
  }[]
  await context.close()
  const found = groups.find(({ name }) => name === potteryGroup.name)
  if (!found) throw new Error(`The demo has no group ${potteryGroup.name}.`)
  return found.id
}

/**
 * Returns the milliseconds until it is 21:00 in Tokyo. The posts and messages of the demo are dated as if it
 * were 21:00.
 */
function untilNine() {
  const nine = new Date().setUTCHours(12, 0, 0, 0)
  return (nine < Date.now() ? nine + 24 * 3600_000 : nine) - Date.now()
}

export async function withDemoBrowser<T>(work: (session: ShotContext) => Promise<T>) {
  const executablePath = findChromium()
  if (!executablePath) throw new OperatorError('There is no Chromium: install one, or set CHROMIUM_PATH.')
  console.log('Filling the demo community …')
  const early = untilNine()
  const { url } = await startServer(
    { ...clockAhead(early), RATE_LIMIT: 'off', LOG_LEVEL: 'warn' },
    'bin/demo.ts',
  )
  const browser = await chromium.launch({ executablePath, args: chromiumArguments })
  try {
    const cookies = new Map<ScreenshotUserName, BrowserCookies>()
    for (const who of ['ben', 'aya', 'newcomer'] as const)
      cookies.set(who, await logInCookies({ browser, url }, who, who === 'newcomer'))
    const session: ShotContext = {
      browser,
      url,
      now: new Date(Date.now() + early),
      cookies,
      pottery: await findGroup(browser, url, cookies.get('aya')!),
    }
    // Opens a tab for each member and keeps it open, so that the same members are online in all screenshots.
    for (const who of ['ben', 'aya', 'newcomer'] as const) {
      const { page, quiet } = await openEmptyScreenshotTab(session, who, {
        width: 820,
        theme: 'light',
        lang: 'en',
      })
      await page.goto('/edit')
      await quiet()
    }
    return await work(session)
  } finally {
    await browser.close()
    await stopServers()
  }
}
