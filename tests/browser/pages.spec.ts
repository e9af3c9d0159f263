import { expect, expectAccessible, expectNoOverflow, test, writePost } from './fixture.ts'

/** Pages of visitors that all-pages.spec.ts shows only to members, or not at all. */
const open = ['/logout', '/dashboard', '/chat', '/users']
const forMembers = ['/', '/followingpostlist', '/post', '/edit', '/follow', '/dashboard']
const looks = [
  { lang: 'en', colorScheme: 'light', width: 1440 },
  { lang: 'ja', colorScheme: 'dark', width: 390 },
] as const

for (const { lang, colorScheme, width } of looks)
  test.describe(`${lang}, ${colorScheme}, ${width} px`, () => {
    test.use({ locale: lang === 'ja' ? 'ja-JP' : 'en-GB', colorScheme, viewport: { width, height: 800 } })

    test('pages of visitors violate no accessibility rule', async ({ page }) => {
      for (const path of open)
        await test.step(path, async () => {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          if (path === '/dashboard')
            await expect(
              page.getByText(lang === 'en' ? 'Authentication failed.' : '確認できませんでした。'),
            ).toBeVisible()
          expect(await page.evaluate(() => document.documentElement.lang)).toBe(lang)
          await expectAccessible(page)
          await expectNoOverflow(page)
        })
    })
  })

test('no page is wider than the window, from 320 px up, with the longest names and an open menu', async ({
  member,
}) => {
  const { page } = await member('Wolfeschlegelsteinhausenbergerdorffson')
  await writePost(
    page,
    `Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz${'x'.repeat(200)} https://noticeboard.example/${'long/'.repeat(40)}`,
  )
  for (const path of forMembers)
    await test.step(path, async () => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      for (const width of [320, 390, 720, 820, 1080, 1440]) {
        await page.setViewportSize({ width, height: 800 })
        await expectNoOverflow(page)
      }
    })
  await page.locator('.top-bar button.menu-button').click()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
})

test('the keyboard reaches the skip link, the menu and the form for a new post; focusing a link does not scroll', async ({
  member,
}) => {
  const { page } = await member('Ann')
  for (let i = 0; i < 12; i++) await writePost(page, `A line of its own, number ${i}.`)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  const menu = page.getByRole('button', { name: 'Profile: Ann' })
  await menu.focus()
  await page.keyboard.press('Enter')
  await expect(menu).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('.menu').getByRole('link', { name: /^Ann/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('link', { name: 'Edit profile' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toBeFocused()
  await expect(menu).toHaveAttribute('aria-expanded', 'false')

  // Waits until the position stays the same: it changes while the browser lays out the posts on the way, which
  // need less space than was reserved.
  const position = await page.evaluate(async () => {
    scrollTo({ top: 600, behavior: 'instant' })
    for (let before = scrollY, same = 0; same < 20; before = scrollY) {
      await new Promise(requestAnimationFrame)
      same = scrollY === before ? same + 1 : 0
    }
    return scrollY
  })
  expect(position).toBeGreaterThan(200)
  await page.getByRole('link', { name: 'Engawa' }).focus()
  for (let i = 0; i < 4; i++) await page.keyboard.press('Tab')
  expect(await page.evaluate(() => scrollY)).toBe(position)

  await page.keyboard.press('n')
  await expect(page).toHaveURL('/post')
})

test('changes of language and theme apply at once, and persist', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: '日本語' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('ログイン')
  await page.getByRole('button', { name: '暗い' }).click()
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('ログイン')
})

test('a wrong address leads a visitor to the posts, where the sign-up, the navigation of a phone and a lost connection are shown', async ({
  page,
  context,
}) => {
  const answer = await page.goto('/nowhere')
  expect(answer!.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found.')
  await expect(page).toHaveTitle('Page not found. – Engawa')
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Post List' })).toBeVisible()

  await page.setViewportSize({ width: 1440, height: 900 })
  const bar = page.getByRole('navigation', { name: 'Main', exact: true })
  await expect(bar.getByRole('link')).toHaveText(['Home', 'Posts', 'Search Users'])
  await bar.getByRole('button', { name: 'Profile' }).click()
  await expect(page.getByRole('link', { name: 'Sign up' }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('navigation', { name: 'Main (bottom bar)' }).getByRole('link')).toHaveCount(4)

  await context.setOffline(true)
  await expect(page.getByText('Offline. Your drafts are kept.')).toBeVisible({ timeout: 15_000 })
  await context.setOffline(false)
  await expect(page.getByText('Connected')).toBeVisible({ timeout: 15_000 })
})
