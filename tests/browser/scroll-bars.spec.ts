import type { Page } from '@playwright/test'
import { chromiumArguments, findChromium } from '#tests/programs.ts'
import { annAndBen, sendMessage } from './chat-helpers.ts'
import { expect, test } from './fixture.ts'

// These tests use scroll bars that take space, as on desktop systems. By default Playwright hides scroll bars
// in Chromium.

const chromium = findChromium()
test.use({
  launchOptions: {
    args: chromiumArguments,
    ignoreDefaultArgs: ['--hide-scrollbars'],
    ...(chromium && { executablePath: chromium }),
  },
})

const strip = 'pixels beside the page that are no scroll bar'
/** Returns the width in pixels that the page keeps free for a scroll bar while it shows no scroll bar. */
const emptyGutter = (page: Page) =>
  page.evaluate(() => {
    const root = document.documentElement
    const hasBar = getComputedStyle(root).overflowY === 'scroll' || root.scrollHeight > root.clientHeight
    return hasBar ? 0 : innerWidth - Math.round(root.getBoundingClientRect().width)
  })
const contentWidth = (page: Page) =>
  page.locator('main').evaluate((main) => main.getBoundingClientRect().width)

test('a page of a phone has no empty strip beside it, nor has a chat between a phone and a desktop', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  await sendMessage(ben, ann, 'Hello there')
  const { page } = ann
  const phones = [
    [195, 422],
    [390, 700],
    [640, 450],
  ] as const
  const between = [780, 500] as const
  for (const path of ['/', '/chats', `/privatechat/${ben.id}`, '/cart', '/logout', '/nowhere']) {
    await page.goto(path)
    await expect(page.locator('main h1').first()).toBeVisible()
    for (const [width, height] of /chat/.test(path) ? [...phones, between] : phones) {
      await page.setViewportSize({ width, height })
      await expect(page.locator('main h1').first()).toBeVisible()
      await expect.poll(() => emptyGutter(page), `${path}, ${width} px wide: ${strip}`).toBe(0)
    }
  }
})

test('nothing moves sideways when a page grows or a dialog opens, on a phone and a desktop', async ({
  member,
}) => {
  const { page } = await member('Ann')
  const widths = [390, 1440]
  const before = new Map<number, number>()
  for (const path of ['/chats', '/nowhere']) {
    await page.goto(path)
    await expect(page.locator('main h1').first()).toBeVisible()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 700 })
      before.set(width, await contentWidth(page))
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog')).toBeVisible()
      expect(await contentWidth(page), `${path}, ${width} px, below a dialog`).toBe(before.get(width))
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
  }
  await page.locator('main').evaluate((main) => main.insertAdjacentHTML('beforeend', '<br>'.repeat(200)))
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 })
    expect(await contentWidth(page), `${width} px, longer than the window`).toBe(before.get(width))
  }
})
