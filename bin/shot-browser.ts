import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { BadSetting } from '#core/config.ts'
import { cast, indexOf, password } from '#demo/cast.ts'
import { ahead, endAll, startServer } from '#tests/server.ts'
import { chromiumArgs, findChromium } from '#tests/services.ts'
import { group, type Who } from './shot-list.ts'

/** A member who follows nobody and has no messages. */
const newcomer = { name: 'Yui Ando', email: 'yui@engawa.example' }

export const sizes = { 390: 844, 820: 1180, 1440: 900 } as const
const themes = ['light', 'dark'] as const
const langs = ['en', 'ja'] as const
export interface Look {
  width: keyof typeof sizes
  theme: (typeof themes)[number]
  lang: (typeof langs)[number]
  /** Pixels of the screenshot for each CSS pixel. */
  scale?: number
}
export const looks: Look[] = [390, 820, 1440].flatMap((width) =>
  themes.flatMap((theme) => langs.map((lang) => ({ width: width as Look['width'], theme, lang }))),
)

export interface Session {
  browser: Browser
  url: string
  /** The time of the pages' clocks: all screenshots of a run show the same moment. */
  now: Date
  /** The id of `group`. */
  pottery: number
  /** The cookies of the people who are logged in. */
  cookies: ReadonlyMap<Who, Cookies>
}
export type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

/** Logs a person in, or registers a new one. Returns the cookies. */
export async function logIn(
  { browser, url }: Pick<Session, 'browser' | 'url'>,
  who: Who,
  isNew = false,
): Promise<Cookies> {
  const context = await browser.newContext({ baseURL: url })
  await context.request.get('/sanctum/csrf-cookie')
  const token = (await context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')!.value
  const { name, email } = who === 'newcomer' ? newcomer : cast[indexOf(who)]!
  const answer = await context.request.post(isNew ? '/api/register' : '/login', {
    data: { email, password, ...(isNew && { name, password_confirmation: password }) },
    headers: { accept: 'application/json', 'x-xsrf-token': decodeURIComponent(token) },
  })
  if (!answer.ok()) throw new Error(`${name} could not log in: ${answer.status()} ${await answer.text()}`)
  const cookies = await context.cookies()
  await context.close()
  return cookies
}

/** Opens a window as a person, with a size, a theme and a language. */
export async function windowOf(
  { browser, url, now, cookies }: Session,
  who: Who,
  { width, theme, lang, scale = 1 }: Look,
) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height: sizes[width] },
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
  // Keeps messages unread, so that each screenshot shows them as unread.
  await context.route(/\/api\/(conversations|groups)\/\d+\/read$/, () => {})
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  return { page, ...lineOf(page), close: () => context.close() }
}

/** `quiet` resolves once all subscriptions of a page are answered, and no frame has come for a moment. */
function lineOf(page: Page) {
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

export const settled = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready
    for (let i = 0; i < 100 && document.querySelector('.skeleton, .loading, main [aria-busy=true]'); i++)
      await new Promise((resolve) => setTimeout(resolve, 50))
    const near = [...document.images].filter((image) => {
      const { top, bottom } = image.getBoundingClientRect()
      return bottom > 0 && top < innerHeight
    })
    await Promise.all(near.map((image) => image.decode().catch(() => {})))
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })

async function findGroup(browser: Browser, url: string, cookies: Cookies) {
  const context = await browser.newContext({ baseURL: url })
  await context.addCookies(cookies)
  const groups = (await (await context.request.get('/api/my-groups')).json()) as {
    id: number
    name: string
  }[]
  await context.close()
  const found = groups.find(({ name }) => name === group.name)
  if (!found) throw new Error(`The demo has no group ${group.name}.`)
  return found.id
}

/** Milliseconds until nine in the evening in Tokyo: the times of the demo are made for that hour. */
function untilNine() {
  const nine = new Date().setUTCHours(12, 0, 0, 0)
  return (nine < Date.now() ? nine + 24 * 3600_000 : nine) - Date.now()
}

export async function withDemo<T>(work: (session: Session) => Promise<T>) {
  const executablePath = findChromium()
  if (!executablePath) throw new BadSetting('There is no Chromium: install one, or set CHROMIUM_PATH.')
  console.log('Filling the demo community …')
  const early = untilNine()
  const { url } = await startServer({ ...ahead(early), RATE_LIMIT: 'off', LOG_LEVEL: 'warn' }, 'bin/demo.ts')
  const browser = await chromium.launch({ executablePath, args: chromiumArgs })
  try {
    const cookies = new Map<Who, Cookies>()
    for (const who of ['ben', 'aya', 'newcomer'] as const)
      cookies.set(who, await logIn({ browser, url }, who, who === 'newcomer'))
    const session: Session = {
      browser,
      url,
      now: new Date(Date.now() + early),
      cookies,
      pottery: await findGroup(browser, url, cookies.get('aya')!),
    }
    // These windows stay open, so that the same people are online in all screenshots.
    for (const who of ['ben', 'aya', 'newcomer'] as const) {
      const { page, quiet } = await windowOf(session, who, { width: 820, theme: 'light', lang: 'en' })
      await page.goto('/edit')
      await quiet()
    }
    return await work(session)
  } finally {
    await browser.close()
    await endAll()
  }
}
