import type { CDPSession, Page } from '@playwright/test'
import { fail, type Scene } from './everywhere-scenes.ts'
import { type Town, test } from './everywhere-town.ts'
import { expect } from './fixture.ts'

export async function visit(
  page: Page,
  town: Town,
  { path, who, answers, act }: Pick<Scene, 'path' | 'who' | 'answers' | 'act'>,
) {
  await page.context().addCookies(town.cookies.get(who) ?? [])
  if (answers) await answerFor(page, answers)
  await page.goto(path.replace(':ann', `${town.ids.ann}`).replace(':group', `${town.group}`))
  if (answers === 'held') {
    await page
      .locator('main :is(.skeleton, .loading, [aria-busy=true], [role=status]):visible')
      .first()
      .waitFor()
    await appeared(page)
  } else {
    await page.locator('main :is(h1, h2):visible').first().waitFor()
    await expect(page.locator('main :is(.skeleton, .loading)')).toHaveCount(0)
  }
  await act?.(page)
}

/** Waits for animations that end: a placeholder is invisible at first. */
const appeared = (page: Page) =>
  page.evaluate(async () => {
    const once = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
    await Promise.allSettled(once.map(({ finished }) => finished))
  })

/** Removes the first data of pages, but for the user, and answers the calls of the page. */
async function answerFor(page: Page, answers: NonNullable<Scene['answers']>) {
  await page.route(
    (url) => !/^\/(api|assets|media|sanctum)\//.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch()
      const body = (await response.text()).replace(
        /(<script type="application\/json" id="boot">)(.*?)(<\/script>)/s,
        (_, head, json, tail) => {
          const boot = JSON.parse(json)
          boot.first = boot.first.filter(({ url }: { url: string }) =>
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
    if (answers === 'failed') return fail(route)
    if (answers === 'empty') return route.fulfill({ json: [] })
  })
}

interface Sight {
  page: Page
  town: Town
  protocol: CDPSession
}

/** Checks scenes one after another in one page: a new page would take time. */
export async function inEach(
  { page, town, protocol }: Sight,
  some: readonly Scene[],
  check: (scene: Scene) => Promise<unknown>,
  text = 1,
) {
  test.setTimeout(60_000 + some.length * 15_000)
  for (const scene of some)
    await test.step(scene.name, async () => {
      // A late answer to the page before would set a visitor's session.
      await page.goto('about:blank')
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      // Cookies, drafts, and what could not be sent.
      await protocol.send('Storage.clearDataForOrigin', { origin: town.origin, storageTypes: 'all' })
      // Placeholders pulse: without this their contrast would be measured at any brightness.
      await page.emulateMedia({
        forcedColors: null,
        reducedMotion: scene.answers === 'held' ? 'reduce' : null,
      })
      await setText(protocol, text)
      await visit(page, town, scene)
      await check(scene)
    })
}

/** So many times the size of text, as a reader sets it for all pages. */
export const setText = (protocol: CDPSession, times: number) =>
  protocol.send('Page.setFontSizes', { fontSizes: { standard: 16 * times, fixed: 13 * times } })
