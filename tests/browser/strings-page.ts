import type { Locator, Page } from '@playwright/test'
import { call, expect, type Member, type picture } from './fixture.ts'

export const languages = ['en', 'ja'] as const
export type Lang = (typeof languages)[number]
export const inLanguage = (lang: Lang) => ({ locale: lang === 'ja' ? 'ja-JP' : 'en-GB' })

/**
 * Expects a quoted text: English ones in the reader's language, Japanese ones with a translation for others.
 */
export async function expectFixed(
  where: Locator,
  reader: Lang,
  text: string,
  also: string,
  lang: Lang = 'en',
) {
  if (reader === lang) return expect(where).toContainText(text)
  if (lang === 'en') {
    await expect(where).toContainText(also)
    return expect(where).not.toContainText(text)
  }
  await expect(where.locator(`[lang=${lang}]`)).toHaveText(text)
  await expect(where.locator(`small[lang=${reader}]`)).toHaveText(also)
}

/** Holds calls back. Returns a function that lets them go. */
export async function held(page: Page, url: string) {
  let letGo = () => {}
  const free = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(url, async (route) => {
    await free
    await route.continue()
  })
  return () => letGo()
}

/** Stops the page's clock. From then on the test moves it. */
export async function stopClock(page: Page) {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
}

/**
 * Moves the stopped clock by single milliseconds until the text is there, so that a time that begins with the
 * text has just begun.
 */
export const stepTo = (page: Page, text: Locator) =>
  expect(async () => {
    await page.clock.runFor(1)
    await expect(text).toBeVisible({ timeout: 50 })
  }).toPass({ intervals: [1] })

/** The text stands for a second, then the page moves home. */
export async function expectHomeAfterOneSecond(page: Page, text: Locator) {
  await stepTo(page, text)
  const { pathname, search } = new URL(page.url())
  await page.clock.runFor(990)
  await expect(text).toBeVisible()
  await expect(page).toHaveURL(pathname + search)
  await page.clock.runFor(20)
  await expect(page).toHaveURL('/')
  await page.clock.resume()
  await expect(text).toHaveCount(0)
}

/** Calls of the page from now on, in their order. */
export function watchCalls(page: Page, which: RegExp) {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (which.test(pathname)) calls.push(`${request.method()} ${pathname}`)
  })
  return calls
}

export async function send(
  page: Page,
  path: string,
  file: Awaited<ReturnType<typeof picture>>,
  name: string,
  fields: Record<string, string> = {},
) {
  const token = (await page.context().cookies()).find((cookie) => cookie.name === 'XSRF-TOKEN')!.value
  const headers = { 'x-xsrf-token': decodeURIComponent(token) }
  const answer = await page.request.post(path, { headers, multipart: { ...fields, [name]: file } })
  expect(answer.ok(), await answer.text()).toBe(true)
  return answer.json()
}

export const good = (page: Page) => page.locator('.notice.good')
export const bad = (page: Page) => page.locator('.notice.bad')
export const alert = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
export const waiting = { en: 'Loading...', ja: '読み込み中…' }
export const follow = (who: Member, whom: Member) => call(who.page, 'POST', `/api/follow/${whom.id}`)

export async function expectPulsing(text: Locator) {
  await expect(text).toBeVisible()
  const [name, count] = await text.evaluate((element) => {
    const { animationName, animationIterationCount } = getComputedStyle(element)
    return [animationName, animationIterationCount]
  })
  expect(name).toContain('pulse')
  expect(count).toContain('infinite')
}
