import { expect, expectAccessible, expectNoOverflow, test } from './fixture.ts'

// Tests that visitors can change the language and the theme in the navigation. A cookie stores their choice,
// so it lasts.

test('a visitor changes language and theme in the navigation, on a desktop and a phone', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 800 })
  await page.goto('/')
  const menu = page.locator('.menu:popover-open')
  const bar = page.locator('.top-bar')
  await bar.getByRole('button', { name: 'Profile' }).click()
  await expect(menu).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
  await menu.getByRole('button', { name: 'Dark' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await menu.getByRole('button', { name: '日本語' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(bar.getByRole('button', { name: 'プロフィール' })).toBeVisible()
  await expectNoOverflow(page)

  await page.setViewportSize({ width: 320, height: 800 })
  await expectNoOverflow(page)
  await bar.getByRole('button', { name: '言語、文字、色' }).click()
  await expect(menu).toBeInViewport({ ratio: 1 })
  await expectAccessible(page)
  await menu.getByRole('button', { name: '最大' }).click()
  await expect(page.locator('html')).toHaveCSS('font-size', '24px')
  await expectNoOverflow(page)
  await menu.getByRole('button', { name: '明るい' }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await menu.getByRole('button', { name: 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await expect(page.locator('html')).toHaveCSS('font-size', '24px')
  await expect(bar.getByRole('button', { name: 'Language, text size and theme' })).toBeVisible()
})
