import type { Page } from '@playwright/test'
import { combineSteps, getInvalidFields, type PageTestCase, submitForm } from './all-pages-actions.ts'
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

/** Reloads the page, whose calls of this path are answered with `json`. */
const reloadWithAnswer = (path: string, json: unknown) => async (page: Page) => {
  await page.route(`**${path}`, (route) => route.fulfill({ json }))
  await page.reload()
}
const inWeek = '2026-11-29T09:00:00.000Z'
/** Makes an archive of the data, which is then in this state, and waits for an element of it. */
const makeArchive = (state: string, element: string) => async (page: Page) => {
  const isReady = state === 'ready'
  const archive = { state, progress: 0.4, bytes: isReady ? 23_456_789 : null, created_at: inWeek }
  await page.route('**/api/account/export', (route) =>
    route.fulfill({ json: { export: { ...archive, expires_at: isReady ? inWeek : null } } }),
  )
  await page.getByRole('button', { name: /^(Make an archive|アーカイブを作成する)$/ }).click()
  await page.locator(`.account-section ${element}`).waitFor()
}
const showDeletion = (by_admin: boolean) => {
  const content = { posts: 3, pictures: 1, groups: 1, private_messages: 2, group_messages: 0 }
  const deletion = { due_at: inWeek, requested_at: inWeek, messages: 'keep', by_admin }
  return combineSteps(reloadWithAnswer('/api/account/deletion', { deletion, content }), (page) =>
    page.locator('.account-section').last().locator('.notice').waitFor(),
  )
}
/** Opens the dialog that asks who the member is. */
const askForPassword = async (page: Page) => {
  await page.route('**/api/account/recovery-codes', (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 423, json: {} }) : route.fallback(),
  )
  await page.locator('.recovery-codes-section').getByRole('button').last().click()
  await page.locator('dialog:modal input').waitFor()
}
const turnOffSecondStep = combineSteps(
  reloadWithAnswer('/api/account/one-time-codes', { confirmed_at: '2026-11-20T09:00:00.000Z' }),
  (page) => page.getByRole('button', { name: /^(Turn off|無効にする)$/ }).click(),
  (page) => page.locator('form.second-step').waitFor(),
)
/** Reloads the page as one of a site that sends mail. */
const withMail = async (page: Page) => {
  await page.route('**/forgot-password', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace('"mail":false', '"mail":true')
    return route.fulfill({ response, body })
  })
  await page.reload()
  await page.locator('main form').waitFor()
}

/** Loads the log-in page again as a members-only community sends it to strangers. */
const reloadAsMembersOnly = async (page: Page) => {
  await page.route('**/login', async (route) => {
    const body = await (await route.fetch()).text()
    const contentType = 'text/html; charset=utf-8'
    await route.fulfill({ contentType, body: body.replace('"membersOnly":false', '"membersOnly":true') })
  })
  await page.reload()
  await expect(page.getByText(/Only members can read|メンバーだけが読めます/)).toBeVisible()
}

const blockedPeople = ['Wolfeschlegelsteinhausenbergerdorffson', '森田 あや'].map((name, id) => {
  return { id, name, profile_image: null, blocked_at: '2026-11-20T09:00:00.000Z' }
})

/** The states of the pages for logging in and for the own account. */
export const accountPageTestCases: readonly PageTestCase[] = [
  { name: 'the log-in', path: '/login', who: 'visitor' },
  { name: 'the log-in, members only', path: '/login', who: 'visitor', act: reloadAsMembersOnly },
  {
    name: 'the log-in, wrong password',
    path: '/login',
    who: 'visitor',
    act: async (page) => {
      await page.locator('input[type=email]').fill('nobody@engawa.example')
      await page.locator('input[type=password]').fill('nothing')
      await submitForm(page)
      await expect(page.getByText(/Login failed\.|ログインできませんでした。/)).toBeVisible()
    },
  },
  { name: 'a forgotten password', path: '/forgot-password', who: 'visitor' },
  {
    name: 'a forgotten password, invalid',
    path: '/forgot-password',
    who: 'visitor',
    act: combineSteps(withMail, submitForm, (page) => getInvalidFields(page).first().waitFor()),
  },
  { name: 'a new password with a code', path: '/reset-password', who: 'visitor' },
  {
    name: 'a new password with a code, invalid',
    path: '/reset-password',
    who: 'visitor',
    act: combineSteps(submitForm, (page) => getInvalidFields(page).first().waitFor()),
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
  { name: 'the account, asking for the password', path: '/account', who: 'ben', act: askForPassword },
  {
    name: 'the account, a new address that waits',
    path: '/account',
    who: 'ben',
    act: combineSteps(
      reloadWithAnswer('/api/account/email', { pending: `${'long.'.repeat(9)}name@engawa.example` }),
      (page) => page.locator('.account-section .notice.warning').waitFor(),
    ),
  },
  {
    name: 'the account, archive being made',
    path: '/account',
    who: 'ben',
    act: makeArchive('running', 'progress'),
  },
  {
    name: 'the account, archive ready',
    path: '/account',
    who: 'ben',
    act: makeArchive('ready', 'a[download]'),
  },
  {
    name: 'the account, archive failed',
    path: '/account',
    who: 'ben',
    act: makeArchive('failed', '.notice.error'),
  },
  { name: 'the account, waiting for its deletion', path: '/account', who: 'ben', act: showDeletion(false) },
  { name: 'the account, an admin’s deletion', path: '/account', who: 'ben', act: showDeletion(true) },
  { name: 'the account, second step off', path: '/account', who: 'ben', act: turnOffSecondStep },
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
      await getInvalidFields(page).waitFor()
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
      await getInvalidFields(page).first().waitFor()
    },
  },
  {
    name: 'the second step of a log-in, recovery code',
    path: '/two-factor-challenge',
    who: 'visitor',
    act: (page) => page.getByRole('button', { name: /^(Use a recovery code|復旧コードを使う)$/ }).click(),
  },
  { name: 'the account, with a passkey', path: '/account', who: 'ben', act: openPasskey() },
  { name: 'renaming a passkey', path: '/account', who: 'ben', act: openPasskey(0) },
  { name: 'removing a passkey', path: '/account', who: 'ben', act: openPasskey(1) },
  { name: 'the account, failed', path: '/account', who: 'ben', answers: 'failed' },
  {
    name: 'the account page, blocked people',
    path: '/account',
    who: 'ben',
    act: combineSteps(reloadWithAnswer('/api/account/blocks', blockedPeople), (page) =>
      page.locator('.account-row .avatar').nth(1).waitFor(),
    ),
  },
]
