import { chromiumArguments, findChromium } from '#tests/programs.ts'
import { accountSection } from './account-helpers.ts'
import { expect, PASSWORD, test } from './fixture.ts'

const chromium = findChromium()
test.use({
  launchOptions: {
    args: [...chromiumArguments, '--host-resolver-rules=MAP community.example 127.0.0.1'],
    ...(chromium && { executablePath: chromium }),
  },
  serviceWorkers: 'allow',
})

test('without https, the account page says why notifications, the app and passkeys cannot work', async ({
  browser,
  server,
}) => {
  const page = await browser.newPage({
    baseURL: server.url.replace(/localhost|127\.0\.0\.1/, 'community.example'),
  })
  await page.goto('/register')
  await page.getByLabel('User name').fill('Ann')
  await page.getByLabel('Email address').fill('ann.without.https@engawa.example')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('button', { name: 'Profile: Ann' })).toBeVisible()
  // Answers as a server does whose own address has no https.
  await page.route('**/api/account/passkeys', (route) =>
    route.fulfill({ json: { origin: null, passkeys: [] } }),
  )
  await page.getByRole('button', { name: 'Profile: Ann' }).click()
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  const push = page.locator('#push')
  await push.getByRole('button', { name: 'Set up notifications' }).click()
  await expect(push).toContainText('Notifications need a secure address (https).')
  await expect(push.getByRole('button', { name: 'Turn on notifications' })).toHaveCount(0)
  await expect(page.locator('#install')).toContainText('Installing needs a secure address (https).')
  const passkeys = accountSection(page, 'Passkeys')
  await expect(passkeys.getByText('Passkeys need an address with https')).toBeVisible()
  await expect(passkeys.getByRole('button')).toHaveCount(0)
})
