import type { Browser, Page } from '@playwright/test'
import { expect, expectAccessible, fetchJson, PASSWORD, type PageMember } from './fixture.ts'

export const CHANGED_PASSWORD = 'seven paper lanterns'

/**
 * Opens a page in a new browser context, as on another device, logs the member in there, and returns the
 * page. `path` is the path that must be open after the log-in.
 */
export async function logInElsewhere(
  browser: Browser,
  url: string,
  { email }: PageMember,
  password = PASSWORD,
  path = '/',
) {
  const page = await (await browser.newContext({ baseURL: url, locale: 'en-GB' })).newPage()
  await page.goto('/login')
  await submitLogIn(page, email, password)
  await page.waitForURL(path)
  return page
}

/** Fills in the form of the log-in page and submits it. */
export async function submitLogIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
}

/** Returns a Playwright locator of the section of the account page that has this title. */
export const accountSection = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

/**
 * Expects that the page shows the first invitation as a link and as a QR code, that the server accepts the
 * code of the invitation, and that there is only one invitation.
 */
export async function expectInvitation(page: Page) {
  await expect(page.getByRole('heading', { name: 'Invite the first members' })).toBeVisible()
  await expect(page.getByRole('img', { name: 'QR code of the invitation' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
  await expectAccessible(page)
  const origin = new URL(page.url()).origin
  const invitation = (await page.locator('.created-invitation code').textContent())!
  const link = page.locator('.created-invitation dd').first()
  await expect(link).toHaveText(new RegExp(`/register#${invitation}$`))
  const code = { invitation }
  expect(await fetchJson(page, 'POST', `${origin}/api/invitations/check`, code)).toBeNull()
  const invitations = await (await page.request.get(`${origin}/api/admin/invitations`)).json()
  expect(invitations).toHaveLength(1)
}
