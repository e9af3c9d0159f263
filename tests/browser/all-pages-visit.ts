import type { CDPSession, Page } from '@playwright/test'
import { type PageTestCase, respondWith500 } from './all-pages-actions.ts'
import { type TestCommunity, test } from './all-pages-community.ts'
import { expect } from './fixture.ts'

export async function openPageTestCase(
  page: Page,
  community: TestCommunity,
  { path, who, answers, act }: Pick<PageTestCase, 'path' | 'who' | 'answers' | 'act'>,
) {
  await page.context().addCookies(community.cookies.get(who) ?? [])
  if (answers) await mockResponses(page, answers)
  await page.goto(path.replace(':ann', `${community.ids.ann}`).replace(':group', `${community.group}`))
  if (answers === 'held') {
    await page
      .locator('main :is(.skeleton, .loading, [aria-busy=true], [role=status]):visible')
      .first()
      .waitFor()
    await waitForAnimations(page)
  } else {
    await page.locator('main :is(h1, h2):visible').first().waitFor()
    await expect(page.locator('main :is(.skeleton, .loading)')).toHaveCount(0)
  }
  await act?.(page)
}

/** Waits until all animations that have an end are over, because a placeholder is invisible at first. */
const waitForAnimations = (page: Page) =>
  page.evaluate(async () => {
    const once = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    await Promise.allSettled(once.map(({ finished }) => finished))
  })

/**
 * Removes the initial data of pages, except the current user and the unread counts, and answers the page’s
 * requests.
 */
async function mockResponses(page: Page, answers: NonNullable<PageTestCase['answers']>) {
  await page.route(
    (url) => !/^\/(api|assets|media|sanctum)\//.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch()
      const body = (await response.text()).replace(
        /(<script type="application\/json" id="boot">)(.*?)(<\/script>)/s,
        (_, head, json, tail) => {
          const boot = JSON.parse(json)
          boot.initialAnswers = boot.initialAnswers.filter(({ url }: { url: string }) =>
            ['/api/user', '/api/unread'].includes(url),
          )
          return head + JSON.stringify(boot).replaceAll('<', '\\u003c') + tail
        },
      )
      return route.fulfill({ response, body })
    },
  )
  await page.route(/\/api\/(?!user$|unread$)/, (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    if (answers === 'failed') return respondWith500(route)
    if (answers === 'empty') return route.fulfill({ json: [] })
  })
}

interface SceneContext {
  page: Page
  community: TestCommunity
  protocol: CDPSession
}

/**
 * Checks states of pages one after another in one browser page, because opening a new one would take time.
 */
export async function checkPageTestCases(
  { page, community, protocol }: SceneContext,
  some: readonly PageTestCase[],
  check: (testCase: PageTestCase) => Promise<unknown>,
  text = 1,
) {
  test.setTimeout(60_000 + some.length * 15_000)
  for (const testCase of some)
    await test.step(testCase.name, async () => {
      // A late response to the previous page would set a visitor's session.
      await page.goto('about:blank')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      // Deletes cookies, drafts and unsent messages.
      await protocol.send('Storage.clearDataForOrigin', { origin: community.origin, storageTypes: 'all' })
      // Placeholders pulse. Reduced motion stops them, so that their contrast is not measured at a random
      // brightness.
      await page.emulateMedia({
        forcedColors: null,
        reducedMotion: testCase.answers === 'held' ? 'reduce' : null,
      })
      await setBrowserTextSize(protocol, text)
      await openPageTestCase(page, community, testCase)
      await check(testCase)
    })
}

/** Sets the default text size of the browser to `times` its normal size. */
export const setBrowserTextSize = (protocol: CDPSession, times: number) =>
  protocol.send('Page.setFontSizes', { fontSizes: { standard: 16 * times, fixed: 13 * times } })
