import type { Page } from '@playwright/test'
import { fakeAnswer, fakePasskeys } from '#tests/page-answers.ts'
import { steps } from './all-pages-actions.ts'
import { expect } from './fixture.ts'

/** Waits until the account page shows two rows of a list of people, such as two blocked people. */
export const twoPeople = (page: Page) => page.locator('.account-row .avatar').nth(1).waitFor()

/**
 * Returns a step that fakes one passkey on the account page, and reloads the page. If `button` is given, the
 * step then presses the button with this index at the passkey, which opens a dialog.
 */
export const onePasskey = (button?: number) => async (page: Page) => {
  await fakePasskeys(['Chromium · Windows'])(page)
  const buttons = page.getByRole('button', { name: 'Chromium · Windows' })
  await expect(buttons).toHaveCount(2)
  if (button === undefined) return
  await buttons.nth(button).click()
  await expect(page.locator('dialog:modal')).toBeVisible()
}

const inWeek = '2026-11-29T09:00:00.000Z'
/**
 * Returns a step that fakes a data export in the state `state`, and presses the button that makes an archive.
 * The step then waits until the section of the account page shows the element that the selector `element`
 * finds.
 */
export const exportStateStep = (state: string, element: string) => async (page: Page) => {
  const isReady = state === 'ready'
  const archive = { state, progress: 0.4, bytes: isReady ? 23_456_789 : null, created_at: inWeek }
  await page.route('**/api/account/export', (route) =>
    route.fulfill({ json: { export: { ...archive, expires_at: isReady ? inWeek : null } } }),
  )
  await page.getByRole('button', { name: /^(Make an archive|データの控えを作成する)$/ }).click()
  await page.locator(`.account-section ${element}`).waitFor()
}
/**
 * Returns a step that reloads the account page as if the account were going to be deleted. `by_admin` says
 * whether an admin has decided this, instead of the member.
 */
export const pendingDeletion = (by_admin: boolean) => {
  const content = {
    posts: 3,
    pictures: 1,
    groups: 1,
    private_messages: 2,
    group_messages: 0,
    album_pictures: 3,
  }
  const deletion = { due_at: inWeek, requested_at: inWeek, messages: 'keep', by_admin }
  return steps(fakeAnswer('/api/account/deletion', { deletion, content }), (page) =>
    page.locator('.account-section').last().locator('.notice').waitFor(),
  )
}
/**
 * Returns a step that reloads the log-in page for another device, to which a QR code leads. The response to
 * the page's request about the link of the QR code is faked with `json`.
 */
export const deviceLinkCheck = (json: object) =>
  steps(fakeAnswer('/api/device-links/check', json), (page) => page.locator('main .primary').waitFor())
/**
 * Returns a step that opens the QR code for another device on the account page. The response with the link of
 * the QR code is faked, so that the link has the state `state`.
 */
export const deviceQrCode = (state: string) => async (page: Page) => {
  const link = `http://localhost/device-log-in#${'x'.repeat(43)}`
  const json = { link, expires_at: '2026-11-20T09:00:00.000Z', state }
  await page.route('**/api/account/device-link', (route) => route.fulfill({ json }))
  await page.getByRole('button', { name: /^(Add a device|端末を追加)$/ }).click()
  await page.locator(state === 'open' ? '.qr-code' : '.device-link .notice').waitFor()
}
/**
 * Opens the dialog that asks for the password on the account page: fakes a response with the status 423, and
 * presses the button for new recovery codes.
 */
export const openConfirmation = async (page: Page) => {
  await page.route('**/api/account/recovery-codes', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 423, json: {} }) : route.fallback(),
  )
  await page.locator('.recovery-codes-section').getByRole('button').last().click()
  await page.locator('dialog:modal input').waitFor()
}
/**
 * Fakes that the member has turned on one-time codes, reloads the account page, and opens the form that turns
 * one-time codes off.
 */
export const openTwoFactorForm = steps(
  fakeAnswer('/api/account/one-time-codes', {
    confirmed_at: '2026-11-20T09:00:00.000Z',
  }),
  (page) => page.getByRole('button', { name: /^(Turn off|オフにする)$/ }).click(),
  (page) => page.locator('form.second-step').waitFor(),
)
/**
 * Reloads the page /forgot-password with changed initial data in its HTML, so that it looks as if the server
 * could send mails.
 */
export const reloadWithMail = async (page: Page) => {
  await page.route('**/forgot-password', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('"mail":false', '"mail":true')
    return route.fulfill({ response, body })
  })
  await page.reload()
  await page.locator('main form').waitFor()
}
