import type { Page } from '@playwright/test'
import { createReloadWithFakeApiResponseStep, createReloadWithFakePasskeysStep } from '#tests/page-answers.ts'
import { combinePageTestSteps } from './all-pages-actions.ts'
import { expect } from './fixture.ts'

/** Waits until the page shows two rows of accounts, such as of blocked people. */
export const waitForTwoPeopleOnTestedAccountPage = (page: Page) =>
  page.locator('.account-row .avatar').nth(1).waitFor()

/**
 * Fakes one passkey on the account page. If `button` is given, presses that button of the passkey, which
 * opens a dialog.
 */
export const createPageTestFakePasskeyStep = (button?: number) => async (page: Page) => {
  await createReloadWithFakePasskeysStep(['Chromium · Windows'])(page)
  const buttons = page.getByRole('button', { name: 'Chromium · Windows' })
  await expect(buttons).toHaveCount(2)
  if (button === undefined) return
  await buttons.nth(button).click()
  await expect(page.locator('dialog:modal')).toBeVisible()
}

const inWeek = '2026-11-29T09:00:00.000Z'
/**
 * Fakes an export in this state, and presses the button that makes an archive. Waits until `element` is
 * visible in its section.
 */
export const createPageTestFakeArchiveStep = (state: string, element: string) => async (page: Page) => {
  const isReady = state === 'ready'
  const archive = { state, progress: 0.4, bytes: isReady ? 23_456_789 : null, created_at: inWeek }
  await page.route('**/api/account/export', (route) =>
    route.fulfill({ json: { export: { ...archive, expires_at: isReady ? inWeek : null } } }),
  )
  await page.getByRole('button', { name: /^(Make an archive|アーカイブを作成する)$/ }).click()
  await page.locator(`.account-section ${element}`).waitFor()
}
/** Reloads the account page as a member whose account will be deleted; `by_admin`: by an admin's decision. */
export const createPageTestFakeDeletionStep = (by_admin: boolean) => {
  const content = { posts: 3, pictures: 1, groups: 1, private_messages: 2, group_messages: 0 }
  const deletion = { due_at: inWeek, requested_at: inWeek, messages: 'keep', by_admin }
  return combinePageTestSteps(
    createReloadWithFakeApiResponseStep('/api/account/deletion', { deletion, content }),
    (page) => page.locator('.account-section').last().locator('.notice').waitFor(),
  )
}
/** Reloads the page to which the QR code of another device leads, with a fake response about its link. */
export const createPageTestReloadWithDeviceLinkStep = (json: object) =>
  combinePageTestSteps(createReloadWithFakeApiResponseStep('/api/device-links/check', json), (page) =>
    page.locator('main .primary').waitFor(),
  )
/** Opens the QR code for another device on the account page. Fakes its link with this state. */
export const createPageTestShowDeviceQrCodeStep = (state: string) => async (page: Page) => {
  const link = `http://localhost/device-log-in#${'x'.repeat(43)}`
  const json = { link, expires_at: '2026-11-20T09:00:00.000Z', state }
  await page.route('**/api/account/device-link', (route) => route.fulfill({ json }))
  await page.getByRole('button', { name: /^(Add a device|端末を追加)$/ }).click()
  await page.locator(state === 'open' ? '.qr-code' : '.device-link .notice').waitFor()
}
/** Opens the dialog that asks for the password, because a fake response has the status 423. */
export const openPasswordDialogInPageTest = async (page: Page) => {
  await page.route('**/api/account/recovery-codes', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 423, json: {} }) : route.fallback(),
  )
  await page.locator('.recovery-codes-section').getByRole('button').last().click()
  await page.locator('dialog:modal input').waitFor()
}
/** Fakes that one-time codes are on, and opens the form that turns them off. */
export const openSecondStepRemovalInPageTest = combinePageTestSteps(
  createReloadWithFakeApiResponseStep('/api/account/one-time-codes', {
    confirmed_at: '2026-11-20T09:00:00.000Z',
  }),
  (page) => page.getByRole('button', { name: /^(Turn off|無効にする)$/ }).click(),
  (page) => page.locator('form.second-step').waitFor(),
)
/** Reloads the page /forgot-password with changed data in its HTML: it then shows that mails can be sent. */
export const reloadForgotPasswordPageAsServerWithMail = async (page: Page) => {
  await page.route('**/forgot-password', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('"mail":false', '"mail":true')
    return route.fulfill({ response, body })
  })
  await page.reload()
  await page.locator('main form').waitFor()
}
