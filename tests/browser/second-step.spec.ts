import type { Page } from '@playwright/test'
import { totpCode } from '#tests/authenticator-app.ts'
import { expect, expectAccessible, expectNoOverflow, fetchJson, PASSWORD, test } from './fixture.ts'

const section = (page: Page) => page.locator('.account-section').filter({ hasText: 'authenticator app' })

async function logIn(page: Page, email: string, path = '/login') {
  await page.goto(path)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.locator('main').getByRole('button', { name: 'Log in', exact: true }).click()
}

/** Turns on one-time codes on the open account page. Returns the secret of the codes. */
async function turnOn(page: Page) {
  await section(page).getByRole('button', { name: 'Set up' }).click()
  await expect(section(page).getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  const secret = (await section(page).locator('code').textContent())!.replaceAll(' ', '')
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  await section(page).getByLabel('Code of the app').fill('000000')
  await section(page).getByRole('button', { name: 'Turn on' }).click()
  await expect(section(page).getByText('This code is not correct')).toBeVisible()
  await section(page).getByLabel('Code of the app').fill(totpCode(secret))
  await section(page).getByLabel('Code of the app').press('Enter')
  await expect(section(page).locator('.recovery-code-list li')).toHaveCount(10)
  return secret
}

async function turnOnByApi(page: Page) {
  const path = '/api/account/one-time-codes'
  const { secret } = await fetchJson(page, 'POST', path)
  await fetchJson(page, 'POST', `${path}/confirm`, {
    code: totpCode(secret),
  })
}

test('a member sets the second step up, replaces the codes, logs in with the app, then with a recovery code, and turns it off', async ({
  member,
}) => {
  const { page, email } = await member('Ann')
  await page.goto('/account')
  const secret = await turnOn(page)
  const listed = page.locator('.recovery-code-list li')
  const replaced = await listed.allTextContents()
  await section(page).getByRole('button', { name: 'Done' }).click()
  await expect(section(page).getByText('Turned on')).toBeVisible()
  await expect(page.getByText('Second step turned on')).toBeVisible()

  // Expects that a confirmation asks for a code too.
  await page.route(
    '**/api/account/recovery-codes',
    (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 423, json: {} }) : route.fallback(),
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Replace codes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Please confirm that it is you' })
  const confirmation = dialog.getByLabel('Code of the app, or a recovery code')
  await dialog.getByLabel('Password').fill(PASSWORD)
  await expect(confirmation).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Please enter a code of your authenticator app')).toBeVisible()
  await expect(confirmation).toBeFocused()
  await expect(dialog.getByLabel('Password')).toHaveValue(PASSWORD)
  await expectAccessible(page)
  await expectNoOverflow(page)
  await confirmation.fill(replaced[0]!)
  await confirmation.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(listed).toHaveCount(10)
  const codes = await listed.allTextContents()
  expect(codes).not.toContain(replaced[1])

  await page.goto('/logout')
  await expect(page.getByText('Log out successful.')).toBeVisible()
  await logIn(page, email, '/login?next=%2Ffollow')
  await expect(page).toHaveURL('/two-factor-challenge?next=%2Ffollow')
  const code = page.getByLabel('Code of the app')
  await expect(code).toBeFocused()
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await expect(code).toHaveAttribute('inputmode', 'numeric')
  await code.fill('123456')
  await code.press('Enter')
  await expect(page.getByText('This code is not correct, or was used already.')).toBeVisible()
  await expect(code).toBeFocused()
  // Enters the next code of the authenticator app, because the set-up has used the current code.
  await code.fill(totpCode(secret, 1))
  await code.press('Enter')
  await expect(page.locator('.notice.success')).toHaveText('Log in successful.')
  await expect(page).toHaveURL('/follow')
  await expect(page.getByRole('button', { name: 'Profile: Ann' })).toBeVisible()

  await page.goto('/logout')
  await expect(page.getByText('Log out successful.')).toBeVisible()
  await logIn(page, email)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  const recoveryCode = page.getByLabel('Recovery code')
  await expect(recoveryCode).toBeFocused()
  await recoveryCode.fill('0000-0000-0000-0000')
  await recoveryCode.press('Enter')
  await expect(page.getByText('This code is not correct, or was used already.')).toBeVisible()
  await recoveryCode.fill(codes[0]!)
  await recoveryCode.press('Enter')
  await expect(page).toHaveURL('/')

  await page.goto('/account')
  await expect(page.getByText('9 codes are left.')).toBeVisible()
  await section(page).getByRole('button', { name: 'Turn off' }).click()
  await section(page).getByLabel('Code of the app, or a recovery code').fill(codes[1]!)
  await section(page).getByRole('button', { name: 'Turn off' }).click()
  await expect(section(page).getByText('The second step is off.')).toBeVisible()
  await page.goto('/logout')
  await expect(page.getByText('Log out successful.')).toBeVisible()
  await logIn(page, email)
  await expect(page).toHaveURL('/')
})

test('an admin without the second step that is required finds the way to set it up', async ({
  admin,
  member,
}) => {
  const ann = await admin('Ann')
  const ben = await admin('Ben')
  await ann.page.goto('/admin/settings')
  const setting = ann.page.getByLabel('Admins and moderators need a second step')
  await setting.click()
  await expect(ann.page.getByText('Set up a second step for your own account first')).toBeVisible()
  await expect(setting).not.toBeChecked()
  await turnOnByApi(ann.page)
  await setting.check()
  await expect(ann.page.getByText('Settings saved.')).toBeVisible()

  await ben.page.goto('/admin/users')
  await expect(ben.page.getByRole('heading', { name: 'Please set up a second step first.' })).toBeVisible()
  await expectAccessible(ben.page)
  await ben.page.getByRole('link', { name: 'To my account' }).click()
  await expect(section(ben.page).getByText('You do not have these rights until you set it up')).toBeVisible()
  await turnOn(ben.page)
  await section(ben.page).getByRole('button', { name: 'Done' }).click()
  await expect(section(ben.page).getByText('You do not have these rights')).toHaveCount(0)
  await ben.page.goto('/admin/settings')
  await ben.page.getByLabel('Admins and moderators need a second step').uncheck()
  await expect(ben.page.getByText('Settings saved.')).toBeVisible()

  // Ben can remove the second step of the log-in of a member, but not that of Ann, who was an admin until a
  // moment ago.
  const cem = await member('Cem')
  await turnOnByApi(cem.page)
  await fetchJson(ben.page, 'DELETE', `/api/admin/users/${ann.id}/admin`)
  await ben.page.goto('/admin/users')
  const removeSecondStep = async ({ name, email }: { name: string; email: string }) => {
    await ben.page.getByRole('searchbox').fill(email)
    await ben.page.getByRole('button', { name: `More about ${name}` }).click()
    await ben.page.getByRole('button', { name: 'Remove second step…' }).click()
    await ben.page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  }
  await removeSecondStep(ann)
  await expect(ben.page.getByText('This ends seven days after the admin rights are removed.')).toBeVisible()
  await ben.page.keyboard.press('Escape')
  await expect(ben.page.getByRole('dialog')).toHaveCount(0)
  await removeSecondStep(cem)
  await expect(ben.page.getByText('Cem can log in without a second step.')).toBeVisible()
  await fetchJson(cem.page, 'POST', '/logout')
  await logIn(cem.page, cem.email)
  await expect(cem.page).toHaveURL('/')
})
