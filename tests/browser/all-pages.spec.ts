import { pageDefinitions } from '#app.ts'
import { day, deep, turn } from '#tests/deep.ts'
import type { PageTestCase } from './all-pages-actions.ts'
import { allCases, apart } from './all-pages-cases.ts'
import {
  expectFits,
  expectForcedColours,
  expectLargeTextFits,
  expectOtherTheme,
  expectReducedMotion,
} from './all-pages-checks.ts'
import { test } from './all-pages-community.ts'
import { runCases, setTextScale, visitCase } from './all-pages-visit.ts'
import { expect, expectAccessible, expectNoOverflow, listViolations } from './fixture.ts'

test.describe.configure({ mode: 'parallel' })

const matches = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)

test('the test cases include every page', () => {
  const seen = [...allCases.map(({ path }) => path.split(/[?#]/)[0]!), ...apart]
  expect(
    pageDefinitions.map(({ path }) => path).filter((pattern) => !seen.some((path) => matches(pattern, path))),
  ).toEqual([])
})

type Look = { lang: 'en' | 'ja'; colorScheme: 'light' | 'dark'; width: 390 | 1440 }
/**
 * Pairs of looks. A look is a language, a theme and a window width, and the two looks of a pair cover both
 * languages, both themes and both widths. In the deep stage, a test case that only loads a page runs in both
 * looks of a pair. Otherwise it runs in one look, another one each day, and the theme and the width change
 * without a new page. A test case with actions or fake responses runs in one look; the test cases take the
 * looks in turn.
 */
const pairs: readonly (readonly [Look, Look])[] = [
  [
    { lang: 'en', colorScheme: 'light', width: 1440 },
    { lang: 'ja', colorScheme: 'dark', width: 390 },
  ],
  [
    { lang: 'ja', colorScheme: 'light', width: 1440 },
    { lang: 'en', colorScheme: 'dark', width: 390 },
  ],
]
const settings = ({ lang, colorScheme, width }: Look) => ({
  locale: lang === 'ja' ? 'ja-JP' : 'en-GB',
  colorScheme,
  viewport: { width, height: 800 },
})

/** Returns whether a test case only loads the page, without fake responses and without actions. */
const isPlain = ({ answers, act }: PageTestCase) => !answers && !act
const isLively = ({ answers, act }: PageTestCase) => answers === 'held' || act !== undefined

/** The test cases of this run: every page, and a third of its other states, another one each day. */
const chosen = new Set([
  ...allCases.filter(isPlain),
  ...turn(allCases.filter((testCase) => !isPlain(testCase))),
])

const looksOf = (testCase: PageTestCase, i: number) => {
  const { only } = testCase
  if (isPlain(testCase)) return deep ? pairs[i % 2]! : [pairs.flat()[(i + day) % 4]!]
  const fitting = pairs.flat().filter(({ width }) => !only || only === width)
  return [fitting[i % fitting.length]!]
}

const inParts = <T>(all: readonly T[], most: number) => {
  const count = Math.ceil(all.length / most)
  return Array.from({ length: count }, (_, which) => all.filter((_, i) => i % count === which))
}
const MOST = 10

for (const look of pairs.flat())
  test.describe(`${look.lang}, ${look.colorScheme}, ${look.width} px`, () => {
    test.use(settings(look))
    const seen = allCases.filter((testCase, i) => chosen.has(testCase) && looksOf(testCase, i).includes(look))
    for (const [at, part] of inParts(seen, MOST).entries())
      test(`axe finds no violation, nothing is too wide, reduced motion is respected, ${at + 1}`, async ({
        page,
        community,
        protocol,
      }) => {
        await runCases({ page, community, protocol }, part, async (testCase) => {
          expect.soft(await listViolations(page), testCase.name).toEqual([])
          await expectFits(page, testCase)
          if (isLively(testCase)) await expectReducedMotion(page, testCase)
          if (!isPlain(testCase)) return
          if (!deep) await expectOtherTheme(page, testCase, look)
          if (deep ? look.width === 1440 : turn(allCases).includes(testCase))
            await expectForcedColours(page, testCase)
          if (deep && look.width === 1440) return
          if (!deep) await page.setViewportSize({ width: look.width === 390 ? 1440 : 390, height: 800 })
          await expectFits(page, testCase)
          await page.setViewportSize({ width: 390, height: 800 })
          await setTextScale(protocol, 2)
          await expectLargeTextFits(page, testCase)
          await page.setViewportSize({ width: look.width, height: 800 })
        })
      })
  })

for (const look of pairs[1]!)
  test.describe(`logged out: ${look.lang}, ${look.colorScheme}, ${look.width} px`, () => {
    test.use(settings(look))
    test('no rule of accessibility is broken', async ({ member }) => {
      const { page } = await member('Ann', { lang: look.lang })
      await page.emulateMedia({ colorScheme: look.colorScheme })
      await page.setViewportSize({ width: look.width, height: 800 })
      await page.goto('/logout')
      await expect(page.getByText(/Log out successful\.|ログアウトしました。/)).toBeVisible()
      await expectAccessible(page)
      await expectNoOverflow(page)
    })
  })

// The test cases with actions that can run in a narrow window, a third of them each day. They open their pages
// at the doubled text size from the start, because the position of a menu is computed when it opens.
const opened = turn(allCases.filter(({ act, only }) => act && only !== 1440))
for (const [at, part] of inParts(opened, MOST).entries())
  test.describe(`twice the size of text, ${at + 1}`, () => {
    test.use({ viewport: { width: 390, height: 800 }, locale: at % 2 ? 'ja-JP' : 'en-GB' })
    test('no text of a page is cut off', async ({ page, community, protocol }) => {
      await runCases(
        { page, community, protocol },
        part,
        (testCase) => expectLargeTextFits(page, testCase),
        2,
      )
    })
  })

interface Shift {
  value: number
  hadRecentInput: boolean
  sources: { node: Element | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[]
}
for (const width of [390, 1440])
  for (const { name, path, who } of [
    { name: 'posts', path: '/', who: 'ben' },
    { name: 'posts, for visitors', path: '/', who: 'visitor' },
    { name: 'a chat', path: '/privatechat/:ann', who: 'ben' },
    { name: 'searching', path: '/follow', who: 'ben' },
    { name: 'the search', path: '/search?q=kiln', who: 'ben' },
  ] as const)
    test(`${name}: the layout does not shift while the page loads slowly, ${width} px`, async ({
      page,
      community,
    }) => {
      await page.setViewportSize({ width, height: 800 })
      await page.addInitScript(() => {
        const shifts: string[] = []
        let sum = 0
        const words = ({ x, y, width, height }: DOMRectReadOnly) =>
          [x, y, width, height].map(Math.round).join(' ')
        Object.assign(globalThis, { shifted: () => ({ sum, shifts }) })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as Shift[]) {
            if (entry.hadRecentInput) continue
            sum += entry.value
            for (const { node, previousRect, currentRect } of entry.sources)
              shifts.push(
                `${node?.nodeName} ${node?.className} ${words(previousRect)} → ${words(currentRect)}`,
              )
          }
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.route(/\.(js|css)$|\/media\/|\/api\//, async (route) => {
        await new Promise((resolve) =>
          setTimeout(resolve, route.request().url().includes('/media/') ? 500 : 150),
        )
        await route.continue().catch(() => {})
      })
      await visitCase(page, community, { path, who })
      await page.waitForLoadState('networkidle')
      await page.evaluate(() =>
        Promise.all([...document.images].map((image) => image.decode().catch(() => {}))),
      )
      const { sum, shifts } = await page.evaluate(() =>
        (globalThis as unknown as { shifted(): { sum: number; shifts: string[] } }).shifted(),
      )
      expect(sum, shifts.join('\n')).toBeLessThan(0.01)
    })
