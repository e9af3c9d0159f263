import type { Page } from '@playwright/test'
import { annAndBen, messageLog, openChat } from './chat-helpers.ts'
import { expect, expectAccessible, expectNoOverflow, test } from './fixture.ts'

test.use({ viewport: { width: 390, height: 844 } })

const openMenu = (page: Page) => page.locator('.top-bar button.menu-button').click()
const menuEntry = (page: Page) =>
  page.locator('.menu:popover-open').getByRole('link', { name: 'Scheduled', exact: true })

/** Opens the dialog, and takes the choice. */
async function sendLater(page: Page, choice: RegExp) {
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'When should it be sent?' })
  const button = dialog.getByRole('button', { name: choice })
  await button.click()
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page)
  await expectNoOverflow(page)
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await expect(dialog).toHaveCount(0)
}

test('a message waits for its time on a page of its own, until its author sends it now', async ({
  member,
}) => {
  const { ann, ben } = await annAndBen(member)
  await openChat(ann, ben)
  await openChat(ben, ann)
  const field = ann.page.getByRole('textbox', { name: 'Enter your message' })
  await expect(ann.page.getByRole('button', { name: 'Schedule', exact: true })).toHaveCount(0)
  await field.fill('Good morning')
  await sendLater(ann.page, /^Tomorrow/)
  await expect(field).toHaveValue('')
  await ann.page.getByRole('status').getByRole('link', { name: 'Show' }).click()
  await expect(ann.page).toHaveURL('/scheduled')
  const card = ann.page.getByRole('listitem').filter({ hasText: 'Message to Ben' })
  await expect(card).toContainText('Good morning')
  await expectAccessible(ann.page)
  await expectNoOverflow(ann.page)
  await openMenu(ann.page)
  await expect(menuEntry(ann.page)).toBeVisible()
  await ann.page.keyboard.press('Escape')

  await card.getByRole('button', { name: 'Change' }).click()
  const change = ann.page.getByRole('dialog', { name: 'Change' })
  await change.getByRole('textbox', { name: 'Text' }).fill('Good morning, Ben')
  await change.getByLabel('Time').fill('06:30')
  await expectAccessible(ann.page)
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('Good morning, Ben')
  await expect(card.getByRole('time')).toContainText('6:30')

  await expect(messageLog(ben.page).getByText('Good morning')).toHaveCount(0)
  await card.getByRole('button', { name: 'Send now' }).click()
  await ann.page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  await expect(messageLog(ben.page).getByText('Good morning, Ben')).toBeVisible()
  await expect(ann.page.getByRole('heading', { name: 'Nothing waits' })).toBeVisible()
  await ben.page.goto('/')
  for (const { page } of [ann, ben]) {
    await openMenu(page)
    await expect(page.locator('.menu:popover-open').getByRole('link', { name: 'Bookmarks' })).toBeVisible()
    await expect(menuEntry(page)).toHaveCount(0)
  }
})

test('a post that is not sent after all goes back to its form, and a time that is over is refused', async ({
  member,
}) => {
  const { page } = await member('Ann')
  await page.goto('/post')
  const text = page.getByRole('textbox', { name: 'Text of the post' })
  await expect(page.getByRole('button', { name: 'Schedule', exact: true })).toBeDisabled()
  await text.fill('The market is on Saturday')
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'When should it be sent?' })
  // The day of the page, which may be another one than that of UTC.
  const today = await page.evaluate(() => new Date().toLocaleDateString('sv'))
  await dialog.getByLabel('Date').fill(today)
  await dialog.getByLabel('Time').fill('00:00')
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click()
  await expect(dialog.getByRole('alert')).toHaveText(/at least a minute/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(text).toHaveValue('The market is on Saturday')
  await sendLater(page, /^Tomorrow/)
  await expect(text).toHaveValue('')

  await page.goto('/scheduled')
  const card = page.getByRole('listitem').filter({ hasText: 'The market is on Saturday' })
  await expect(card.getByRole('heading')).toHaveText('Post for everybody')
  await card.getByRole('button', { name: 'Do not send' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Do not send' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing waits' })).toBeVisible()
  await page.getByRole('link', { name: 'New post' }).last().click()
  await expect(text).toHaveValue('The market is on Saturday')
})
