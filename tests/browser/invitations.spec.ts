import type { Page } from '@playwright/test'
import { startTestServerProcess } from '#tests/server.ts'
import { BROWSER_TEST_MEMBER_PASSWORD, expect, expectPageAccessible, test } from './fixture.ts'

async function fillAccount(page: Page, name: string) {
  await page.getByLabel('User name').fill(name)
  await page.getByLabel('Email address').fill(`${name.toLowerCase()}@engawa.example`)
  await page.getByLabel('Password').fill(BROWSER_TEST_MEMBER_PASSWORD)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
}

test('an admin closes the door, hands on an invitation, and sees who came', async ({ page, browser }) => {
  const { url, stop } = await startTestServerProcess()
  await page.goto(`${url}/register`)
  await fillAccount(page, 'Ann')
  await page.goto(`${url}/admin/settings`)
  await page.getByLabel('People with an invitation').check()
  await expect(page.getByRole('status').getByText('Settings saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Make invitations' }).click()
  await page.getByLabel('Note (optional)').fill('Class 5b')
  await page.getByLabel('How many people').fill('1')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'The invitation is ready' })).toBeFocused()
  await expect(page.getByRole('img', { name: 'QR code of the invitation' })).toBeVisible()
  await expectPageAccessible(page)
  const code = await page.locator('.created-invitation code').textContent()

  const visit = async (path: string) => {
    const context = await browser.newContext()
    const visitor = await context.newPage()
    await visitor.goto(url + path)
    return visitor
  }
  const ben = await visit('/register')
  await expect(ben.getByText('You need an invitation to join this community.')).toBeVisible()
  await ben.getByLabel('Code of the invitation').fill('0000')
  await ben.keyboard.press('Enter')
  await expect(ben.getByText(/This invitation is not valid/)).toBeVisible()
  await expectPageAccessible(ben)
  await ben.getByLabel('Code of the invitation').fill(code!.toUpperCase())
  await ben.keyboard.press('Enter')
  await expect(ben.getByText('You are invited.')).toBeVisible()
  await fillAccount(ben, 'Ben')

  const late = await visit(`/register#${code}`)
  await expect(late.getByText(/This invitation is not valid/)).toBeVisible()
  await expect(late.getByLabel('User name')).toHaveCount(0)

  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByLabel('Note (optional)')).toBeFocused()
  await page.reload()
  await expect(page.getByText('1 of 1 used')).toBeVisible()
  await page.getByRole('button', { name: 'Members who came with “Class 5b”' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Ben' })).toBeVisible()
  await page.goto('about:blank')
  await stop()
})

test('the printed sheet has the name, the address and the code in both languages', async ({ page }) => {
  const { url, stop } = await startTestServerProcess()
  await page.goto(`${url}/register`)
  await fillAccount(page, 'Ann')
  await page.goto(`${url}/admin/new-members`)
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByLabel('Cards on a sheet').selectOption('6')
  await page.emulateMedia({ media: 'print' })
  const cards = page.locator('.invitation-card')
  await expect(cards).toHaveCount(6)
  const card = cards.first()
  await expect(card.getByText('Join Engawa')).toBeVisible()
  await expect(card.getByText('Engawaへの招待')).toBeVisible()
  await expect(card.getByText(`open ${new URL(url).host}/register and type the code`)).toBeVisible()
  await expect(card.locator('.qr-code')).toBeVisible()
  await expect(page.locator('main')).toBeHidden()
  const height = await page.locator('.print-sheet').evaluate((sheet) => sheet.scrollHeight)
  // Expects that the invitation fits on one sheet of paper: A4 minus margins of 10 mm is 1047 pixels high, at
  // 96 pixels per inch.
  expect(height).toBeLessThan(1047)
  await page.goto('about:blank')
  await stop()
})

test('a member invites a friend when the admin lets members invite', async ({ page, browser }) => {
  const { url, stop } = await startTestServerProcess()
  await page.goto(`${url}/register`)
  await fillAccount(page, 'Ann')
  await page.goto(`${url}/follow`)
  await expect(page.getByLabel('Search by Username')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Invite people' })).toHaveCount(0)
  await page.goto(`${url}/admin/settings`)
  await page
    .getByRole('group', { name: /invite/ })
    .getByLabel('All members')
    .check()
  await expect(page.getByRole('status').getByText('Settings saved.')).toBeVisible()

  const visit = async (path: string) => {
    const visitor = await (await browser.newContext()).newPage()
    await visitor.goto(url + path)
    return visitor
  }
  const ben = await visit('/register')
  await fillAccount(ben, 'Ben')
  await ben.goto(`${url}/follow`)
  await ben.getByRole('link', { name: 'Invite people' }).click()
  await ben.getByLabel('Note (optional)').fill('My sister')
  await ben.getByRole('button', { name: 'Create' }).click()
  await expect(ben.getByRole('heading', { name: 'The invitation is ready' })).toBeFocused()
  await expectPageAccessible(ben)
  const code = await ben.locator('.created-invitation code').textContent()
  const cho = await visit(`/register#${code}`)
  await expect(cho.getByText('You are invited.')).toBeVisible()
  await fillAccount(cho, 'Cho')
  await ben.getByRole('button', { name: 'Done' }).click()
  await ben.reload()
  await expect(ben.getByText('1 of 1 used')).toBeVisible()

  await page.goto(`${url}/admin/users`)
  await expect(page.getByRole('row', { name: 'Cho' })).toContainText('invited by Ben')
  await page.goto('about:blank')
  await stop()
})
