import type { Page } from '@playwright/test'
import { expect, expectAccessible, fetchJson, PASSWORD, type PageMember, test } from './fixture.ts'
import type { Seat } from './seats.ts'

async function fillAccount(page: Page, name: string) {
  await page.getByLabel('User name').fill(name)
  await page.getByLabel('Email address').fill(`${name.toLowerCase()}.invited@engawa.example`)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible()
}

/** Opens a page as a visitor, in a browser context of its own. */
async function visit(seat: () => Promise<Seat>, path: string) {
  const { page } = await seat()
  await page.goto(path)
  return page
}

/** Changes settings back, because the tests of this worker share the community. */
const changeSettings = ({ page }: PageMember, settings: object) =>
  fetchJson(page, 'PATCH', '/api/admin/settings', settings)

/** Expects that the printed sheet has the name, the address and the code on six cards, in one language. */
async function expectSheetOfSixCards(page: Page) {
  await page.getByLabel('Cards on a sheet').selectOption('6')
  await page.emulateMedia({ media: 'print' })
  const cards = page.locator('.invitation-card')
  await expect(cards).toHaveCount(6)
  const card = cards.first()
  await expect(card.getByText('Join Engawa')).toBeVisible()
  await expect(card.getByText('Engawaへの招待')).toHaveCount(0)
  const { host } = new URL(page.url())
  await expect(card.getByText(`open ${host}/register and type the code`)).toBeVisible()
  await expect(card.locator('.qr-code')).toBeVisible()
  await expect(page.locator('main')).toBeHidden()
  const height = await page.locator('.print-sheet').evaluate((sheet) => sheet.scrollHeight)
  // Expects that the invitation fits on one sheet of paper: A4 minus margins of 10 mm is 1047 pixels high, at
  // 96 pixels per inch.
  expect(height).toBeLessThan(1047)
  await page.emulateMedia({ media: null })
}

test('an admin closes the door, prints and hands on an invitation, and sees who came', async ({
  admin,
  seat,
}) => {
  const ann = await admin('Ann')
  const { page } = ann
  await page.goto('/admin/settings')
  await page.getByLabel('People with an invitation').check()
  await expect(page.getByRole('status').getByText('Settings saved.')).toBeVisible()
  await page.getByRole('link', { name: 'Make invitations' }).click()
  await page.getByLabel('Note (optional)').fill('Class 5b')
  await page.getByLabel('How many people').fill('1')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'The invitation is ready' })).toBeFocused()
  await expect(page.getByRole('img', { name: 'QR code of the invitation' })).toBeVisible()
  const code = await page.locator('.created-invitation code').textContent()
  await expectSheetOfSixCards(page)

  const ben = await visit(seat, '/register')
  await expect(ben.getByText('You need an invitation to join this community.')).toBeVisible()
  await ben.getByLabel('Code of the invitation').fill('0000')
  await ben.keyboard.press('Enter')
  await expect(ben.getByText(/This invitation cannot be used/)).toBeVisible()
  await ben.getByLabel('Code of the invitation').fill(code!.toUpperCase())
  await ben.keyboard.press('Enter')
  await expect(ben.getByText('You are invited.')).toBeVisible()
  await fillAccount(ben, 'Ben')

  const late = await visit(seat, `/register#${code}`)
  await expect(late.getByText(/This invitation cannot be used/)).toBeVisible()
  await expect(late.getByLabel('User name')).toHaveCount(0)

  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByLabel('Note (optional)')).toBeFocused()
  await page.reload()
  await expect(page.getByText('1 of 1 used')).toBeVisible()
  await page.getByRole('button', { name: 'Members who came with “Class 5b”' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Ben' })).toBeVisible()
  await changeSettings(ann, { who_can_join: 'open' })
})

test('a member invites a friend when the admin lets members invite', async ({ admin, member, seat }) => {
  const [ann, { page: ben }] = [await admin('Ann'), await member('Benedict')]
  const { page } = ann
  await page.goto('/follow')
  await expect(page.getByLabel('Search by Username')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Invite people' })).toHaveCount(0)
  await page.goto('/admin/settings')
  await page
    .getByRole('group', { name: /invite/ })
    .getByLabel('All members')
    .check()
  await expect(page.getByRole('status').getByText('Settings saved.')).toBeVisible()

  await ben.goto('/follow')
  await ben.getByRole('link', { name: 'Invite people' }).click()
  await ben.getByLabel('Note (optional)').fill('My sister')
  await ben.getByRole('button', { name: 'Create' }).click()
  await expect(ben.getByRole('heading', { name: 'The invitation is ready' })).toBeFocused()
  await expectAccessible(ben)
  const code = await ben.locator('.created-invitation code').textContent()
  const cho = await visit(seat, `/register#${code}`)
  await expect(cho.getByText('You are invited.')).toBeVisible()
  await fillAccount(cho, 'Chouko')
  await ben.getByRole('button', { name: 'Done' }).click()
  await ben.reload()
  await expect(ben.getByText('1 of 1 used')).toBeVisible()

  await page.goto('/admin/users')
  await page.getByPlaceholder('Search by name or email').fill('Chouko')
  await expect(page.getByRole('row', { name: 'Chouko' })).toContainText('invited by Benedict')
  await changeSettings(ann, { who_can_invite: 'admins' })
})

test('the page of own invitations leads admins to the page where they invite', async ({ admin }) => {
  const me = await admin('Leadinvited')
  await changeSettings(me, { who_can_invite: 'admins' })
  await me.page.goto('/invitations')
  await me.page.locator('.invitations').getByRole('link', { name: 'New members' }).click()
  await expect(me.page).toHaveURL(/\/admin\/new-members$/)
})
