import type { Locator, Page } from '@playwright/test'
import { expect, fetchJson, test, writePost } from './fixture.ts'

const phone = { width: 390, height: 844 }
const edges = async (element: Locator) => {
  const { y, height } = (await element.boundingBox())!
  return { top: y, bottom: y + height }
}
const banner = (page: Page) => page.locator('.banner')

/**
 * Disconnects the page from the network, and waits for the banner about the lost connection. The test must
 * have installed Playwright's clock in the page.
 */
async function goOffline(page: Page) {
  await page.context().setOffline(true)
  await expect(async () => {
    await page.clock.runFor(5000)
    await expect(banner(page)).toBeVisible({ timeout: 200 })
  }).toPass()
}

test('the banner about the connection has one height, and does not move the page; on phones a toast is above the floating button, and that above the banner', async ({
  member,
}) => {
  const { page } = await member('Ann')
  await writePost(page, 'A post to like')
  await page.clock.install()
  await page.goto('/')
  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toBeVisible()
  for (const size of [{ width: 1440, height: 900 }, phone]) {
    await page.setViewportSize(size)
    const before = await edges(title)
    await goOffline(page)
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    expect(await edges(title)).toEqual(before)
    const offline = await edges(banner(page))
    const end = size === phone ? (await edges(page.locator('.bottom-bar'))).top : size.height
    expect(Math.abs(offline.bottom - end), 'at the lower edge, over a border').toBeLessThanOrEqual(1)
    expect(offline.bottom - offline.top).toBe(52)
    if (size === phone) await expectOrder(page)
    await page.context().setOffline(false)
    await expect(banner(page)).toHaveAttribute('data-kind', 'restored')
    expect(await edges(title)).toEqual(before)
    expect(await edges(banner(page))).toEqual(offline)
    await page.clock.runFor(10_000)
    await expect(banner(page)).toHaveCount(0)
  }
})

async function expectOrder(page: Page) {
  await page.locator('article').first().getByRole('button', { name: /^Like/ }).click()
  const toast = page.locator('.toast')
  await expect(toast).toBeVisible()
  await page.clock.runFor(1000)
  const button = page.locator('.floating-action')
  const gaps = async () => [
    (await edges(button)).top - (await edges(toast)).bottom,
    (await edges(banner(page))).top - (await edges(button)).bottom,
  ]
  // The toast moves in with an animation.
  await expect.poll(async () => (await gaps()).every((gap) => gap > 0)).toBe(true)
}

test('in a chat a toast is below the header of the conversation', async ({ admin }) => {
  const { page } = await admin('Ann')
  const { group } = await fetchJson(page, 'POST', '/api/groups', { name: 'Potters' })
  await page.goto(`/group-chat/${group.id}`)
  for (const size of [phone, { width: 1440, height: 900 }]) {
    await page.setViewportSize(size)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByLabel('Group name').fill(`Potters ${size.width}`)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toContainText(`Potters ${size.width}`)
    const toast = page.locator('.toast', { hasText: `Potters ${size.width}` })
    await expect(toast).toBeVisible()
    const header = await edges(page.locator('.conversation .page-header'))
    for (const shown of await page.locator('.toast').all())
      expect((await edges(shown)).top).toBeGreaterThanOrEqual(header.bottom)
  }
})

test('a toast leaves the row of the press and the rows beside it free', async ({ member }) => {
  const { page } = await member('Toastedge')
  for (let i = 0; i < 8; i++) await member(`Toastrow ${i}`)
  await page.route('**/api/follow/*', (route) =>
    route.fulfill({ status: 403, json: { message: 'Not now.' } }),
  )
  await page.setViewportSize({ width: 360, height: 640 })
  await page.goto('/follow?q=toastrow')
  const rows = page.locator('[data-person]')
  await expect(rows.nth(7)).toBeVisible()
  // The code comes some time after the page.
  await expect(async () => {
    await page.mouse.click(1, 1)
    await expect(page.locator('html')).toHaveAttribute('data-toasts', /./, { timeout: 500 })
  }).toPass()
  for (const press of ['pointer', 'Enter'])
    for (const place of ['start', 'end'] as const) {
      const button = rows.nth(4).getByRole('button')
      await rows.nth(4).evaluate((row, block) => row.scrollIntoView({ block }), place)
      await (press === 'Enter' ? button.press('Enter') : button.click())
      const toast = page.locator('.toast')
      await expect(toast).toContainText('Not now.')
      const shown = await edges(toast)
      for (const at of [3, 4, 5]) {
        const row = await edges(rows.nth(at))
        expect(row.bottom < shown.top || row.top > shown.bottom, `${press}, ${place}, ${at}`).toBe(true)
      }
      await toast.getByRole('button', { name: 'Close' }).click()
      await expect(toast).toHaveCount(0)
    }
})
