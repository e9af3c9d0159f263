import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoOverflow, test } from './fixture.ts'

/** Expects the page's section `#push`, which the URL names, at the top of the window, below the fixed bar. */
const expectBelowBar = (page: Page) =>
  expect
    .poll(async () => {
      const { y } = (await page.locator('#push').boundingBox())!
      const bar = (await page.getByRole('banner').boundingBox())!
      return y >= bar.y + bar.height && y < 200
    })
    .toBe(true)

test('members see whether they have quiet hours, in which time zone, set them, and turn them off', async ({
  member,
  browser,
  server,
}) => {
  const { page } = await member('Ann')
  await page.goto('/account/notifications')
  const card = page.locator('section', { has: page.getByRole('heading', { name: 'Quiet hours' }) })
  const none = card.getByText('You have no quiet hours.')
  const turnOff = card.getByRole('button', { name: 'Turn off quiet hours' })
  await expect(none).toBeVisible()
  await expect(turnOff).toHaveCount(0)
  await expect(card.getByRole('link')).toHaveCount(0)
  await expect(card.getByText('The hours are in the time zone Asia/Tokyo.')).toBeVisible()
  await card.getByLabel('From').fill('21:30')
  await card.getByRole('button', { name: 'Save quiet hours' }).click()
  await expect(turnOff).toBeVisible()
  await expect(none).toHaveCount(0)
  await expect(card.getByLabel('From')).toHaveValue('21:30')
  await expectAccessible(page)

  // Opens the page on a device in another time zone. The page must say what saving would change.
  const context = await browser.newContext({
    baseURL: server.url,
    timezoneId: 'Europe/London',
    locale: 'ja-JP',
    storageState: await page.context().storageState(),
  })
  const abroad = await context.newPage()
  await abroad.setViewportSize({ width: 390, height: 800 })
  await abroad.goto('/account/notifications')
  await expect(abroad.getByText('時刻は、タイムゾーン「Asia/Tokyo」の時刻です。')).toContainText(
    'この端末のタイムゾーン「Europe/London」',
  )
  await context.close()

  await turnOff.click()
  await expect(none).toBeVisible()
  await expect(turnOff).toHaveCount(0)
  await expect(card.getByLabel('From')).toBeFocused()

  // Follows the link to the devices, which is beside the explanation of the column “On devices”.
  await page.getByRole('link', { name: 'Set up devices' }).click()
  await expect(page).toHaveURL(/\/account#push$/)
  await expectBelowBar(page)
  await page.reload()
  await expectBelowBar(page)
})

test('the admin’s quiet hours follow the time zone of the community', async ({ admin }) => {
  const { page } = await admin('Ada')
  await page.goto('/admin/settings')
  const form = page.locator('form', { has: page.getByRole('heading', { name: 'Quiet hours' }) })
  const zone = page.getByLabel('Time zone')
  await zone.selectOption('Europe/Berlin')
  await expect(form).toContainText('The hours are in the community’s time zone, Europe/Berlin.')
  await expect(form.getByLabel('From')).toHaveAccessibleDescription(/Europe\/Berlin/)
  await zone.selectOption('UTC')
  await expect(form).toContainText('time zone, UTC.')
})

test('the switches of notifications stay beside their names on a small phone and with large text', async ({
  member,
}) => {
  const { page } = await member('Ann')
  const enlarge = (size: string) =>
    page.evaluate((size) => {
      document.documentElement.style.fontSize = size
    }, size)
  const names = page.locator('.switches').getByText('By mail', { exact: true })
  for (const [width, size] of [
    [320, '100%'],
    [390, '200%'],
    [1280, '100%'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/account/notifications')
    const switches = page.getByRole('checkbox', { name: 'Mentions in groups, On devices' })
    await expect(switches).toBeVisible()
    await enlarge(size)
    const box = page.locator('.switches')
    expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    // A heading of the table, or a name at each switch.
    const shown = await names.evaluateAll((all) => all.filter((name) => name.checkVisibility()).length)
    if (width === 1280) expect(shown).toBe(1)
    else expect(shown).toBeGreaterThan(3)
  }
  await page.setViewportSize({ width: 320, height: 800 })
  await enlarge('100%')
  await expectNoOverflow(page)
})
