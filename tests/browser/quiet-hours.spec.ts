import type { Page } from '@playwright/test'
import { expect, expectPageAccessible, test } from './fixture.ts'

/** Expects the section of the address at the top of the window, below the fixed bar. */
const expectBelowBar = (page: Page) =>
  expect
    .poll(async () => {
      const { y } = (await page.locator('#push').boundingBox())!
      const bar = (await page.getByRole('banner').boundingBox())!
      return y >= bar.y + bar.height && y < 200
    })
    .toBe(true)

test('members see whether they have quiet hours, set them, and turn them off', async ({ member }) => {
  const { page } = await member('Ann')
  await page.goto('/account/notifications')
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Quiet hours' }) })
  const none = card.getByText('You have no quiet hours.')
  const turnOff = card.getByRole('button', { name: 'Turn off quiet hours' })
  await expect(none).toBeVisible()
  await expect(turnOff).toHaveCount(0)
  await expect(card.getByRole('link')).toHaveCount(0)
  await card.getByLabel('From').fill('21:30')
  await card.getByRole('button', { name: 'Save quiet hours' }).click()
  await expect(turnOff).toBeVisible()
  await expect(none).toHaveCount(0)
  await expect(card.getByLabel('From')).toHaveValue('21:30')
  await expectPageAccessible(page)
  await turnOff.click()
  await expect(none).toBeVisible()
  await expect(turnOff).toHaveCount(0)
  await expect(card.getByLabel('From')).toBeFocused()

  // The way to the devices is beside the explanation of the column “On devices”.
  await page.getByRole('link', { name: 'Set up devices' }).click()
  await expect(page).toHaveURL(/\/account#push$/)
  await expectBelowBar(page)
  await page.reload()
  await expectBelowBar(page)
})
