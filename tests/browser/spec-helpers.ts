import type { Locator, Page } from '@playwright/test'
import { expect, type pictureFile } from './fixture.ts'

export const languages = ['en', 'ja'] as const
export type Language = (typeof languages)[number]
export const localeOption = (lang: Language) => ({
  locale: lang === 'ja' ? 'ja-JP' : 'en-GB',
})

/**
 * Expects that the element `where` shows a text as readers of the language `reader` see it. `text` is in the
 * language `lang`, and `also` is its translation. Readers of `lang` see `text`. Other readers see only the
 * translation of an English text, but both the text and the translation of a Japanese text.
 */
export async function expectSpecText(
  where: Locator,
  reader: Language,
  text: string,
  also: string,
  lang: Language = 'en',
) {
  if (reader === lang) return expect(where).toContainText(text)
  if (lang === 'en') {
    await expect(where).toContainText(also)
    return expect(where).not.toContainText(text)
  }
  await expect(where.locator(`[lang=${lang}]`)).toHaveText(text)
  await expect(where.locator(`small[lang=${reader}]`)).toHaveText(also)
}

/** Holds back the page's requests to a URL. Returns a function that lets these requests continue. */
export async function holdRequests(page: Page, url: string) {
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

/**
 * Moves the page's clock forward by a minute and stops it there. From then on, only the test moves the clock.
 */
export async function stopClock(page: Page) {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
}

/**
 * Moves the stopped clock of the page in steps of a millisecond until the text is visible. So a timer that
 * the page starts together with the text has its full time left.
 */
export const advanceUntilVisible = (page: Page, text: Locator) =>
  expect(async () => {
    await page.clock.runFor(1)
    await expect(text).toBeVisible({ timeout: 50 })
  }).toPass({ intervals: [1] })

/**
 * Expects that the text is visible for one second of the page's clock, and that the page then goes to the
 * home page.
 */
export async function expectThenHome(page: Page, text: Locator) {
  await advanceUntilVisible(page, text)
  const { pathname, search } = new URL(page.url())
  await page.clock.runFor(990)
  await expect(text).toBeVisible()
  await expect(page).toHaveURL(pathname + search)
  await page.clock.runFor(20)
  await expect(page).toHaveURL('/')
  await page.clock.resume()
  await expect(text).toHaveCount(0)
}

/**
 * From now on, records the requests of the page whose path matches `which`. Returns the list of their methods
 * and paths, to which later requests are added.
 */
export function recordRequests(page: Page, which: RegExp) {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (which.test(pathname)) calls.push(`${request.method()} ${pathname}`)
  })
  return calls
}

export async function postForm(
  page: Page,
  path: string,
  file: Awaited<ReturnType<typeof pictureFile>>,
  name: string,
  fields: Record<string, string> = {},
) {
  const token = (await page.context().cookies()).find((cookie) => cookie.name === 'XSRF-TOKEN')!.value
  const headers = { 'x-xsrf-token': decodeURIComponent(token) }
  const answer = await page.request.post(path, { headers, multipart: { ...fields, [name]: file } })
  expect(answer.ok(), await answer.text()).toBe(true)
  return answer.json()
}

export const successNotice = (page: Page) => page.locator('.notice.success')
export const errorNotice = (page: Page) => page.locator('.notice.error')
export const alertWith = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
export const loadingTexts = { en: 'Loading...', ja: '読み込み中…' }
export async function expectPulsing(text: Locator) {
  await expect(text).toBeVisible()
  const [name, count] = await text.evaluate((element) => {
    const { animationName, animationIterationCount } = getComputedStyle(element)
    return [animationName, animationIterationCount]
  })
  expect(name).toContain('pulse')
  expect(count).toContain('infinite')
}
