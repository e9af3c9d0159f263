import type { Page } from '@playwright/test'
import { chromiumArguments, findChromiumPath } from '#tests/programs.ts'
import { registerAnnAndBenFollowingEachOther, sendPrivateMessageByApiInBrowserTest } from './chat-helpers.ts'
import { createTestPictureForPlaywrightUpload, expect, test } from './fixture.ts'

// These tests use scroll bars that take space, as on desktop systems. By default Playwright hides scroll bars
// in Chromium.

const chromium = findChromiumPath()
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

for (const [width, height] of [
  [195, 422],
  [390, 700],
  [640, 450],
] as const)
  test(`a page ${width} px wide has no empty strip beside it`, async ({ member }) => {
    const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
    await sendPrivateMessageByApiInBrowserTest(ben, ann, 'Hello there')
    const { page } = ann
    await page.setViewportSize({ width, height })
    for (const path of ['/', '/chats', `/privatechat/${ben.id}`, '/cart', '/logout', '/nowhere']) {
      await page.goto(path)
      await expect(page.locator('main h1').first()).toBeVisible()
      await expect.poll(() => emptyGutter(page), `${path}: ${strip}`).toBe(0)
    }
  })

test('a chat between a phone and a desktop has no empty strip beside it', async ({ member }) => {
  const { ann, ben } = await registerAnnAndBenFollowingEachOther(member)
  await ann.page.setViewportSize({ width: 780, height: 500 })
  for (const path of ['/chats', `/privatechat/${ben.id}`]) {
    await ann.page.goto(path)
    await expect(ann.page.locator('main h1').first()).toBeVisible()
    expect(await emptyGutter(ann.page), strip).toBe(0)
  }
})

for (const width of [390, 1440])
  test(`nothing moves sideways when a page grows or a dialog opens, ${width} px wide`, async ({ member }) => {
    const { page } = await member('Ann')
    await page.setViewportSize({ width, height: 700 })
    for (const path of ['/nowhere', '/chats']) {
      await page.goto(path)
      await expect(page.locator('main h1').first()).toBeVisible()
      const before = await contentWidth(page)
      await page.keyboard.press('?')
      await expect(page.getByRole('dialog')).toBeVisible()
      expect(await contentWidth(page), `${path}, below a dialog`).toBe(before)
      await page.keyboard.press('Escape')
      if (path === '/chats') continue
      await page.locator('main').evaluate((main) => main.insertAdjacentHTML('beforeend', '<br>'.repeat(200)))
      expect(await contentWidth(page), `${path}, longer than the window`).toBe(before)
    }
  })

test('below an open picture the place of the scroll bar is dark too', async ({ member }) => {
  const { page } = await member('Ann')
  await page.goto('/post')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([await createTestPictureForPlaywrightUpload('river')])
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await page.getByRole('button', { name: 'Post anyway' }).click()
  await page.locator('article .picture').first().click()
  await expect(page.locator('.lightbox')).toBeVisible()
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(12, 16, 13)')
})
