import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { endAll, type Server, startServer } from '#tests/server.ts'

export { expect }

export interface Member {
  id: number
  name: string
  email: string
  page: Page
}

interface Fixtures {
  /** A member of this test alone, with a browser of her own that is logged in. */
  member(name: string, options?: { lang?: 'en' | 'ja' }): Promise<Member>
  /** As `member`, made an admin by the command line: the first account of this server may be another test's. */
  admin(name: string, options?: { lang?: 'en' | 'ja' }): Promise<Member>
}

/** Each worker has a server of its own; each test makes its own people. */
export const test = base.extend<Fixtures, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use) => {
      await use(await startServer({ RATE_LIMIT: 'off' }))
      await endAll()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ server }, use) => use(server.url),
  page: async ({ page }, use) => {
    const faults = watchFaults(page)
    await use(page)
    expect(faults, 'errors in the console').toEqual([])
  },
  member: async ({ browser, server, timezoneId }, use, info) => {
    const made: { page: Page; faults: string[] }[] = []
    await use(async (name, { lang = 'en' } = {}) => {
      const context = await browser.newContext({ baseURL: server.url, timezoneId: timezoneId!, locale: lang === 'ja' ? 'ja-JP' : 'en-GB' })
      const page = await context.newPage()
      made.push({ page, faults: watchFaults(page) })
      const email = `member.${info.testId.slice(-12)}.${made.length}@engawa.example`
      const id = await register(page, name, email)
      return { id, name, email, page }
    })
    for (const { page, faults } of made) {
      await page.context().close()
      expect(faults, 'errors in the console').toEqual([])
    }
  },
  admin: ({ member, server }, use) =>
    use(async (name, options) => {
      const made = await member(name, options)
      grantAdmin(made.email, server.folder)
      return made
    }),
})

export const password = 'correct horse'

const engawa = join(import.meta.dirname, '../../bin/engawa')
export const grantAdmin = (email: string, folder: string) =>
  execFileSync(engawa, ['admin', 'grant', email], { env: { PATH: process.env.PATH, DATA_DIR: folder } })

async function register(page: Page, name: string, email: string) {
  const answer = await page.request.get('/sanctum/csrf-cookie')
  expect(answer.status()).toBe(204)
  const made = await call(page, 'POST', '/api/register', { name, email, password, password_confirmation: password })
  return made.user.id as number
}

/** A call as the page would make it, without the page. */
export async function call(page: Page, method: 'POST' | 'PUT' | 'DELETE', path: string, data: object = {}) {
  const cookies = await page.context().cookies()
  const token = decodeURIComponent(cookies.find((cookie) => cookie.name === 'XSRF-TOKEN')!.value)
  const answer = await page.request.fetch(path, { method, data, headers: { 'x-xsrf-token': token } })
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true)
  return answer.status() === 204 ? null : answer.json()
}

export const write = (page: Page, text: string) => call(page, 'POST', '/api/posts', { text })

/** A refusal that a test provokes on purpose is told by the browser as well. */
const provoked = /Failed to load resource: the server responded with a status of (401|403|404|422|429|500)|net::ERR_|Unable to preload CSS/

/** Whatever goes wrong in a page without anybody seeing it: errors, and what the Content-Security-Policy refused. */
function watchFaults(page: Page) {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !provoked.test(message.text())) faults.push(message.text())
  })
  return faults
}

export async function expectAccessible(page: Page, { without = [] }: { without?: string[] } = {}) {
  const { violations } = await new AxeBuilder({ page })
    .disableRules(without)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target, any }) => `${target} ${any[0]?.message ?? ''}`).join('; ')}`),
  ).toEqual([])
}

export const expectNoSidewaysScroll = async (page: Page) =>
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    'pixels too wide',
  ).toBeLessThanOrEqual(0)

/** A picture as a file input takes it: one colour a name, so that they differ. */
export async function picture(name: string, { width = 900, height = 600 } = {}) {
  const hue = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0) * 37, 0) % 255
  const buffer = await sharp({ create: { width, height, channels: 3, background: { r: hue, g: (hue * 3) % 255, b: 120 } } })
    .jpeg()
    .toBuffer()
  return { name: `${name}.jpg`, mimeType: 'image/jpeg', buffer }
}
