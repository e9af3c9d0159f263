import type { Page } from '@playwright/test'
import { deep } from '#tests/deep.ts'
import type { PageTestCase } from './all-pages-actions.ts'
import { expect, listViolations, overflowOf } from './fixture.ts'

/**
 * Expects that the page has no accessibility violations in forced-colours mode. Does not check the contrast,
 * because axe would measure the colours of the style sheet, not those that the system shows.
 */
export async function expectForcedColours(page: Page, { name }: PageTestCase) {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  expect
    .soft(
      await listViolations(page, { isLook: !deep, without: ['color-contrast'] }),
      `${name}, in the colours of the system`,
    )
    .toEqual([])
  await page.emulateMedia({ forcedColors: null, reducedMotion: null })
}

export async function expectFits(page: Page, { name }: PageTestCase) {
  expect
    .soft(await overflowOf(page), `${name}: pixels too wide at ${page.viewportSize()?.width}`)
    .toBeLessThanOrEqual(0)
}

/** Expects that the page has no violations of the rules of the look in the other theme. */
export async function expectOtherTheme(
  page: Page,
  { name }: PageTestCase,
  { colorScheme }: { colorScheme: 'light' | 'dark' },
) {
  const other = colorScheme === 'light' ? 'dark' : 'light'
  await page.emulateMedia({ colorScheme: other })
  expect.soft(await listViolations(page, { isLook: true }), `${name}, ${other}`).toEqual([])
  await page.emulateMedia({ colorScheme })
}

export async function expectReducedMotion(page: Page, { name }: PageTestCase) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const moves = (await moving(page)).filter((what) => !mayMove.test(what))
  expect.soft(moves, `${name}, where less motion is wanted`).toEqual([])
}

export async function expectLargeTextFits(page: Page, { name }: PageTestCase) {
  await expect
    .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize))
    .toBe('32px')
  expect
    .soft(await overflowOf(page), `${name}, at twice the size of text: pixels too wide`)
    .toBeLessThanOrEqual(0)
  expect.soft(await cutOff(page), `${name}, at twice the size of text`).toEqual([])
}

/**
 * Returns a text for each element of the page that has an animation or a transition longer than a
 * hundredth of a second.
 */
const moving = (page: Page) =>
  page.evaluate(() => {
    const long = (times: string) =>
      times.split(',').some((time) => Number.parseFloat(time) * (time.includes('ms') ? 0.001 : 1) > 0.01)
    const found = new Set<string>()
    for (const element of document.querySelectorAll('body, body *'))
      for (const pseudo of [null, '::before', '::after', '::backdrop']) {
        const style = getComputedStyle(element, pseudo)
        const name = `${element.localName}.${(element.getAttribute('class') ?? '').replaceAll(' ', '.')}${pseudo ?? ''}`
        if (style.animationName !== 'none' && long(style.animationDuration))
          found.add(`${name} animation ${style.animationName}`)
        if (long(style.transitionDuration))
          found.add(`${name} transition ${style.transitionProperty} ${style.transitionDuration}`)
      }
    return [...found]
  })
/**
 * Matches the text of the only animation that the page may have with reduced motion: that of the loading
 * spinner, without which nobody would see that something is loading.
 */
const mayMove = /^\S*\.spin\b\S* animation breathe$/

/** Returns a text for each label of a button that is partly outside of its button or of the window. */
const cutOff = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = []
    for (const button of document.querySelectorAll('button, .button')) {
      if (!button.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
      const box = button.getBoundingClientRect()
      while (walker.nextNode()) {
        const parent = walker.currentNode.parentElement!
        const { overflowX, clipPath } = getComputedStyle(parent)
        // Skips texts that only screen readers read. Style sheets clip such texts to an empty area.
        if (
          parent.closest('.visually-hidden, svg') ||
          clipPath === 'inset(50%)' ||
          !walker.currentNode.textContent!.trim()
        )
          continue
        const range = document.createRange()
        range.selectNodeContents(walker.currentNode)
        const text = range.getBoundingClientRect()
        if (!text.width) continue
        const hides = overflowX !== 'visible' && parent.scrollWidth > parent.clientWidth + 1
        const out =
          text.left < box.left - 1 ||
          text.right > box.right + 1 ||
          text.top < box.top - 2 ||
          text.bottom > box.bottom + 2
        if (hides || out || text.right > innerWidth + 1 || text.left < -1)
          found.push(
            `${button.className || button.localName}: “${walker.currentNode.textContent}” ${JSON.stringify([text.left, text.right, box.left, box.right].map(Math.round))}`,
          )
      }
    }
    return found
  })
