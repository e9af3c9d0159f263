import { startServer } from '#tests/server.ts'
import { expect, MEMBER_PASSWORD, test } from './fixture.ts'

test('the settings: links to the sample pages come and go at once, and the pages stay', async ({ admin }) => {
  const { page } = await admin('Ann')
  const samples = page.getByRole('navigation', { name: 'Samples' })
  const choice = page.getByLabel('Show the sample pages')
  await page.goto('/admin/dashboard')
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(/\/admin\/settings$/)
  await expect(samples).toBeVisible()
  await choice.uncheck()
  await expect(page.getByRole('status').getByText('Settings saved.')).toBeVisible()
  await expect(samples).toHaveCount(0)
  await page.goto('/cart')
  await expect(page.getByRole('heading', { name: 'Cart', level: 1 })).toBeVisible()
  await expect(samples).toHaveCount(0)
  await page.goto('/admin/settings')
  await expect(choice).not.toBeChecked()
  await choice.check()
  await expect(samples).toBeVisible()
})

test('the first admin of a local server is led to the settings', async ({ page }) => {
  const fresh = await startServer()
  await page.goto(`${fresh.url}/register`)
  await page.getByLabel('User name').fill('Ann')
  await page.getByLabel('Email address').fill('ann@engawa.example')
  await page.getByLabel('Password').fill(MEMBER_PASSWORD)
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByLabel('Show the sample pages')).toBeChecked()
  await page.goto('about:blank')
  await fresh.stop()
})

test('a setting asks for a confirmation after ten minutes, and goes back if that is cancelled', async ({
  admin,
}) => {
  const { page } = await admin('Ann')
  await page.route('**/api/admin/settings', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 423, json: {} }) : route.fallback(),
  )
  const choice = page.getByLabel('Show the sample pages')
  await page.goto('/admin/settings')
  const before = await choice.isChecked()
  await choice.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(choice).toBeChecked({ checked: before })
  await choice.click()
  await page.unroute('**/api/admin/settings')
  await dialog.getByLabel('Password').fill(MEMBER_PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('status').getByText('Settings saved.')).toBeVisible()
  await expect(choice).toBeChecked({ checked: !before })
  await choice.click()
  await expect(choice).toBeChecked({ checked: before })
})
