import type { CDPSession, Page } from '@playwright/test'
import { answer500, type PageTestCase } from './all-pages-actions.ts'
import { type PageCommunity, test } from './all-pages-community.ts'
import { expect } from './fixture.ts'
import { BLANK_PATH } from './seats.ts'

export async function visitCase(
  page: Page,
  community: PageCommunity,
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

/**
 * Waits until all animations of the page that have an end have finished, because a loading placeholder fades
 * in.
 */
const waitForAnimations = (page: Page) =>
  page.evaluate(async () => {
    const once = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    await Promise.allSettled(once.map(({ finished }) => finished))
  })

/**
 * Fakes the responses to the page's GET requests to the API as `answers` says, except those about the current
 * user and the unread counts. Removes the initial data for the faked requests from the HTML, so that the page
 * sends these requests.
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
    // The pages of links with a secret read what belongs to the link with a POST request.
    const isCheck = new URL(route.request().url()).pathname.endsWith('/check')
    if (route.request().method() !== 'GET' && !(isCheck && answers === 'held')) return route.fallback()
    if (answers === 'failed') return answer500(route)
    if (answers === 'empty') return route.fulfill({ json: [] })
  })
}

interface SceneContext {
  page: Page
  community: PageCommunity
  protocol: CDPSession
}

/**
 * Runs the test cases one after another in the same browser page, and calls `check` after each. Opening a new
 * page for each test case would take longer.
 */
export async function runCases(
  { page, community, protocol }: SceneContext,
  some: readonly PageTestCase[],
  check: (testCase: PageTestCase) => Promise<unknown>,
  text = 1,
) {
  test.setTimeout(60_000 + some.length * 15_000)
  for (const testCase of some)
    await test.step(testCase.name, async () => {
      // Leaves the previous page before its cookies are deleted. Otherwise a late response to a request of
      // this page would set a session cookie again.
      await page.goto(BLANK_PATH)
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      // Deletes the cookies and the stored data of the site, such as drafts and unsent messages.
      await protocol.send('Storage.clearDataForOrigin', { origin: community.origin, storageTypes: 'all' })
      // Turns on reduced motion for test cases that show loading placeholders. Placeholders pulse without it,
      // and axe would then measure their contrast at a random brightness.
      await page.emulateMedia({
        forcedColors: null,
        reducedMotion: testCase.answers === 'held' ? 'reduce' : null,
      })
      await setTextScale(protocol, text)
      await visitCase(page, community, testCase)
      await check(testCase)
    })
}

/** Sets the default text size of the browser to `times` its normal size. */
export const setTextScale = (protocol: CDPSession, times: number) =>
  protocol.send('Page.setFontSizes', { fontSizes: { standard: 16 * times, fixed: 13 * times } })
