import type { Locator, Page } from '@playwright/test'
import { totpCode } from '#tests/authenticator-app.ts'
import { accountSection, CHANGED_PASSWORD } from './account-helpers.ts'
import { expect, fetchJson, PASSWORD, test } from './fixture.ts'
import { addDevice } from './virtual-device.ts'

/**
 * The largest number of times that a test presses Tab to reach an element. The account page has fewer
 * elements that can have the focus.
 */
const MAX_TABS = 150

/**
 * Presses Tab or Shift+Tab until the element has the focus. Expects that the element is in the window and
 * shows its focus.
 */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await expect(target).toBeVisible()
  // Finds the element only once, because finding it by its role takes longer than pressing Tab.
  const element = (await target.elementHandle())!
  const hasFocus = () => element.evaluate((node) => node === document.activeElement)
  for (let tabs = 0; tabs < MAX_TABS && !(await hasFocus()); tabs++) await page.keyboard.press(key)
  await expect(target).toBeFocused()
  await expect(target).toBeInViewport()
  expect(await target.evaluate((element) => element.matches(':focus-visible'))).toBe(true)
}

async function pressWithTab(page: Page, target: Locator) {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

async function typeWithTab(page: Page, target: Locator, text: string) {
  await tabTo(page, target)
  await page.keyboard.type(text)
}

test('the keyboard alone is enough for the account page', async ({ member, seat }) => {
  const ann = await member('Ann')
  const { page } = ann
  await addDevice(page)
  await page.goto('/account')

  const password = accountSection(page, 'Password')
  await typeWithTab(page, password.getByLabel('Current password'), PASSWORD)
  await typeWithTab(page, password.getByLabel('New password', { exact: true }), CHANGED_PASSWORD)
  await typeWithTab(page, password.getByLabel('New password again'), CHANGED_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your password has been changed.').first()).toBeVisible()

  const secondStep = accountSection(page, 'Second step')
  await pressWithTab(page, secondStep.getByRole('button', { name: 'Set up' }))
  const secret = (await secondStep.locator('code').textContent())!.replaceAll(' ', '')
  await typeWithTab(page, secondStep.getByLabel('Code of the app'), totpCode(secret))
  await page.keyboard.press('Enter')
  await expect(secondStep.locator('.recovery-code-list li')).toHaveCount(10)
  await pressWithTab(page, secondStep.getByRole('button', { name: 'Done' }))
  await expect(secondStep.getByText('Turned on')).toBeVisible()

  const passkeys = accountSection(page, 'Passkeys')
  await pressWithTab(page, passkeys.getByRole('button', { name: 'Add a passkey' }))
  await expect(passkeys.getByRole('listitem')).toHaveCount(1)

  // Logs in on another device. The account has a second step, so this device must enter a code after the
  // password.
  const { page: phone } = await seat()
  await phone.request.get('/sanctum/csrf-cookie')
  await fetchJson(phone, 'POST', '/login', {
    email: ann.email,
    password: CHANGED_PASSWORD,
  })
  await fetchJson(phone, 'POST', '/two-factor-challenge', {
    code: totpCode(secret, 1),
  })
  await page.reload()
  const devices = accountSection(page, 'Where you are logged in')
  await expect(devices.getByRole('listitem')).toHaveCount(2)
  await pressWithTab(page, devices.getByRole('button', { name: /^Log out (?!all)/ }))
  await expect(devices.getByRole('listitem')).toHaveCount(1)

  const data = accountSection(page, 'A copy of your data')
  await pressWithTab(page, data.getByRole('button', { name: 'Make an archive' }))
  await tabTo(page, data.getByRole('button', { name: 'Download' }))
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(download.suggestedFilename()).toMatch(/\.zip$/)

  const deletion = accountSection(page, 'Delete the account')
  await tabTo(page, deletion.getByRole('radio', { name: 'Keep them' }))
  await page.keyboard.press('ArrowDown')
  await expect(deletion.getByRole('radio', { name: 'Delete them too' })).toBeChecked()
  await pressWithTab(page, deletion.getByRole('button', { name: 'Delete account…' }))
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  const label = await dialog.locator('label').textContent()
  await typeWithTab(page, dialog.getByRole('textbox'), /@[^,\s]+/.exec(label!)![0])
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await pressWithTab(page, deletion.getByRole('button', { name: 'Cancel the deletion' }))
  await expect(deletion.getByRole('button', { name: 'Delete account…' })).toBeVisible()
})
