import type { Locator, Page } from '@playwright/test'
import { totpCode } from '#tests/authenticator-app.ts'
import { accountSection } from './account-helpers.ts'
import { expect, expectAccessible, fetchJson, PASSWORD, type PageMember, test } from './fixture.ts'
import { addDevice, setVerified } from './virtual-device.ts'

const passkeys = (page: Page) => accountSection(page, 'Passkeys')
const rows = (page: Page): Locator => passkeys(page).getByRole('listitem')

/** Adds a passkey on the account page, which is open. Expects that the account then has `count` passkeys. */
async function addPasskey(page: Page, count = 1) {
  await passkeys(page).getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('The passkey has been added.')).toBeVisible()
  await expect(rows(page)).toHaveCount(count)
}

const logOut = (page: Page) => fetchJson(page, 'POST', '/logout')

const logInButton = (page: Page) => page.getByRole('button', { name: 'Log in with a passkey' })

async function logIn(page: Page, { name }: PageMember) {
  await page.goto('/login?next=/follow')
  await logInButton(page).click()
  await expect(page).toHaveURL('/follow')
  await expect(page.getByRole('button', { name: `Profile: ${name}` })).toBeVisible()
}

async function enterPassword(page: Page, { email }: PageMember) {
  await page.goto('/login?next=/follow')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

test('a member adds a passkey, which logs in alone, is the second step, and confirms that it is the member', async ({
  member,
}) => {
  const ann = await member('Ann')
  const { page } = ann
  const device = await addDevice(page)
  await page.goto('/account')
  await expect(passkeys(page).getByText('There are no passkeys yet.')).toBeVisible()
  await addPasskey(page)
  await expect(rows(page)).toContainText('not used yet')
  await expect(accountSection(page, 'Security log').getByText('Passkey added')).toBeVisible()
  // Expects that adding a second passkey of the same device fails.
  await passkeys(page).getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('This device already has a passkey for your account.')).toBeVisible()

  await rows(page)
    .getByRole('button', { name: /^Rename/ })
    .click()
  await page.getByRole('dialog').getByLabel('Name').fill('The laptop')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(rows(page)).toContainText('The laptop')

  await logOut(page)
  await logIn(page, ann)
  await page.goto('/account')
  await expect(rows(page)).toContainText('last used')
  await expect(accountSection(page, 'Security log').getByText('Logged in with a passkey')).toBeVisible()

  // Turns on one-time codes too, so that a log-in with the password needs a second step.
  const { secret } = await fetchJson(page, 'POST', '/api/account/one-time-codes')
  const code = totpCode(secret)
  await fetchJson(page, 'POST', '/api/account/one-time-codes/confirm', { code })
  await logOut(page)

  await enterPassword(page, ann)
  await expect(page).toHaveURL('/two-factor-challenge?next=/follow')
  await setVerified(device, false)
  const button = page.getByRole('button', { name: 'Use a passkey' })
  await button.click()
  await expect(page.getByText('No passkey was used.')).toBeVisible()
  await expectAccessible(page)
  await setVerified(device, true)
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/follow')
  await expect(page.getByRole('button', { name: 'Profile: Ann' })).toBeVisible()

  await page.goto('/account')
  // Fakes the status 423 for removing a passkey until the member has confirmed with the passkey. The server
  // responds so when the last log-in was more than ten minutes ago.
  let isConfirmed = false
  await page.route('**/api/account/passkeys/*', (route) =>
    isConfirmed || route.request().method() !== 'DELETE'
      ? route.fallback()
      : route.fulfill({ status: 423, json: { message: 'Please confirm first that it is you.' } }),
  )
  page.on('response', (response) => {
    if (response.url().endsWith('/api/account/confirm-passkey')) isConfirmed = response.status() === 204
  })
  await rows(page)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog', { name: 'Please confirm that it is you' })
  await setVerified(device, false)
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(dialog.getByText('No passkey was used.')).toBeVisible()
  await expectAccessible(page)
  await setVerified(device, true)
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('The passkey has been removed.')).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
})

test('each device has its own passkey, and a lost one no longer logs in', async ({
  member,
  browser,
  server,
}) => {
  const ann = await member('Ann')
  await addDevice(ann.page)
  await ann.page.goto('/account')
  await addPasskey(ann.page)
  const phone = await (await browser.newContext({ baseURL: server.url, locale: 'en-GB' })).newPage()
  await addDevice(phone)
  await phone.goto('/login')
  // Expects that logging in with a passkey fails on the phone, which has no passkey yet.
  await logInButton(phone).click()
  await expect(phone.getByText('No passkey was used. Please try again, or use your password.')).toBeVisible()
  await phone.getByLabel('Email address').fill(ann.email)
  await phone.getByLabel('Password').fill(PASSWORD)
  await phone.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(phone).toHaveURL('/')
  await phone.goto('/account')
  await addPasskey(phone, 2)
  await logOut(phone)
  await logIn(phone, ann)

  // Removes the passkey of the phone, the second in the list, as if the phone were lost.
  await ann.page.reload()
  await rows(ann.page)
    .nth(1)
    .getByRole('button', { name: /^Remove/ })
    .click()
  const question = ann.page.getByRole('dialog', { name: 'Remove this passkey?' })
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(ann.page.getByText('The passkey has been removed.')).toBeVisible()
  await expect(rows(ann.page)).toHaveCount(1)
  await logOut(phone)
  await phone.goto('/login')
  await logInButton(phone).click()
  await expect(phone.getByText('The passkey was not accepted. Please try again.')).toBeVisible()
  await expect(phone).toHaveURL('/login')
  await logOut(ann.page)
  await logIn(ann.page, ann)
  await phone.context().close()
})

test('an admin with a passkey has the rights after a log-in with it, not with the password', async ({
  admin,
}) => {
  const ann = await admin('Ann')
  const { page } = ann
  await addDevice(page)
  await page.goto('/account')
  await addPasskey(page)
  const setting = page.getByLabel('Admins and moderators need a second step')
  await page.goto('/admin/settings')
  await setting.click()
  await expect(page.getByText('or log in with a passkey.')).toBeVisible()
  await logOut(page)
  await logIn(page, ann)
  await page.goto('/admin/settings')
  await setting.check()
  await expect(page.getByText('Settings saved.')).toBeVisible()

  await logOut(page)
  await enterPassword(page, ann)
  await expect(page).toHaveURL('/follow')
  await page.goto('/admin/settings')
  await expect(page.getByText('or when you log in with a passkey.')).toBeVisible()
  await page.goto('/account')
  await passkeys(page).getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('Log in with one of your passkeys first.')).toBeVisible()
  await logOut(page)
  await logIn(page, ann)
  await page.goto('/admin/settings')
  await setting.uncheck()
  await expect(page.getByText('Settings saved.')).toBeVisible()
})
