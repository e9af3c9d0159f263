import type { Locator, Page } from '@playwright/test'
import { annAndBen, messageBox, messageLog, openChat, sendMessage } from './chat-helpers.ts'
import { expect, test } from './fixture.ts'

/**
 * Touches the middle of an element, and moves the finger vertically by `dy` pixels. The finger stays down
 * until the test calls `lift`.
 */
async function touch(page: Page, element: Locator, { dy = 0 } = {}) {
  const client = await page.context().newCDPSession(page)
  const box = (await element.boundingBox())!
  const x = box.x + box.width / 2
  const y = box.y + box.height / 2
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', [{ x, y }])
  if (dy) await send('touchMove', [{ x, y: y + dy }])
  return { lift: () => send('touchEnd', []) }
}
const menu = (page: Page) => page.locator('.menu:popover-open')
/** Moves the page's clock by 800 ms, which is longer than the finger must stay down for a long press. */
const holding = (page: Page) => page.clock.runFor(800)

test('a long press on a message opens its menu, a tap and a scroll do not', async ({ member }) => {
  const { ann, ben } = await annAndBen(member)
  for (let i = 0; i < 30; i++) await sendMessage(ben, ann, `Line ${i}`)
  await sendMessage(ben, ann, 'See https://engawa.example/here')
  await sendMessage(ann, ben, 'My own')
  const { page } = ann
  await page.setViewportSize({ width: 390, height: 800 })
  await page.clock.install()
  await openChat(ann, ben)
  const own = messageLog(page).getByText('My own')
  // Scrolls to Ann's own message, because the chat opens at the first unread message, far above.
  await own.scrollIntoViewIfNeeded()
  await holding(page)
  // Waits until the list no longer scrolls, which would end a press.
  await own.click({ trial: true })

  const press = await touch(page, own)
  await expect(menu(page)).toBeVisible()
  await press.lift()
  await expect(menu(page)).toBeVisible()
  await expect(menu(page).getByRole('button')).toHaveText([
    ...['👍', '😂', '😮', '😢', '🎉', '🙏'],
    'Reply',
    'Forward…',
    'Copy text',
    'Seen by…',
    'Edit',
    'Delete',
  ])
  const { y, height } = (await menu(page).boundingBox())!
  expect(y).toBeGreaterThan(0)
  expect(y + height).toBeLessThanOrEqual(800)
  await menu(page).getByRole('button', { name: 'Edit' }).click()
  await expect(page.getByText('Editing your message')).toBeVisible()
  await expect(menu(page)).toHaveCount(0)
  await page.keyboard.press('Escape')

  await (await touch(page, own)).lift()
  await holding(page)
  await expect(menu(page)).toHaveCount(0)

  const scroll = await touch(page, messageLog(page).getByText('Line 29'), { dy: 60 })
  await holding(page)
  await expect(menu(page)).toHaveCount(0)
  await scroll.lift()

  const link = await touch(page, messageLog(page).getByRole('link', { name: /engawa.example/ }))
  await holding(page)
  await expect(menu(page)).toHaveCount(0)
  await link.lift()
})

test('on its side, with a keyboard on the screen, a phone shows the newest message and the box', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  for (let i = 0; i < 12; i++) await sendMessage(ann, ben, `Line ${i}`)
  const { page } = ann
  await page.setViewportSize({ width: 844, height: 390 })
  await openChat(ann, ben)
  const newest = messageLog(page).getByText('Line 11')
  await expect(newest).toBeInViewport({ ratio: 1 })
  await messageBox(page).click()
  // The keyboard makes the window smaller.
  await page.setViewportSize({ width: 844, height: 200 })
  await expect(newest).toBeInViewport({ ratio: 1 })
  for (const shown of [messageBox(page), page.getByRole('link', { name: 'Back to the list' })])
    await expect(shown).toBeInViewport({ ratio: 1 })
  expect((await messageLog(page).boundingBox())!.height).toBeGreaterThan(70)
})

test('a refused chat has the bars of the app', async ({ member }) => {
  const [{ page }, ben] = [await member('Ann'), await member('Ben')]
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of [`/privatechat/${ben.id}`, '/privatechat/999999', '/group-chat/999999']) {
    await page.goto(path)
    await expect(page.locator('.conversation .empty')).toBeVisible()
    for (const bar of ['.top-bar', '.bottom-bar'])
      await expect(page.locator(bar)).toBeInViewport({ ratio: 1 })
  }
})
