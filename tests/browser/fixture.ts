import {
  type APIRequestContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'
import sharp from 'sharp'
import { cheapHashes, type RunningServer, startServer, stopServers } from '#tests/server.ts'
import { createSeats, type Seat, type Seats } from './seats.ts'

export { expect }

export interface PageMember {
  id: number
  name: string
  email: string
  page: Page
}

interface Fixtures {
  /**
   * Registers a member for this test and logs the member in, in a separate browser context. Returns the
   * member with a page of this context.
   */
  member(name: string, options?: { lang?: 'en' | 'ja' }): Promise<PageMember>
  /** Registers a member in the same way as `member`, and then makes the member an admin. */
  admin(name: string, options?: { lang?: 'en' | 'ja' }): Promise<PageMember>
  /**
   * Takes a context with a page from the seats of the worker, with the options of the test and the given
   * ones. Gives it back after the test.
   */
  seat(options?: BrowserContextOptions): Promise<Seat>
  closeContextsOfTest: undefined
  /** Whether the contexts of the test are new, because it is about what a browser has not loaded yet. */
  fresh: boolean
}

/**
 * Playwright's `test` with fixtures for Engawa: each worker starts one server, and each test registers its
 * own members.
 */
export const test = base.extend<
  Fixtures,
  { server: RunningServer; seats: Seats; grantAdmin: (id: number) => Promise<unknown> }
>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads fixtures from the pattern
    async ({}, use) => {
      await use(await startServer({ RATE_LIMIT: 'off', ...cheapHashes }))
      await stopServers()
    },
    { scope: 'worker' },
  ],
  seats: [async ({ browser, server }, use) => use(createSeats(browser, server.url)), { scope: 'worker' }],
  // Registers the first account of the server, which becomes an admin, before all tests of the worker. When a
  // test calls `grantAdmin`, this account makes another member an admin.
  grantAdmin: [
    async ({ server, playwright }, use) => {
      const firstAdmin = await playwright.request.newContext({ baseURL: server.url })
      const cookies = async () => (await firstAdmin.storageState()).cookies
      await firstAdmin.get('/sanctum/csrf-cookie')
      const account = {
        name: 'Keeper',
        email: 'keeper@engawa.example',
        password: PASSWORD,
        password_confirmation: PASSWORD,
      }
      await send(firstAdmin, await cookies(), 'POST', '/api/register', account)
      await use(async (id) => {
        // Confirms the admin's password again, because a log-in counts as confirmed for ten minutes only, and
        // a worker runs longer.
        await send(firstAdmin, await cookies(), 'POST', '/api/account/confirm', {
          password: PASSWORD,
        })
        return send(firstAdmin, await cookies(), 'PUT', `/api/admin/users/${id}/admin`)
      })
      await firstAdmin.dispose()
    },
    { scope: 'worker', auto: true },
  ],
  // Closes the browser contexts that a test has opened itself. Otherwise their members would stay online for
  // the later tests of the worker.
  closeContextsOfTest: [
    async ({ browser, seats }, use) => {
      await use(undefined)
      await Promise.all(
        browser.contexts().map((context) => (seats.has(context) ? undefined : context.close())),
      )
    },
    { auto: true },
  ],
  baseURL: ({ server }, use) => use(server.url),
  fresh: [false, { option: true }],
  seat: async (
    {
      seats,
      fresh,
      baseURL,
      colorScheme,
      hasTouch,
      isMobile,
      locale,
      serviceWorkers,
      timezoneId,
      userAgent,
      viewport,
    },
    use,
  ) => {
    const taken: Seat[] = []
    // Each option that a test may set with `test.use`. Playwright gives all of them to a new context, so one
    // that is missing here would reach the later tests that take the same seat.
    const own = {
      ...{ baseURL, colorScheme, hasTouch, isMobile, locale },
      ...{ serviceWorkers, timezoneId, userAgent, viewport },
    }
    await use(async (options = {}) => {
      const seat = await seats.take({ ...own, ...options } as BrowserContextOptions, fresh)
      taken.push(seat)
      return seat
    })
    await Promise.all(taken.map((seat) => seats.giveBack(seat)))
  },
  context: async ({ seat }, use) => use((await seat()).context),
  page: async ({ context }, use) => {
    const page = context.pages()[0]!
    const faults = collectPageErrors(page)
    await use(page)
    expect(faults, 'errors in the console').toEqual([])
  },
  member: async ({ seat }, use, info) => {
    const faultsOfPages: string[][] = []
    await use(async (name, { lang = 'en' } = {}) => {
      const { page } = await seat({ locale: lang === 'ja' ? 'ja-JP' : 'en-GB' })
      faultsOfPages.push(collectPageErrors(page))
      const email = `member.${info.testId.slice(-12)}.${info.retry}.${info.repeatEachIndex}.${faultsOfPages.length}@engawa.example`
      const id = await registerMember(page, name, email)
      return { id, name, email, page }
    })
    for (const faults of faultsOfPages) expect(faults, 'errors in the console').toEqual([])
  },
  admin: ({ member, grantAdmin }, use) =>
    use(async (name, options) => {
      const admin = await member(name, options)
      await grantAdmin(admin.id)
      return admin
    }),
})

export const PASSWORD = 'correct horse'

