import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Email } from 'postal-mime'
import { startMailServer } from '#tests/mail-server.ts'
import { startServer } from '#tests/server.ts'
import { expect, PASSWORD, registerMember, test } from './fixture.ts'

const NEW_PASSWORD = 'seven paper lanterns'

const readResetLinks = ({ text }: Email) => text!.match(/^https?:\S+\/reset-password#\S+$/m) ?? []

async function logIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

async function setNewPassword(page: Page) {
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
  await page.getByLabel('New password again').fill(NEW_PASSWORD)
  await page.getByRole('button', { name: 'Save the password' }).click()
}

/** Sets a new password on the open page /reset-password, with an email address and a reset code. */
async function resetWithCode(page: Page, email: string, code: string) {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Code').fill(code)
  await setNewPassword(page)
}

test('with mail: the first member, who is an admin, gets the link of the address again; the link for a forgotten password works once', async ({
  browser,
}) => {
  const mail = await startMailServer()
  const server = await startServer({ SMTP_URL: mail.url })
  const open = async () => (await browser.newContext({ baseURL: server.url, locale: 'en-GB' })).newPage()
  const [owner, page] = [await open(), await open()]
  await owner.goto('/register')
  await owner.getByLabel('User name').fill('Ann')
  await owner.getByLabel('Email address').fill('ann@engawa.example')
  await owner.getByLabel('Password').fill(PASSWORD)
  await owner.getByRole('button', { name: 'Register' }).click()
  await expect(owner.locator('.notice.success')).toContainText('Please check your email')
  await expect(owner.getByText('You are the admin of this community')).toBeVisible()
  await owner.getByRole('link', { name: 'Go to the Admin Dashboard' }).click()
  await expect(owner.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible()
  await owner.goto('/dashboard')
  await expect(owner.getByText('We sent a link to ann@engawa.example.')).toBeVisible()
  await owner.getByRole('button', { name: 'Send the link again' }).click()
  await expect(owner.getByText('A new verification link has been sent to your email address.')).toBeVisible()

  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByLabel('Email address')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Email address').fill('ann@engawa.example')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.locator('.notice.success')).toContainText('a mail with a link is on its way')

  const listResetLinks = () => mail.mails.flatMap(readResetLinks)
  await expect.poll(() => listResetLinks().length).toBe(1)
  const { pathname, hash } = new URL(listResetLinks()[0]!)
  await page.goto(pathname + hash)
  await page.getByLabel('New password', { exact: true }).fill('password123')
  await page.getByLabel('New password again').fill('password123')
  await page.getByRole('button', { name: 'Save the password' }).click()
  await expect(page.getByLabel('New password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await setNewPassword(page)
  await expect(page.locator('.notice.success')).toContainText('Your new password is set')
  await expect(page).toHaveURL('/reset-password')
  await page.locator('main').getByRole('link', { name: 'Log in' }).click()
  await logIn(page, 'ann@engawa.example', NEW_PASSWORD)
  await expect(page.getByRole('button', { name: 'Profile: Ann' })).toBeVisible()

  // Expects that the other device is logged out after the reset, and that the same link does not work again.
  await owner.goto('/account')
  await expect(owner.getByRole('button', { name: 'Profile: Ann' })).toHaveCount(0)
  await owner.goto('about:blank')
  await owner.goto(pathname + hash)
  await setNewPassword(owner)
  await expect(owner.locator('.notice.error')).toContainText('This link does not work any more')
  await owner.getByRole('link', { name: 'Request a link by mail' }).click()
  await expect(owner).toHaveURL('/forgot-password')
  for (const window of [owner, page]) await window.context().close()
  await server.stop()
  await mail.close()
})

test('recovery codes are shown once, and one of them takes the account back', async ({ member, page }) => {
  const ann = await member('Ann')
  await ann.page.goto('/account')
  const codes = ann.page
    .locator('section')
    .filter({ has: ann.page.getByRole('heading', { name: 'Recovery codes' }) })
  await expect(codes).toContainText('You have no recovery codes.')
  await codes.getByRole('button', { name: 'Create codes' }).click()
  await expect(codes.locator('code')).toHaveCount(10)
  const [code] = (await codes.locator('code').allTextContents()) as [string]
  await ann.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await codes.getByRole('button', { name: 'Copy' }).click()
  expect((await ann.page.evaluate(() => navigator.clipboard.readText())).split('\n')).toHaveLength(10)
  const [download] = await Promise.all([
    ann.page.waitForEvent('download'),
    codes.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('recovery-codes.txt')
  expect(await readFile(await download.path(), 'utf8')).toContain(code)
  await ann.page.emulateMedia({ media: 'print' })
  await expect(ann.page.locator('.print-sheet')).toContainText(code)
  await expect(ann.page.locator('.print-sheet')).toBeVisible()
  await expect(codes).toBeHidden()
  await ann.page.emulateMedia({ media: 'screen' })
  await codes.getByRole('button', { name: 'Done' }).click()
  await expect(codes).toContainText('10 codes are left.')
  await expect(codes.locator('code')).toHaveCount(0)

  await page.goto('/reset-password')
  await resetWithCode(page, ann.email, '0000-0000-0000-0000')
  await expect(page.getByLabel('Code')).toHaveAccessibleDescription(
    /The address, the handle or the code is not correct/,
  )
  await page.getByLabel('Code').fill(code.toUpperCase().replaceAll('-', ' '))
  await page.getByRole('button', { name: 'Save the password' }).click()
  await expect(page.locator('.notice.success')).toContainText('Your new password is set')
  await page.locator('main').getByRole('link', { name: 'Log in' }).click()
  await logIn(page, ann.email, NEW_PASSWORD)
  await expect(page.getByRole('button', { name: 'Profile: Ann' })).toBeVisible()
  await page.goto('/account')
  await expect(page.getByText('9 codes are left.')).toBeVisible()
  await expect(page.locator('.recovery-codes-section code')).toHaveCount(0)
})

test('an admin shows a code, with which a member sets a new password', async ({ admin, page }) => {
  const ann = await admin('Ann Helps')
  const ben = { email: `${crypto.randomUUID()}@engawa.example` }
  await registerMember(page, 'Ben Forgets', ben.email)
  await page.context().clearCookies()
  await ann.page.goto('/admin/users')
  await ann.page.getByPlaceholder('Search by name or email').fill(ben.email)
  await ann.page.getByRole('button', { name: 'More about Ben Forgets' }).click()
  await ann.page.locator('.menu:popover-open').getByRole('button', { name: 'Create a reset code' }).click()
  const dialog = ann.page.locator('dialog:modal')
  await expect(dialog).toContainText('A code for Ben Forgets')
  const code = await dialog.locator('code').textContent()
  await dialog.getByRole('button', { name: 'Close' }).click()
  // Expects that the menu of an admin's account has no item for a reset code.
  await ann.page.getByPlaceholder('Search by name or email').fill(ann.email)
  await ann.page.getByRole('button', { name: 'More about Ann Helps' }).click()
  await expect(ann.page.locator('.menu:popover-open')).not.toContainText('reset code')

  await page.goto('/forgot-password')
  await page.getByRole('link', { name: 'I have a code' }).click()
  await expect(page).toHaveURL('/reset-password')
  await resetWithCode(page, ben.email, code!)
  await expect(page.locator('.notice.success')).toContainText('Your new password is set')
  await page.locator('main').getByRole('link', { name: 'Log in' }).click()
  await logIn(page, ben.email, PASSWORD)
  await expect(page.getByText('Login failed.')).toBeVisible()
  await logIn(page, ben.email, NEW_PASSWORD)
  await expect(page.getByRole('button', { name: 'Profile: Ben Forgets' })).toBeVisible()
})
