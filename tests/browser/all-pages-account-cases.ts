import type { Page } from '@playwright/test'
import { invalid, type PageTestCase, sequence, submit } from './all-pages-actions.ts'
import { expect } from './fixture.ts'

/** Shows the account page with a passkey, and its button with this index, which opens a dialog. */
const openPasskey = (button?: number) => async (page: Page) => {
  const times = { created_at: '2026-11-01T09:00:00.000Z', last_used_at: '2026-11-20T09:00:00.000Z' }
  await page.route('**/api/account/passkeys', async (route) => {
    const { origin } = new URL(route.request().url())
    return route.fulfill({ json: { origin, passkeys: [{ id: 1, name: 'Chromium · Windows', ...times }] } })
  })
  await page.reload()
  const buttons = page.getByRole('button', { name: 'Chromium · Windows' })
  await expect(buttons).toHaveCount(2)
  if (button === undefined) return
  await buttons.nth(button).click()
  await expect(page.locator('dialog:modal')).toBeVisible()
}

/** The states of the pages for logging in and for the own account. */
export const accountPageTestCases: readonly PageTestCase[] = [
  { name: 'the log-in', path: '/login', who: 'visitor' },
  {
    name: 'the log-in, wrong password',
    path: '/login',
    who: 'visitor',
    act: async (page) => {
      await page.locator('input[type=email]').fill('nobody@engawa.example')
      await page.locator('input[type=password]').fill('nothing')
      await submit(page)
      await expect(page.getByText(/Login failed\.|ログインできませんでした。/)).toBeVisible()
    },
  },
  { name: 'a forgotten password', path: '/forgot-password', who: 'visitor' },
  {
    name: 'a forgotten password, invalid',
    path: '/forgot-password',
    who: 'visitor',
    act: sequence(submit, (page) => invalid(page).first().waitFor()),
  },
  { name: 'a new password with a code', path: '/reset-password', who: 'visitor' },
  {
    name: 'a new password with a code, invalid',
    path: '/reset-password',
    who: 'visitor',
    act: sequence(submit, (page) => invalid(page).first().waitFor()),
  },
  {
    name: 'a new password with a link, expired',
    path: '/reset-password#x',
    who: 'visitor',
    act: async (page) => {
      for (const field of await page.locator('input[type=password]').all()) await field.fill('paper lanterns')
      await submit(page)
      await page.locator('.notice.error').waitFor()
    },
  },
  { name: 'the account', path: '/account', who: 'ben' },
  {
    name: 'the account, changing the address',
    path: '/account',
    who: 'ben',
    act: (page) => page.locator('.account-section').nth(1).getByRole('button').last().click(),
  },
  {
    name: 'the account, new recovery codes',
    path: '/account',
    who: 'ben',
    act: async (page) => {
      // The answer does not come from the server, which may want a confirmation first.
      await page.route('**/api/account/recovery-codes', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ json: { codes: Array.from({ length: 10 }, (_, n) => `000${n}-4kq7-m2xe-9ydr`) } })
          : route.fallback(),
      )
      await page.locator('.recovery-codes-section').getByRole('button').last().click()
      await page.locator('.recovery-codes').waitFor()
    },
  },
  { name: 'the new address, confirming', path: '/account/email#verify=x', who: 'visitor' },
  { name: 'the new address, undoing', path: '/account/email#undo=x', who: 'visitor' },
  {
    name: 'the account, deleting it',
    path: '/account',
    who: 'ben',
    act: async (page) => {
      await page.locator('.account-section').last().getByRole('button').last().click()
      await page.locator('dialog:modal').waitFor()
    },
  },
  {
    name: 'the account, setting up the second step',
    path: '/account',
    who: 'ben',
    act: async (page) => {
      await page.getByRole('button', { name: /^(Set up|設定する)$/ }).click()
      await expect(page.locator('.qr-code')).toBeVisible()
    },
  },
  { name: 'the second step of a log-in', path: '/two-factor-challenge', who: 'visitor' },
  {
    name: 'the second step of a log-in, refused',
    path: '/two-factor-challenge',
    who: 'visitor',
    act: async (page) => {
      await page.locator('main input').fill('000000')
      await submit(page)
      await invalid(page).first().waitFor()
    },
  },
  { name: 'the account, with a passkey', path: '/account', who: 'ben', act: openPasskey() },
  { name: 'renaming a passkey', path: '/account', who: 'ben', act: openPasskey(0) },
  { name: 'removing a passkey', path: '/account', who: 'ben', act: openPasskey(1) },
  { name: 'the account, failed', path: '/account', who: 'ben', answers: 'failed' },
]
