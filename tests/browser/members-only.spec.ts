import type { Page } from '@playwright/test'
import { startTestServerProcess } from '#tests/server.ts'
import {
  BROWSER_TEST_MEMBER_PASSWORD,
  expect,
  fetchApiJsonWithCookiesOfTestPage,
  registerMemberByApiInBrowserTest,
  test,
} from './fixture.ts'

const mainNavigation = (page: Page) => page.getByRole('navigation', { name: 'Main', exact: true })

async function expectLogInPage(page: Page, next: string) {
  await expect(page).toHaveURL(new RegExp(`/login\\?next=${encodeURIComponent(next)}$`))
  await expect(page.getByText('Only members can read Class 5b.')).toBeVisible()
  await expect(page.getByText('ask a member or an admin for an invitation')).toBeVisible()
  await expect(page).toHaveTitle('Log in – Class 5b')
  await expect(page.getByRole('navigation', { name: 'Samples' })).toHaveCount(0)
  for (const name of ['Home', 'Posts', 'Search Users'])
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
}

test('a community that an admin closes to strangers leads them to the log-in, and back', async ({
  browser,
  page: stranger,
}) => {
  const server = await startTestServerProcess({ APP_NAME: 'Class 5b', RATE_LIMIT: 'off' })
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await registerMemberByApiInBrowserTest(page, 'Ann', 'ann@engawa.example')
  await fetchApiJsonWithCookiesOfTestPage(page, 'POST', '/api/posts', { text: 'Marmalade for all' })

  await stranger.goto(server.url)
  await expect(stranger.getByText('Marmalade for all')).toBeVisible()
  await expect(stranger.getByRole('link', { name: 'Home', exact: true }).first()).toBeVisible()
  await page.goto('/admin/settings')
  await page.getByRole('radio', { name: 'Members only' }).check()
  await expect(page.getByRole('status').getByText('Settings saved.')).toBeVisible()

  for (const path of ['/posts/1', '/no-such-page']) {
    await stranger.goto(server.url + path)
    await expectLogInPage(stranger, path)
  }
  // Clicks the link in the header (the name of the community). It leads a stranger to `/`, which shows the
  // log-in page.
  await stranger.goto(`${server.url}/forgot-password`)
  await stranger.getByRole('link', { name: 'Class 5b' }).click()
  await expectLogInPage(stranger, '/')

  await stranger.goto(`${server.url}/posts/1`)
  await stranger.getByLabel('Email address').fill('ann@engawa.example')
  await stranger.getByLabel('Password').fill(BROWSER_TEST_MEMBER_PASSWORD)
  await stranger.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(stranger).toHaveURL(`${server.url}/posts/1`)
  await expect(stranger.getByText('Marmalade for all')).toBeVisible()
  await expect(mainNavigation(stranger).getByRole('link', { name: 'Home' })).toBeVisible()
  await expect(stranger.getByRole('navigation', { name: 'Samples' })).toBeVisible()

  await stranger.getByRole('link', { name: 'Home', exact: true }).first().click()
  await fetchApiJsonWithCookiesOfTestPage(page, 'POST', '/api/posts', { text: 'Second jar' })
  const announced = stranger.getByRole('button', { name: '1 new post' })
  await expect(announced.or(stranger.getByText('Second jar')).first()).toBeVisible()

  await stranger.goto(`${server.url}/logout`)
  await expect(stranger.getByText('Log out successful.')).toBeVisible()
  await stranger.getByRole('link', { name: 'Top' }).click()
  await expectLogInPage(stranger, '/')
  await context.close()
  await stranger.goto('about:blank')
  await server.stop()
})
