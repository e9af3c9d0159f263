import type { Page } from '@playwright/test'
import { expect, registerMember, test } from './fixture.ts'
import { chromiumOptions, chromiumPath, openChromium } from './full-chromium.ts'

test.use(chromiumOptions)
test.skip(!chromiumPath, 'The headless shell does not check whether a site can be installed.')

/**
 * Returns what Chromium says about installing the site of the page: the reasons against it, and the manifest
 * that it has read, with its errors and its app id.
 */
async function readInstallability(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  const { errors, manifest } = await devtools.send('Page.getAppManifest')
  const { appId } = await devtools.send('Page.getAppId')
  return { installabilityErrors, errors, appId, manifest: manifest as unknown as Record<string, unknown> }
}

test('Chromium can install the site, with the name of the community, icons and shortcuts, and says why it cannot without a manifest', async ({
  server,
}) => {
  const context = await openChromium(server.url)
  const page = context.pages()[0]!
  await page.route('/login', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/<link rel="manifest".*?>/, '')
    await route.fulfill({ response, body })
  })
  await page.goto('/login')
  const without = await readInstallability(page)
  expect(without.installabilityErrors.map(({ errorId }) => errorId)).toEqual(['no-manifest'])

  await registerMember(page, 'Ann', 'ann.installs@engawa.example')
  await page.goto('/')
  const { installabilityErrors, errors, appId, manifest } = await readInstallability(page)
  expect(installabilityErrors).toEqual([])
  expect(errors).toEqual([])
  expect(appId).toBe(`${server.url}/`)
  expect(manifest).toMatchObject({
    name: 'Engawa',
    description: 'A place to sit, for people who know each other.',
    startUrl: `${server.url}/`,
    scope: `${server.url}/`,
    display: 'kStandalone',
  })
  const shortcuts = manifest.shortcuts as { name: string; url: string }[]
  expect(shortcuts.map(({ name, url }) => [name, new URL(url).pathname])).toEqual([
    ['New Post', '/post'],
    ['Chats', '/chats'],
    ['Notifications', '/notifications'],
  ])
  for (const { url, name } of shortcuts) {
    await page.goto(url)
    await expect(page).toHaveTitle(new RegExp(`^${name} `))
  }
  await context.close()
})

/**
 * Dispatches the event with which Chromium offers to install a site, because Chromium itself decides when it
 * does so. Returns whether the page has cancelled the event, to offer the installation in its own place.
 */
const offerInstallation = (page: Page) =>
  page.evaluate(() => {
    const event = new Event('beforeinstallprompt', { cancelable: true })
    const prompt = () => Promise.resolve(void Object.assign(window, { isAsked: true }))
    dispatchEvent(Object.assign(event, { prompt }))
    return event.defaultPrevented
  })
const isAsked = (page: Page) => page.evaluate(() => 'isAsked' in window)

test('the app is offered in the profile menu and on the account page, and asks only after a click; an iPhone has the Share menu, and the installed app no offer', async ({
  member,
}) => {
  const { page } = await member('Ann')
  await page.goto('/account')
  const section = page.locator('#install')
  await expect(section).toContainText('its menu has an entry “Install”')
  expect(await offerInstallation(page)).toBe(true)
  await page.getByRole('button', { name: 'Profile: Ann' }).click()
  await page.getByRole('button', { name: 'Use as an app' }).first().hover()
  await expect(page.locator('.menu').getByRole('button', { name: 'Use as an app' })).toBeVisible()
  await page.keyboard.press('Escape')
  expect(await isAsked(page)).toBe(false)
  await section.getByRole('button', { name: 'Install the app' }).click()
  expect(await isAsked(page)).toBe(true)
  await expect(section.getByRole('button')).toHaveCount(0)
  await page.evaluate(() => dispatchEvent(new Event('appinstalled')))
  await expect(section).toHaveCount(0)

  const devtools = await page.context().newCDPSession(page)
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15'
  await devtools.send('Emulation.setUserAgentOverride', { userAgent })
  await page.reload()
  await expect(section).toContainText('tap Share, then “Add to Home Screen”')
  await devtools.send('Emulation.setUserAgentOverride', { userAgent: '' })

  await page.addInitScript(() => {
    const match = window.matchMedia.bind(window)
    window.matchMedia = (query) => match(query === '(display-mode: standalone)' ? 'all' : query)
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Notifications on devices' })).toBeVisible()
  await expect(section).toHaveCount(0)
})
