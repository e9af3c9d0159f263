import { expect, expectNoHorizontalScroll, expectPageAccessible, test } from './fixture.ts'

// Tests that visitors can change the language and the theme in the navigation. A cookie stores their choice,
// so it lasts.

const menus = {
  1440: { name: 'Profile', nameInJapanese: 'プロフィール' },
  320: { name: 'Language and theme', nameInJapanese: '言語とテーマ' },
}

for (const [width, { name, nameInJapanese }] of Object.entries(menus))
  test(`a visitor changes language and theme in the navigation, ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width: Number(width), height: 800 })
    await page.goto('/')
    const menu = page.locator('.menu:popover-open')
    const bar = page.locator('.top-bar')
    await bar.getByRole('button', { name }).click()
    await expect(menu).toBeInViewport({ ratio: 1 })
    await expectPageAccessible(page)
    await menu.getByRole('button', { name: 'Dark' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await menu.getByRole('button', { name: '日本語' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(bar.getByRole('button', { name: nameInJapanese })).toBeVisible()
    await expectNoHorizontalScroll(page)
  })
