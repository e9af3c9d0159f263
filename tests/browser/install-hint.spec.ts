import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoOverflow, test } from './fixture.ts'

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

/** As Chromium does, which itself decides when. */
const offer = (page: Page) =>
  page.evaluate(() => {
    const prompt = () => Promise.resolve(void Object.assign(window, { isAsked: true }))
    dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }))
  })
const visit = async (page: Page, name: string) => {
  await page.locator('.bottom-bar').getByRole('link', { name }).tap()
  await expect(page.getByRole('link', { name }).and(page.locator('[aria-current]')).first()).toBeVisible()
}

test('a phone is told once that the site can be installed, on a later visit of the list', async ({
  member,
}) => {
  const { page } = await member('Ann')
  await page.goto('/')
  await offer(page)
  const hint = page.getByRole('region', { name: 'Use as an app' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(hint).toHaveCount(0)
  await expect(async () => {
    await visit(page, 'Members')
    await visit(page, 'Home')
    await expect(hint).toBeVisible({ timeout: 1000 })
  }).toPass()
  await expectAccessible(page)
  await expectNoOverflow(page)
  await hint.getByRole('button', { name: 'Install the app' }).tap()
  await expect(hint).toHaveCount(0)
  expect(await page.evaluate(() => 'isAsked' in window)).toBe(true)

  await page.reload()
  await offer(page)
  for (const name of ['Members', 'Home', 'Members', 'Home']) await visit(page, name)
  await expect(hint).toHaveCount(0)
})
