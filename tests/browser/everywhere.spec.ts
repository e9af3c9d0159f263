import { pages } from '#app.ts'
import { expectLargeTextFits, expectStill, expectSystemColours } from './everywhere-checks.ts'
import { type Scene, scenes } from './everywhere-scenes.ts'
import { test } from './everywhere-town.ts'
import { inEach, setText, visit } from './everywhere-visit.ts'
import { expect, expectAccessible, expectNoSidewaysScroll, tooWide, violationsOn } from './fixture.ts'

test.describe.configure({ mode: 'parallel' })

/** Logging out ends the session, which the others share, so it has a test of its own. */
const apart = ['/logout']

const matches = (pattern: string, path: string) =>
  new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)

test('every page is seen', () => {
  const seen = [...scenes.map(({ path }) => path.split('?')[0]!), ...apart]
  expect(
    pages.map(({ path }) => path).filter((pattern) => !seen.some((path) => matches(pattern, path))),
  ).toEqual([])
})

type Look = { lang: 'en' | 'ja'; colorScheme: 'light' | 'dark'; width: 390 | 1440 }
/**
 * Two looks have both languages, both themes and both widths between them. Pages take turns at the two pairs;
 * states of pages at the four looks.
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

const looksOf = ({ act, answers, only }: Scene, i: number) => {
  if (!act && !answers) return pairs[i % 2]!
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
    const seen = scenes.filter((scene, i) => looksOf(scene, i).includes(look))
    for (const [at, part] of inParts(seen, MOST).entries())
      test(`no rule of accessibility is broken, nothing is too wide or moves against one’s will, ${at + 1}`, async ({
        page,
        town,
        protocol,
      }) => {
        await inEach({ page, town, protocol }, part, async (scene) => {
          expect.soft(await violationsOn(page), scene.name).toEqual([])
          expect.soft(await tooWide(page), `${scene.name}: pixels too wide`).toBeLessThanOrEqual(0)
          if (isLively(scene)) await expectStill(page, scene)
          if (!isPlain(scene)) return
          if (look.width === 390) {
            await setText(protocol, 2)
            await expectLargeTextFits(page, scene)
          } else await expectSystemColours(page, scene)
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
      await expectNoSidewaysScroll(page)
    })
  })

/** A page as it is. */
const isPlain = ({ answers, act }: Scene) => !answers && !act
const isLively = ({ answers, act }: Scene) => answers === 'held' || act !== undefined

// Opened in the size that it is looked at in: where a menu stands is settled when it opens.
const opened = scenes.filter(({ act, only }) => act && only !== 1440)
for (const [at, part] of inParts(opened, MOST).entries())
  test.describe(`twice the size of text, ${at + 1}`, () => {
    test.use({ viewport: { width: 390, height: 800 }, locale: at % 2 ? 'ja-JP' : 'en-GB' })
    test('nothing that is opened is cut off', async ({ page, town, protocol }) => {
      await inEach({ page, town, protocol }, part, (scene) => expectLargeTextFits(page, scene), 2)
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
  ] as const)
    test(`${name}: nothing shifts while it loads slowly, ${width} px`, async ({ page, town }) => {
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
      await visit(page, town, { path, who })
      await page.waitForLoadState('networkidle')
      await page.evaluate(() =>
        Promise.all([...document.images].map((image) => image.decode().catch(() => {}))),
      )
      const { sum, shifts } = await page.evaluate(() =>
        (globalThis as unknown as { shifted(): { sum: number; shifts: string[] } }).shifted(),
      )
      expect(sum, shifts.join('\n')).toBeLessThan(0.01)
    })