/** Registers a member in the browser context of this page, and returns the id of the account. */
export async function registerMember(page: Page, name: string, email: string) {
  const answer = await page.request.get('/sanctum/csrf-cookie')
  expect(answer.status()).toBe(204)
  const registered = await fetchJson(page, 'POST', '/api/register', {
    name,
    email,
    password: PASSWORD,
    password_confirmation: PASSWORD,
  })
  return registered.user.id as number
}

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Cookies = readonly { name: string; value: string }[]

/**
 * Sends an API request with the cookies and the anti-forgery token of a page. Expects success, and returns
 * the JSON of the response; null if the status is 204.
 */
export const fetchJson = async (page: Page, method: Method, path: string, data: object = {}) =>
  send(page.request, await page.context().cookies(), method, path, data)

async function send(
  request: APIRequestContext,
  cookies: Cookies,
  method: Method,
  path: string,
  data: object = {},
) {
  const token = decodeURIComponent(cookies.find((cookie) => cookie.name === 'XSRF-TOKEN')!.value)
  const answer = await request.fetch(path, { method, data, headers: { 'x-xsrf-token': token } })
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true)
  return answer.status() === 204 ? null : answer.json()
}

export const writePost = (page: Page, text: string) => fetchJson(page, 'POST', '/api/posts', { text })

/**
 * Matches console errors that are no faults: errors of requests that tests let fail on purpose, a 419 (the page
 * gets a new token and sends the request again, as after a log-out meanwhile), and the
 * error of pusher-js when it writes to a socket that the server closes at a log-out.
 */
const provoked =
  /WebSocket is already in CLOSING|Failed to load resource: the server responded with a status of (401|403|404|419|422|423|429|500)|net::ERR_|Unable to preload CSS/

/**
 * Returns a list to which every later exception and console error of a page is added, except those that
 * `provoked` matches.
 */
function collectPageErrors(page: Page) {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !provoked.test(message.text())) faults.push(message.text())
  })
  return faults
}

/** The rules of axe that the colours and sizes of the style sheets can break without a change of the HTML. */
const rulesOfLook = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size']
/** The documents that axe has checked with all rules in this worker. */
const checkedDocuments = new Set<string>()

interface Rules {
  /** Whether only the rules of the look are checked, because another test checks all on this page. */
  isLook?: boolean
  without?: string[]
}

/**
 * Runs axe on the page, and returns a text for each violated accessibility rule, with the elements that
 * violate it. If all rules have been checked on the same HTML at the same width, as in another theme, only
 * the rules are checked again that depend on the look. Frames are not checked.
 */
export async function listViolations(page: Page, { isLook = false, without = [] }: Rules = {}) {
  const { key, hasAxe } = await page.evaluate(describeDocument)
  const isNew = !isLook && !checkedDocuments.has(key)
  if (!hasAxe) await page.evaluate(axe.source)
  const violations = await page.evaluate(runAxe, {
    resultTypes: ['violations'],
    ...(isNew
      ? {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
          rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
        }
      : { runOnly: rulesOfLook.filter((rule) => !without.includes(rule)) }),
  } satisfies RunOptions)
  if (isNew && violations.length === 0) checkedDocuments.add(key)
  return violations
}

/** Runs in the page, which has axe. Sends texts only, because the results are large. */
async function runAxe(options: RunOptions) {
  const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, options)
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, any: [why] }) => `${target} ${why?.message ?? ''} ${why?.relatedNodes?.map((node) => node.target)}`).join('; ')}`,
  )
}

/**
 * Runs in the page. Waits until all animations that have an end are finished, because axe would measure the
 * contrast of what is fading in. `key` is the same for documents with the same address, width and HTML. It
 * ignores the attributes of the root element, which has the theme.
 */
async function describeDocument() {
  const running = () =>
    document
      .getAnimations()
      .filter(
        ({ effect, playState, timeline }) =>
          playState === 'running' &&
          timeline === document.timeline &&
          Number.isFinite(effect?.getComputedTiming().endTime),
      )
  // The end of one may begin another.
  for (let once = running(); once.length; once = running())
    await Promise.allSettled(once.map(({ finished }) => finished))
  const { lang } = document.documentElement
  let hash = 0
  for (const letter of document.body.outerHTML) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0
  return {
    key: [location.pathname, innerWidth, lang, document.title, hash].join(' '),
    hasAxe: 'axe' in globalThis,
  }
}
export const expectAccessible = async (page: Page) => expect(await listViolations(page)).toEqual([])

export const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
export const expectNoOverflow = async (page: Page) =>
  expect(await overflowOf(page), 'pixels too wide').toBeLessThanOrEqual(0)

/** Creates a JPEG picture for a file input in a Playwright test. Its colour depends on the name. */
export async function pictureFile(name: string, { width = 900, height = 600 } = {}) {
  const hue = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0) * 37, 0) % 255
  const buffer = await sharp({
    create: { width, height, channels: 3, background: { r: hue, g: (hue * 3) % 255, b: 120 } },
  })
    .jpeg()
    .toBuffer()
  return { name: `${name}.jpg`, mimeType: 'image/jpeg', buffer }
}

/** No picture is prepared before the returned function is called. */
export async function holdPictures(page: Page) {
  await page.evaluate(() => {
    const original = window.createImageBitmap.bind(window) as typeof window.createImageBitmap
    const released = new Promise<void>((resolve) => Object.assign(window, { releasePictures: resolve }))
    window.createImageBitmap = (async (...parameters: Parameters<typeof original>) => {
      await released
      return original(...parameters)
    }) as typeof original
  })
  return () => page.evaluate(() => (window as unknown as { releasePictures: () => void }).releasePictures())
}
