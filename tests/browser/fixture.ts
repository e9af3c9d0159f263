import { AxeBuilder } from '@axe-core/playwright'
import { type APIRequestContext, test as base, expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { type RunningTestServer, startTestServerProcess, stopAllTestServers } from '#tests/server.ts'

export { expect }

export interface TestMemberWithBrowserPage {
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
  member(name: string, options?: { lang?: 'en' | 'ja' }): Promise<TestMemberWithBrowserPage>
  /** Registers a member in the same way as `member`, and then makes the member an admin. */
  admin(name: string, options?: { lang?: 'en' | 'ja' }): Promise<TestMemberWithBrowserPage>
  closeContextsOfTest: undefined
}

/**
 * Playwright's `test` with fixtures for Engawa: each worker starts one server, and each test registers its
 * own members.
 */
export const test = base.extend<
  Fixtures,
  { server: RunningTestServer; grantAdmin: (id: number) => Promise<unknown> }
>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads fixtures from the pattern
    async ({}, use) => {
      await use(await startTestServerProcess({ RATE_LIMIT: 'off' }))
      await stopAllTestServers()
    },
    { scope: 'worker' },
  ],
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
        password: BROWSER_TEST_MEMBER_PASSWORD,
        password_confirmation: BROWSER_TEST_MEMBER_PASSWORD,
      }
      await send(firstAdmin, await cookies(), 'POST', '/api/register', account)
      await use(async (id) => {
        // Confirms the admin's password again, because a log-in counts as confirmed for ten minutes only, and
        // a worker runs longer.
        await send(firstAdmin, await cookies(), 'POST', '/api/account/confirm', {
          password: BROWSER_TEST_MEMBER_PASSWORD,
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
    async ({ browser }, use) => {
      const earlier = new Set(browser.contexts())
      await use(undefined)
      await Promise.all(
        browser.contexts().map((context) => (earlier.has(context) ? undefined : context.close())),
      )
    },
    { auto: true },
  ],
  baseURL: ({ server }, use) => use(server.url),
  page: async ({ page }, use) => {
    const faults = collectPageErrors(page)
    await use(page)
    expect(faults, 'errors in the console').toEqual([])
  },
  member: async ({ browser, server, timezoneId }, use, info) => {
    const openedPages: { page: Page; faults: string[] }[] = []
    await use(async (name, { lang = 'en' } = {}) => {
      const context = await browser.newContext({
        baseURL: server.url,
        timezoneId: timezoneId!,
        locale: lang === 'ja' ? 'ja-JP' : 'en-GB',
      })
      const page = await context.newPage()
      openedPages.push({ page, faults: collectPageErrors(page) })
      const email = `member.${info.testId.slice(-12)}.${openedPages.length}@engawa.example`
      const id = await registerMemberByApiInBrowserTest(page, name, email)
      return { id, name, email, page }
    })
    await Promise.all(openedPages.map(({ page }) => page.context().close()))
    for (const { faults } of openedPages) expect(faults, 'errors in the console').toEqual([])
  },
  admin: ({ member, grantAdmin }, use) =>
    use(async (name, options) => {
      const admin = await member(name, options)
      await grantAdmin(admin.id)
      return admin
    }),
})

export const BROWSER_TEST_MEMBER_PASSWORD = 'correct horse'

/** Registers a member in the browser context of this page, and returns the id of the account. */
export async function registerMemberByApiInBrowserTest(page: Page, name: string, email: string) {
  const answer = await page.request.get('/sanctum/csrf-cookie')
  expect(answer.status()).toBe(204)
  const registered = await fetchApiJsonWithCookiesOfTestPage(page, 'POST', '/api/register', {
    name,
    email,
    password: BROWSER_TEST_MEMBER_PASSWORD,
    password_confirmation: BROWSER_TEST_MEMBER_PASSWORD,
  })
  return registered.user.id as number
}

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Cookies = readonly { name: string; value: string }[]

/**
 * Sends an API request with the cookies and the anti-forgery token of a page. Expects success, and returns
 * the JSON of the response; null if the status is 204.
 */
export const fetchApiJsonWithCookiesOfTestPage = async (
  page: Page,
  method: Method,
  path: string,
  data: object = {},
) => send(page.request, await page.context().cookies(), method, path, data)

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

export const createPostByApiInBrowserTest = (page: Page, text: string) =>
  fetchApiJsonWithCookiesOfTestPage(page, 'POST', '/api/posts', { text })

/**
 * Matches console errors that are no faults: errors of requests that tests let fail on purpose, and the
 * error of pusher-js when it writes to a socket that the server closes at a log-out.
 */
const provoked =
  /WebSocket is already in CLOSING|Failed to load resource: the server responded with a status of (401|403|404|422|423|429|500)|net::ERR_|Unable to preload CSS/

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

/**
 * Runs axe on the page, and returns a text for each violated accessibility rule, with the elements that
 * violate it. The legacy mode of axe does not check frames, but needs no second page.
 */
export async function listAccessibilityViolations(page: Page, { without = [] }: { without?: string[] } = {}) {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({
      resultTypes: ['violations'],
      rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, any }) => `${target} ${any[0]?.message ?? ''}`).join('; ')}`,
  )
}
export const expectPageAccessible = async (page: Page) =>
  expect(await listAccessibilityViolations(page)).toEqual([])

export const measureHorizontalOverflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
export const expectNoHorizontalScroll = async (page: Page) =>
  expect(await measureHorizontalOverflow(page), 'pixels too wide').toBeLessThanOrEqual(0)

/** Creates a JPEG picture for a file input in a Playwright test. Its colour depends on the name. */
export async function createTestPictureForPlaywrightUpload(name: string, { width = 900, height = 600 } = {}) {
  const hue = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0) * 37, 0) % 255
  const buffer = await sharp({
    create: { width, height, channels: 3, background: { r: hue, g: (hue * 3) % 255, b: 120 } },
  })
    .jpeg()
    .toBuffer()
  return { name: `${name}.jpg`, mimeType: 'image/jpeg', buffer }
}
