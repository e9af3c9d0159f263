import type { Page } from '@playwright/test'
import { annAndBen, messageBox, messageLog, openChat, sendMessage } from './chat-helpers.ts'
import { expect, test } from './fixture.ts'

/** Holds back the requests that save an edit. Returns a function that lets the first of them continue. */
async function holdEdits(page: Page) {
  const held: (() => void)[] = []
  await page.route('**/api/chat-messages/*', async (route) => {
    if (route.request().method() === 'PUT') await new Promise<void>((resolve) => held.push(resolve))
    await route.continue()
  })
  return async () => {
    await expect.poll(() => held.length).toBeGreaterThan(0)
    const response = page.waitForResponse((one) => one.request().method() === 'PUT')
    held.shift()!()
    await (await response).finished()
  }
}
/** Returns the menu button of a message. */
const locateMenuButton = (page: Page, text: string) =>
  messageLog(page).locator('.message', { hasText: text }).locator('.actions > button')
async function beginEdit(page: Page, text: string) {
  await messageLog(page).locator('.message', { hasText: text }).hover()
  await locateMenuButton(page, text).click()
  await page.locator('.menu:popover-open').getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(messageBox(page)).toHaveValue(text)
}
/** Saves the text of the box, whose request is held, and expects the message in the chat and an empty box. */
async function saveAndExpectEmptyBox(page: Page, text: string, answer: () => Promise<void>) {
  await page.keyboard.press('Enter')
  await answer()
  await expect(messageLog(page)).toContainText(text)
  await expect(messageBox(page)).toHaveValue('')
}

test('while an edit is being saved, a further change of the text stays, and the edit of another message goes on', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  for (const text of ['late', 'plum', 'quince']) await sendMessage(ann, ben, text)
  await openChat(ann, ben)
  const answer = await holdEdits(ann.page)
  await beginEdit(ann.page, 'late')
  const box = messageBox(ann.page)
  await box.fill('late, first')
  await ann.page.keyboard.press('Enter')
  await box.fill('late, second')
  await answer()
  await expect(messageLog(ann.page)).toContainText('late, first')
  await expect(box).toHaveValue('late, second')
  await saveAndExpectEmptyBox(ann.page, 'late, second', answer)

  await beginEdit(ann.page, 'plum')
  await box.fill('plum jam')
  await ann.page.keyboard.press('Enter')
  await beginEdit(ann.page, 'quince')
  await box.fill('quince jelly')
  await answer()
  await expect(messageLog(ann.page)).toContainText('plum jam')
  await expect(box).toHaveValue('quince jelly')
  await saveAndExpectEmptyBox(ann.page, 'quince jelly', answer)
})

test('with the keyboard, the arrow keys enter an open menu, and a deletion leads to the message box', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  for (const text of ['plum', 'quince']) await sendMessage(ann, ben, text)
  await openChat(ann, ben)
  const { page } = ann
  const button = locateMenuButton(page, 'plum')
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Reply', exact: true })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('.menu:popover-open button').first()).toBeFocused()
  await page.keyboard.press('End')
  await expect(page.getByRole('button', { name: 'Delete', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(button).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(locateMenuButton(page, 'quince')).toBeFocused()
  await page.keyboard.press('Enter')
  const menu = page.locator('.menu:popover-open')
  await menu.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  await page.getByRole('button', { name: 'Delete message' }).press('Enter')
  await expect(messageLog(page)).toContainText('This message was deleted')
  await expect(messageBox(page)).toBeFocused()
})
