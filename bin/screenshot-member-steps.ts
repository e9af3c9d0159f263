import type { Page } from '@playwright/test'
import { clickStep } from './screenshot-actions.ts'

// This module has Playwright steps for screenshots, such as those of new members and their devices. The
// lists of screenshots use the steps.

/**
 * Creates an invitation with the form of the page in the browser, and waits until the page shows the QR
 * code of the invitation.
 */
export const createInvitation = async (page: Page) => {
  await page.locator('main input[name=note]').fill('陶芸教室')
  await page.locator('main form button[type=submit]').click()
  await page.locator('.qr-code').first().waitFor()
}
/**
 * Shows the welcome page for the log-in card of an invented member. Fakes the API's response about the card,
 * because no card with this code exists.
 */
export const showWelcomePage = async (page: Page) => {
  const origin = new URL(page.url()).origin
  const card = { name: '山田太郎', reading: 'やまだ たろう', handle: 'yamada_taro', passkey_origin: origin }
  await page.route('**/api/cards/check', (route) => route.fulfill({ json: card }))
  await page.reload()
  await page.locator('.welcome-handle').waitFor()
}
/**
 * Shows the page that a new device opens with the link in the QR code of another device. Fakes the API's
 * response about the link, because no such link exists.
 */
export const showDeviceLink = async (page: Page) => {
  const json = { name: '山田太郎', handle: 'm48213' }
  await page.route('**/api/device-links/check', (route) => route.fulfill({ json }))
  await page.reload()
  await page.locator('main .primary').waitFor()
}
/** Submits a list of new members on the page in the browser, and waits for the preview of the list. */
export const showListPreview = async (page: Page) => {
  const list =
    '名前,ふりがな,組,ID\n山田太郎,やまだ たろう,5年B組,taro\n鈴木花子,スズキ ハナコ,5年B組,\n鈴木花子,鈴木,5年B組,\nBen,,陶芸クラブ,a b'
  await page.locator('main textarea').fill(list)
  await page.locator('main form button[type=submit]').click()
  await page.locator('.member-list-preview').waitFor()
}
/** Submits a list of new members on the page in the browser, and creates their log-in cards. */
export const createCards = async (page: Page) => {
  await page.locator('main textarea').fill(`${'山田太郎,5年B組\n'.repeat(3)}Anna,5年B組`)
  await page.locator('main form button[type=submit]').click()
  await page.locator('.member-list-preview').waitFor()
  await page.locator('.member-list-preview .button.primary').click()
  await page.locator('.created-cards').waitFor()
}
/** Shows the QR code with which a member sets up an authenticator app as the second step of the log-in. */
export const showQrCode = async (page: Page) => {
  await page.getByRole('button', { name: /^(Set up|設定する)$/ }).click()
  await page.locator('.qr-code').scrollIntoViewIfNeeded()
}

/** Fills the form for a new group in the browser with a name and three members. */
export const fillGroupForm = async (page: Page) => {
  await page.locator('main input[type=text], main input:not([type])').first().fill('夜の散歩 / Night walks')
  for (const at of [1, 3, 4]) await page.locator('main input[type=checkbox]').nth(at).check({ force: true })
}

/** Opens the first picture of the first post in a dialog. */
export const openFirstPicture = async (page: Page) => {
  await clickStep('article .pictures button, article .pictures a')(page)
  await page.locator('dialog:modal img').first().waitFor()
}

/** Opens the menu of the last message of a chat page. */
export const openLastMenu = async (page: Page) => {
  const last = page.locator('.message').last()
  await last.hover()
  await last.locator('button[popovertarget]').click()
  await page.locator('.menu:popover-open').waitFor()
}

/** Opens the dialog that lists the keyboard shortcuts. */
export const openShortcuts = async (page: Page) => {
  await page.keyboard.press('?')
  await page.locator('dialog:modal').waitFor()
}
