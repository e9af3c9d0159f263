import { fakeAnswer, fakeBlocked, fakeMembersOnly, fakeMuted } from '#tests/page-answers.ts'
import {
  deviceLinkCheck,
  deviceQrCode,
  exportStateStep,
  onePasskey,
  openConfirmation,
  openTwoFactorForm,
  pendingDeletion,
  reloadWithMail,
  twoPeople,
} from './all-pages-account-steps.ts'
import { invalidFields, type PageTestCase, steps, submitForm } from './all-pages-actions.ts'
import { expect } from './fixture.ts'

const longNames = ['Wolfeschlegelsteinhausenbergerdorffson', '森田 あや']

/** The test cases for the log-in, the recovery of an account and the account pages, in all their states. */
export const accountCases: readonly PageTestCase[] = [
  { name: 'the log-in', path: '/login', who: 'visitor' },
  {
    name: 'the log-in, members only',
    path: '/login',
    who: 'visitor',
    act: fakeMembersOnly,
  },
  {
    name: 'the log-in, wrong password',
    path: '/login',
    who: 'visitor',
    act: async (page) => {
      await page.locator('input[name=email]').fill('nobody@engawa.example')
      await page.locator('input[type=password]').fill('nothing')
      await submitForm(page)
      await expect(page.getByText(/Login failed\.|ログインできませんでした。/)).toBeVisible()
    },
  },
  { name: 'a card, without a code', path: '/welcome', who: 'visitor' },
  { name: 'a card, loading', path: '/welcome#0000', who: 'visitor', answers: 'held' },
  { name: 'a card, failed', path: '/welcome#0000', who: 'visitor', answers: 'failed' },
  {
    name: 'a card, not valid',
    path: '/welcome#0000',
    who: 'visitor',
    act: (page) => invalidFields(page).waitFor(),
  },
  {
    name: 'a card',
    path: '/welcome#4kq7',
    who: 'visitor',
    act: async (page) => {
      const json = { name: 'Aya Sato', handle: 'm48213', passkey_origin: new URL(page.url()).origin }
      await fakeAnswer('/api/cards/check', json)(page)
      await page.locator('.welcome-handle').waitFor()
    },
  },
  { name: 'another device, without a code', path: '/device-log-in', who: 'visitor' },
  { name: 'another device, loading', path: '/device-log-in#0000', who: 'visitor', answers: 'held' },
  { name: 'another device, failed', path: '/device-log-in#0000', who: 'visitor', answers: 'failed' },
  {
    name: 'another device, not valid',
    path: '/device-log-in#0000',
    who: 'visitor',
    act: (page) => page.locator('.notice.error').waitFor(),
  },
  {
    name: 'another device',
    path: '/device-log-in#4kq7',
    who: 'visitor',
    act: deviceLinkCheck({ name: longNames[0]!, handle: 'wolfe' }),
  },
  { name: 'a forgotten password', path: '/forgot-password', who: 'visitor' },
  {
    name: 'a forgotten password, invalid',
    path: '/forgot-password',
    who: 'visitor',
    act: steps(reloadWithMail, submitForm, (page) => invalidFields(page).first().waitFor()),
  },
  { name: 'a new password with a code', path: '/reset-password', who: 'visitor' },
  {
    name: 'a new password with a code, invalid',
    path: '/reset-password',
    who: 'visitor',
    act: steps(submitForm, (page) => invalidFields(page).first().waitFor()),
  },
  {
    name: 'a new password with a link, expired',
    path: '/reset-password#x',
    who: 'visitor',
    act: async (page) => {
      for (const field of await page.locator('input[type=password]').all()) await field.fill('paper lanterns')
      await submitForm(page)
      await page.locator('.notice.error').waitFor()
    },
  },
  {
    name: 'a new password, set',
    path: '/reset-password#x',
    who: 'visitor',
    act: async (page) => {
      await page.route('**/reset-password', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ json: { message: 'Your new password is set.' } })
          : route.fallback(),
      )
      await submitForm(page)
      await page.locator('.notice.success').waitFor()
    },
  },
  { name: 'the account', path: '/account', who: 'ben' },
  { name: 'the account, loading', path: '/account', who: 'ben', answers: 'held' },
  {
    name: 'the account, asking for the password',
    path: '/account',
    who: 'ben',
    act: openConfirmation,
  },
  {
    name: 'the account, a new address that waits',
    path: '/account',
    who: 'ben',
    act: steps(
      fakeAnswer('/api/account/email', {
        pending: `${'long.'.repeat(9)}name@engawa.example`,
      }),
      (page) => page.locator('.account-section .notice.warning').waitFor(),
    ),
  },
  {
    name: 'the account, archive being made',
    path: '/account',
    who: 'ben',
    act: exportStateStep('running', 'progress'),
  },
  {
    name: 'the account, archive ready',
    path: '/account',
    who: 'ben',
    act: exportStateStep('ready', '.export-facts'),
  },
  {
    name: 'the account, archive failed',
    path: '/account',
    who: 'ben',
    act: exportStateStep('failed', '.notice.error'),
  },
  {
    name: 'the account, waiting for its deletion',
    path: '/account',
    who: 'ben',
    act: pendingDeletion(false),
  },
  {
    name: 'the account, an admin’s deletion',
    path: '/account',
    who: 'ben',
    act: pendingDeletion(true),
  },
  {
    name: 'the account, second step off',
    path: '/account',
    who: 'ben',
    act: openTwoFactorForm,
  },
  {
    name: 'the account, changing the address',
    path: '/account',
    who: 'ben',
    act: (page) => page.locator('.account-section').nth(1).getByRole('button').last().click(),
  },
  {
    name: 'the account, a code for another device',
    path: '/account',
    who: 'ben',
    act: deviceQrCode('open'),
  },
  {
    name: 'the account, another device came in',
    path: '/account',
    who: 'ben',
    act: deviceQrCode('used'),
  },
  {
    name: 'the account, the code has expired',
    path: '/account',
    who: 'ben',
    act: deviceQrCode('ended'),
  },
  {
    name: 'the account, new recovery codes',
    path: '/account',
    who: 'ben',
    act: async (page) => {
      // Fakes the response with new recovery codes, because the server may first ask for the password.
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
    name: 'the new address, link refused',
    path: '/account/email#verify=x',
    who: 'visitor',
    act: async (page) => {
      await page.locator('main button').first().click()
      await page.locator('.notice.error').waitFor()
    },
  },
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
    name: 'the account, deleting it, wrong handle',
    path: '/account',
    who: 'ben',
    act: async (page) => {
      await page.locator('.account-section').last().getByRole('button').last().click()
      await page.locator('dialog:modal button[type=submit]').click()
      await invalidFields(page).waitFor()
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
      await submitForm(page)
      await invalidFields(page).first().waitFor()
    },
  },
  {
    name: 'the second step of a log-in, recovery code',
    path: '/two-factor-challenge',
    who: 'visitor',
    act: (page) => page.getByRole('button', { name: /^(Use a recovery code|復旧コードを使う)$/ }).click(),
  },
  {
    name: 'the account, with a passkey',
    path: '/account',
    who: 'ben',
    act: onePasskey(),
  },
  {
    name: 'renaming a passkey',
    path: '/account',
    who: 'ben',
    act: onePasskey(0),
  },
  {
    name: 'removing a passkey',
    path: '/account',
    who: 'ben',
    act: onePasskey(1),
  },
  { name: 'the account, failed', path: '/account', who: 'ben', answers: 'failed' },
  {
    name: 'the account page, blocked people',
    path: '/account',
    who: 'ben',
    act: steps(fakeBlocked(longNames), twoPeople),
  },
  {
    name: 'the account page, muted people',
    path: '/account',
    who: 'ben',
    act: steps(fakeMuted(longNames), twoPeople),
  },
]
