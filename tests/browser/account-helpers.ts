import type { Browser, Page } from '@playwright/test'
import { MEMBER_PASSWORD, type MemberWithPage } from './fixture.ts'

export const NEW_PASSWORD = 'seven paper lanterns'

/**
 * Opens a page in a new browser context, as on another device, and logs the member in. `path` is the page to
 * which the log-in leads.
 */
export async function openOtherDevice(
  browser: Browser,
  url: string,
  { email }: MemberWithPage,
  password = MEMBER_PASSWORD,
  path = '/',
) {
  const page = await (await browser.newContext({ baseURL: url, locale: 'en-GB' })).newPage()
  await page.goto('/login')
  await submitLogIn(page, email, password)
  await page.waitForURL(path)
  return page
}

/** Fills and sends the form of the log-in page. */
export async function submitLogIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Log in', exact: true }).click()
}

/** Returns the section of the account page with this title. */
export const getAccountSection = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
