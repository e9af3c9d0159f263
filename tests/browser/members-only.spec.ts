import type { Page } from '@playwright/test'
import { startServer } from '#tests/server.ts'
import { expect, fetchJson, PASSWORD, registerMember, test } from './fixture.ts'

const mainNavigation = (page: Page) => page.getByRole('navigation', { name: 'Main', exact: true })

async function expectLogInPage(page: Page, next: string) {
  await expect(page).toHaveURL(new RegExp(`/login\\?next=${encodeURIComponent(next)}$`))
  await expect(page.getByText('Only members can read Class 5b.')).toBeVisible()
  await expect(page.getByText('If you would like to join')).toBeVisible()
  await expect(page).toHaveTitle('Log in – Class 5b')
  await expect(page.getByRole('navigation', { name: 'Samples' })).toHaveCount(0)
  for (const name of ['Home', 'Posts', 'Search Users'])
    await expect(page.getByRole('link', { name, exact: true })).toHaveCount(0)
}

test('a community that an admin closes to strangers leads them to the log-in, and back', async ({
  browser,
  page: stranger,
}) => {
  const server = await startServer({ APP_NAME: 'Class 5b', RATE_LIMIT: 'off' })
  const context = await browser.newContext({ baseURL: server.url })
  const page = await context.newPage()
  await registerMember(page, 'Ann', 'ann@engawa.example')
  await fetchJson(page, 'POST', '/api/posts', { text: 'Marmalade for all' })

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
  await stranger.getByLabel('Password').fill(PASSWORD)
  await stranger.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(stranger).toHaveURL(`${server.url}/posts/1`)
  await expect(stranger.getByText('Marmalade for all')).toBeVisible()
  await expect(mainNavigation(stranger).getByRole('link', { name: 'Home' })).toBeVisible()
  await expect(stranger.getByRole('navigation', { name: 'Samples' })).toBeVisible()

  await stranger.getByRole('link', { name: 'Home', exact: true }).first().click()
  await fetchJson(page, 'POST', '/api/posts', { text: 'Second jar' })
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
