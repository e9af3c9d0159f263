import { expect, expectAccessible, PASSWORD, pictureFile, test } from './fixture.ts'

test('a setting asks for a confirmation after ten minutes, and goes back if that is cancelled: the sample pages come and go', async ({
  admin,
}) => {
  const { page } = await admin('Ann')
  const samples = page.getByRole('navigation', { name: 'Samples' })
  const choice = page.getByLabel('Sample pages')
  const dialog = page.getByRole('dialog')
  const saved = page.getByRole('status').getByText('Settings saved.')
  await page.goto('/admin/dashboard')
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL(/\/admin\/settings$/)
  await expect(samples).toBeVisible()
  await expect(choice).toBeChecked()
  await page.route('**/api/admin/settings', (route) =>
    route.request().method() === 'PATCH' ? route.fulfill({ status: 423, json: {} }) : route.fallback(),
  )
  await choice.click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(choice).toBeChecked()
  await choice.click()
  await expect(dialog.getByLabel('Password')).toBeVisible()
  await page.unroute('**/api/admin/settings')
  await dialog.getByLabel('Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(saved).toBeVisible()
  await expect(choice).not.toBeChecked()
  await expect(samples).toHaveCount(0)
  await page.goto('/cart')
  await expect(page.getByRole('heading', { name: 'Page not found.', level: 1 })).toBeVisible()
  await expect(samples).toHaveCount(0)
  await page.goto('/admin/settings')
  await expect(choice).not.toBeChecked()
  await choice.check()
  await expect(samples).toBeVisible()
  await samples.getByRole('link', { name: 'Cart' }).click()
  await expect(page.getByRole('heading', { name: 'Cart', level: 1 })).toBeVisible()
})

test('the accent colour changes at once, also in the open page of another member; the picture of the community is chosen, shown at the log-in, replaced and removed', async ({
  admin,
  member,
  page: visitor,
}) => {
  const { page } = await admin('Ann')
  const ben = await member('Ben')
  const readAccent = (of: typeof page) =>
    of.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim())
  await ben.page.goto('/')
  await page.goto('/admin/settings#look')
  await expect(page.getByRole('heading', { name: 'Name and look' })).toBeFocused()
  // Ben's page is subscribed to the changes.
  await expect(ben.page.getByRole('button', { name: /\d online$/ })).toBeVisible()
  const standard = await readAccent(page)
  await page.getByRole('radio', { name: 'Indigo' }).check()
  await expect(page.getByRole('status').getByText('Settings saved.')).toBeVisible()
  for (const shown of [page, ben.page]) await expect.poll(() => readAccent(shown)).toContain('#35577a')
  await ben.page.reload()
  expect(await readAccent(ben.page)).toContain('#35577a')
  await page.getByRole('radio', { name: 'Your own' }).check()
  await page.getByLabel('Your colour').fill('#ffee00')
  await page.getByRole('button', { name: 'Use this colour' }).click()
  await expect.poll(() => readAccent(ben.page)).toContain('#ffee00')
  await page.getByRole('radio', { name: 'Green' }).check()
  for (const shown of [page, ben.page]) await expect.poll(() => readAccent(shown)).toBe(standard)

  const choose = async (name: string) => {
    await page.getByLabel('Choose a picture').setInputFiles(await pictureFile(name))
    await page.getByRole('dialog').getByRole('button', { name: 'Crop' }).click()
  }
  const shown = page.getByRole('img', { name: 'The picture of the community' })
  await choose('first')
  await expect(shown).toBeVisible()
  const first = await shown.getAttribute('src')
  await choose('second')
  await expect(shown).not.toHaveAttribute('src', first!)
  await expectAccessible(page)
  await visitor.goto('/login')
  await expect(visitor.locator('.page-header img')).toHaveAttribute('src', (await shown.getAttribute('src'))!)
  await expectAccessible(visitor)
  await page.getByRole('button', { name: 'Remove the picture' }).click()
  await expect(shown).toHaveCount(0)
  await visitor.reload()
  await expect(visitor.locator('.page-header .no-person')).toBeVisible()
  await expect(visitor.locator('.page-header img')).toHaveCount(0)
})
