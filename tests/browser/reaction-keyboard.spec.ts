import { annAndBen, sendMessage } from './chat-helpers.ts'
import { expect, test, writePost } from './fixture.ts'

test('Enter and Space open the emoji menu with the focus in it, and Escape goes back', async ({ member }) => {
  const { page } = await member('Ann')
  const { post } = await writePost(page, 'Tea?')
  await page.goto(`/posts/${post.id}`)
  const button = page.locator('.add-reaction').first()
  const emoji = page.locator('.menu:popover-open .emoji-buttons button')
  // The second key takes the reaction of the first one back.
  for (const [key, reactions] of [
    ['Enter', 1],
    ['Space', 0],
  ] as const) {
    await button.focus()
    await page.keyboard.press(key)
    await expect(emoji.nth(0)).toBeFocused()
    await page.keyboard.press('ArrowRight')
    await expect(emoji.nth(1)).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect(emoji.last()).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.locator('.menu:popover-open')).toHaveCount(0)
    await expect(button).toBeFocused()
    await page.keyboard.press(key)
    await expect(emoji.nth(0)).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(emoji.nth(1)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.locator('.reaction[aria-pressed=true]')).toHaveCount(reactions)
    await expect(button).toBeFocused()
  }
})

test('the menu of a message stays inside a phone when its emoji are loaded late', async ({ member }) => {
  const { ann, ben } = await annAndBen(member)
  await sendMessage(ben, ann, 'Has anybody told the barrel?')
  await ann.page.setViewportSize({ width: 390, height: 844 })
  await ann.page.goto(`/privatechat/${ben.id}`)
  const opener = ann.page.locator('.message button[popovertarget]').last()
  await opener.focus()
  await ann.page.keyboard.press('Enter')
  const emoji = ann.page.locator('.menu:popover-open .emoji-buttons button')
  await expect(emoji).toHaveCount(6)
  const tops = await emoji.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  expect(new Set(tops).size).toBe(1)
  const menu = ann.page.locator('.menu:popover-open')
  await expect.poll(() => menu.evaluate((one) => one.getBoundingClientRect().right)).toBeLessThanOrEqual(382)
})
