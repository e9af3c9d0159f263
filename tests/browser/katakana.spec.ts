import type { Page } from '@playwright/test'
import { expect, expectNoOverflow, fetchJson, test } from './fixture.ts'

// Tests that labels never break a word in katakana over two lines, such as チャット, ユーザー or グループ.

const labels =
  'a, button, h1, h2, h3, label, legend, th, dt, .tabs > *, .segments > *, .menu a, .menu button, .title'

/** Waits until the page has been drawn. Returns the words in katakana that are broken over two lines in a label. */
const broken = (page: Page) =>
  page.evaluate(async (selector) => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const found: string[] = []
    for (const label of document.querySelectorAll(selector)) {
      if (!label.checkVisibility({ visibilityProperty: true }) || label.closest('.visually-hidden')) continue
      const walker = document.createTreeWalker(label, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) {
        const node = walker.currentNode as Text
        for (const { 0: word, index } of node.data.matchAll(/[ァ-ヺー]{2,}/g)) {
          const range = document.createRange()
          range.setStart(node, index)
          range.setEnd(node, index + word.length)
          const parts = [...range.getClientRects()]
          const lines = new Set(parts.map(({ top }) => Math.round(top)))
          const whole = parts.reduce((sum, { width }) => sum + width, 0)
          let line = node.parentElement!
          while (getComputedStyle(line).display.startsWith('inline')) line = line.parentElement!
          // A name can have a word that is longer than a line.
          if (lines.size > 1 && whole <= line.clientWidth)
            found.push(`${word} in “${label.textContent}” (${label.localName}.${label.className})`)
        }
      }
    }
    return found
  }, labels)

const paths = [
  '/',
  '/followingpostlist',
  '/follow',
  '/chats',
  '/chats/unread',
  '/users',
  '/my-groups',
  '/post',
  '/edit',
  '/logout',
  '/dashboard',
  '/chat',
  '/cart',
  '/products/1',
  '/user',
  '/admin/dashboard',
  '/admin/creategroup',
  '/admin/users',
  '/admin/settings',
]

const widths = [195, 240, 320, 390]
test('no label breaks a katakana word', async ({ admin, member }) => {
  const ann = await admin('Ann', { lang: 'ja' })
  const ben = await member('アレクサンドラ・マリア')
  await fetchJson(ann.page, 'POST', `/api/follow/${ben.id}`)
  const { page } = ann
  const name = 'サッカークラブのコミュニティーグループチャット'
  const { group } = await fetchJson(page, 'POST', '/api/groups', { name })
  for (const path of [...paths, `/privatechat/${ben.id}`, `/group-chat/${group.id}`, `/people/${ben.id}`]) {
    await page.goto(path)
    await expect(page.locator('h1').first()).toBeVisible()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 700 })
      expect.soft(await broken(page), `${path}, ${width} px`).toEqual([])
      await expectNoOverflow(page)
    }
  }
})

test('no label of a visitor breaks a katakana word', async ({ seat }) => {
  const { page } = await seat({ locale: 'ja-JP' })
  for (const path of ['/', '/login', '/register', '/setup?code=x', '/nowhere']) {
    await page.goto(path)
    await expect(page.locator('h1').first()).toBeVisible()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 700 })
      expect.soft(await broken(page), `${path}, ${width} px wide`).toEqual([])
    }
  }
})

test('a browser that finds no phrases gets the ends of phrases, but not in texts of members', async ({
  member,
}) => {
  const { page, id } = await member('つくしの子', { lang: 'ja' })
  await page.addInitScript(() => {
    CSS.supports = () => false
  })
  await page.goto('/nowhere')
  await expect(page.locator('html')).toHaveAttribute('data-phrases')
  const title = page.locator('main h1')
  await expect.poll(() => title.evaluate((h1) => h1.textContent)).toContain('が\u200b見')
  await page.goto(`/people/${id}`)
  await expect(page.locator('html')).toHaveAttribute('data-phrases')
  await expect(page.locator('h1')).toHaveText('つくしの子')
  expect(await page.evaluate(() => document.body.textContent)).not.toContain('つくしの\u200b子')
})
