import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './fixture.ts'
import { chromiumOptions, chromiumPath } from './full-chromium.ts'

test.use(chromiumOptions)
test.skip(!chromiumPath, 'The headless shell shows no notifications.')
const section = (page: Page) => page.locator('#push')

/** Makes the pages that are loaded from now on see this permission for notifications. */
const setPermission = (page: Page, value: NotificationPermission) =>
  page.addInitScript(
    (given) => Object.defineProperty(Notification, 'permission', { value: given, configurable: true }),
    value,
  )

test('the page of notifications invites to turn them on, until the member hides it; a browser that blocks them says how to allow them', async ({
  member,
}) => {
  const { page } = await member('Ann')
  await setPermission(page, 'default')
  await page.goto('/notifications')
  const card = page.getByRole('region', { name: 'Notifications on devices' })
  await expectAccessible(page)
  await card.getByRole('link', { name: 'Set up notifications' }).click()
  await expect(page).toHaveURL(/\/account#push$/)
  await expect(section(page).getByRole('button', { name: 'Turn on notifications' })).toBeInViewport()

  await page.goBack()
  await card.getByRole('button', { name: 'Hide this suggestion' }).click()
  await expect(card).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.reload()
  await expect(page.getByText('Nothing yet', { exact: false })).toBeVisible()
  await expect(card).toHaveCount(0)

  await setPermission(page, 'denied')
  await page.goto('/account')
  await section(page).getByRole('button', { name: 'Set up notifications' }).click()
  await expect(section(page)).toContainText('This browser blocks notifications of this site.')
  await expect(section(page).getByRole('button', { name: 'Turn on notifications' })).toHaveCount(0)
})
