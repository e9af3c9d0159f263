import type { Page } from '@playwright/test'
import { fakeHealth } from '#tests/delivery-answers.ts'
import { fakeGuardianPage, fakeGuardians } from '#tests/guardian-answers.ts'
import { fakeReports } from '#tests/moderation-answers.ts'
import { fakeInvitations, fakeSetup } from '#tests/page-answers.ts'
import {
  answer500,
  invalidFields,
  opensFromMenu,
  opensMenu,
  type PageTestCase,
  steps,
  submitForm,
} from './all-pages-actions.ts'
import { expect } from './fixture.ts'

const openMenuOfYui = opensMenu('main tbody tr:has-text("Yui")')

/** Fakes two requests to join the community, and reloads the page, which must be the page of new members. */
async function showJoinRequests(page: Page) {
  const entered_at = new Date().toISOString()
  const requests = [
    {
      name: '森田 さくら',
      is_verified: true,
      question: 'どの教室に通っていますか？',
      answer: '陶芸クラブです。',
    },
    {
      name: 'Wolfeschlegelsteinhausenbergerdorffson',
      is_verified: false,
      question: null,
      answer: `A neighbour.\n${'x'.repeat(80)}`,
    },
  ].map((request, id) => ({ id, email: `person${id}@engawa.example`, entered_at, ...request }))
  await page.route('**/api/admin/join-requests*', (route) => route.fulfill({ json: requests }))
  await page.reload()
  await page.locator('.join-request-answer').nth(1).waitFor()
}

const approvalSettings = { who_can_join: 'approval', join_question: 'Which class?' }
const resetCode = { code: '4kq7-m2xe-9ydr', link: 'http://localhost/reset-password#code=4kq7-m2xe-9ydr' }

/**
 * Returns a step that types a list of members into the form of the page, submits the form, and waits for the
 * preview of the list.
 */
const checkMemberList = (list: string) =>
  steps(
    (page) => page.locator('main textarea').fill(list),
    submitForm,
    (page) => page.locator('.member-list-preview').waitFor(),
  )

/**
 * The test cases for the pages of admins, moderators and guardians, for reports and invitations of members,
 * for the end of the set-up, and for the account page of a member with guardians.
 */
async function chooseForTurn(page: Page) {
  const choices = page.locator('.turning select')
  await choices.first().selectOption('goesOn')
  await page.locator('.turning summary').first().click()
  await page.locator('.turning-members').waitFor()
}

export const adminCases: readonly PageTestCase[] = [
  { name: 'the dashboard', path: '/admin/dashboard', who: 'ann' },
  { name: 'the dashboard, loading', path: '/admin/dashboard', who: 'ann', answers: 'held' },
  { name: 'the dashboard, failed', path: '/admin/dashboard', who: 'ann', answers: 'failed' },
  { name: 'the dashboard, not an admin', path: '/admin/dashboard', who: 'ben' },
  {
    name: 'the dashboard, deleting a group',
    path: '/admin/dashboard',
    who: 'ann',
    act: steps(opensMenu('main'), opensFromMenu('.danger')),
  },
  { name: 'the turn of a year', path: '/admin/turn', who: 'ann', act: chooseForTurn },
  { name: 'the turn of a year, loading', path: '/admin/turn', who: 'ann', answers: 'held' },
  { name: 'the turn of a year, failed', path: '/admin/turn', who: 'ann', answers: 'failed' },
  { name: 'the turn of a year, empty', path: '/admin/turn', who: 'ann', answers: 'empty' },
  { name: 'a new group', path: '/admin/creategroup', who: 'ann' },
  { name: 'a new group, failed', path: '/admin/creategroup', who: 'ann', answers: 'failed' },
  {
    name: 'a new group, member chosen',
    path: '/admin/creategroup',
    who: 'ann',
    act: async (page) => {
      await page.locator('main label.check').first().click()
      await expect(page.locator('main input[type=checkbox]').first()).toBeChecked()
    },
  },
  {
    name: 'the end of the set-up',
    path: '/setup?code=wrong',
    who: 'ann',
    act: fakeSetup,
  },
  { name: 'new members', path: '/admin/new-members', who: 'ann' },
  { name: 'new members, loading', path: '/admin/new-members', who: 'ann', answers: 'held' },
  { name: 'new members, failed', path: '/admin/new-members', who: 'ann', answers: 'failed' },
  { name: 'new members, for others', path: '/admin/new-members', who: 'ben' },
  {
    name: 'new members, invitation created',
    path: '/admin/new-members',
    who: 'ann',
    act: steps(submitForm, (page) => page.locator('.qr-code').first().waitFor()),
  },
  {
    name: 'new members, ending an invitation',
    path: '/admin/new-members',
    who: 'ann',
    act: steps(
      submitForm,
      (page) => page.locator('.invitation-list .button').last().click(),
      (page) => page.locator('dialog:modal').waitFor(),
    ),
  },
  { name: 'new members, with requests', path: '/admin/new-members', who: 'ann', act: showJoinRequests },
  {
    name: 'new members, refusing a request',
    path: '/admin/new-members',
    who: 'ann',
    act: steps(
      showJoinRequests,
      (page) => page.getByRole('button', { name: /^(Refuse Wolfe|Wolfe.*断る)/ }).click(),
      (page) => page.locator('dialog:modal').waitFor(),
    ),
  },
  {
    name: 'own invitations',
    path: '/invitations',
    who: 'ben',
    act: fakeInvitations,
  },
  { name: 'own invitations, only by admins', path: '/invitations', who: 'ben' },
  { name: 'own invitations, loading', path: '/invitations', who: 'ben', answers: 'held' },
  { name: 'own invitations, failed', path: '/invitations', who: 'ben', answers: 'failed' },
  { name: 'own invitations, visitor', path: '/invitations', who: 'visitor' },
  { name: 'members from a list', path: '/admin/new-members/list', who: 'ann' },
  { name: 'members from a list, loading', path: '/admin/new-members/list', who: 'ann', answers: 'held' },
  { name: 'members from a list, failed', path: '/admin/new-members/list', who: 'ann', answers: 'failed' },
  { name: 'members from a list, for others', path: '/admin/new-members/list', who: 'ben' },
  {
    name: 'members from a list, empty',
    path: '/admin/new-members/list',
    who: 'ann',
    act: steps(submitForm, (page) => invalidFields(page).waitFor()),
  },
  {
    name: 'members from a list, preview with errors',
    path: '/admin/new-members/list',
    who: 'ann',
    act: checkMemberList('Aya Sato,5b,a b\nAya Sato,5b'),
  },
  {
    name: 'members from a list, cards created',
    path: '/admin/new-members/list',
    who: 'ann',
    act: steps(
      checkMemberList('Zoe,5b\n'.repeat(12)),
      (page) => page.locator('.member-list-preview .button.primary').click(),
      (page) => page.locator('.created-cards').waitFor(),
      (page) => page.locator('.invitation-list .button').first().click(),
      (page) => page.locator('.list-members li').first().waitFor(),
    ),
  },
  { name: 'the health of the server', path: '/admin/health', who: 'ann' },
  {
    name: 'the health of the server, with push services',
    path: '/admin/health',
    who: 'ann',
    act: fakeHealth,
  },
  { name: 'the health of the server, loading', path: '/admin/health', who: 'ann', answers: 'held' },
  { name: 'the health of the server, failed', path: '/admin/health', who: 'ann', answers: 'failed' },
  {
    name: 'the health of the server, a refused test mail',
    path: '/admin/health',
    who: 'ann',
    act: async (page) => {
      const json = { accepted: false, answer: '550 5.7.1 Relaying denied: authenticate first' }
      await page.route('**/api/admin/mail-test', (route) => route.fulfill({ json }))
      await page.locator('.test-mail button').click()
      await page.locator('.test-mail code').waitFor()
    },
  },
  { name: 'the health of the server, for others', path: '/admin/health', who: 'ben' },
  { name: 'the settings', path: '/admin/settings', who: 'ann' },
  {
    name: 'the settings, by approval',
    path: '/admin/dashboard',
    who: 'ann',
    act: async (page) => {
      await page.route('**/api/admin/settings', async (route) => {
        const { settings, fixed } = await (await route.fetch()).json()
        await route.fulfill({ json: { settings: { ...settings, ...approvalSettings }, fixed } })
      })
      await page.locator('main a[href="/admin/settings"]').click()
      await page.locator('textarea[name=join_question]').waitFor()
    },
  },
  {
    name: 'the settings, with a preview of what would be removed',
    path: '/admin/settings',
    who: 'ann',
    act: async (page) => {
      await page.locator('#retention select').first().selectOption('30')
      await page.locator('dialog .dialog-actions').waitFor()
    },
  },
  { name: 'the settings, failed', path: '/admin/settings', who: 'ann', answers: 'failed' },
  { name: 'a report', path: '/report/member/1', who: 'ben' },
  { name: 'a report, visitor', path: '/report/member/1', who: 'visitor' },
  { name: 'a report of nothing', path: '/report/cat/1', who: 'ben' },
  {
    name: 'a report, failed',
    path: '/report/member/1',
    who: 'ben',
    act: async (page) => {
      await page.route('**/api/reports', answer500)
      await page.locator('main input[type=radio]').first().check()
      await submitForm(page)
      await page.locator('main .notice').waitFor()
    },
  },
  { name: 'reports, empty', path: '/moderation', who: 'ben' },
  { name: 'reports, loading', path: '/moderation', who: 'ben', answers: 'held' },
  { name: 'reports, failed', path: '/moderation', who: 'ann', answers: 'failed' },
  { name: 'reports, as a member', path: '/moderation', who: 'ben', act: fakeReports },
  {
    name: 'reports, a case',
    path: '/moderation',
    who: 'ann',
    act: async (page) => {
      await fakeReports(page)
      await page.locator('.moderation-item button[aria-expanded]').first().click()
      await page.locator('.moderation-decision select').waitFor()
      await page.locator('.moderation-decision select').selectOption('suspend')
    },
  },
  { name: 'a roll call that does not exist', path: '/roll-calls/1', who: 'ben' },
  { name: 'guardian, without a child', path: '/guardian', who: 'ben' },
  { name: 'guardian, loading', path: '/guardian', who: 'ben', answers: 'held' },
  { name: 'guardian, failed', path: '/guardian', who: 'ben', answers: 'failed' },
  { name: 'guardian', path: '/guardian', who: 'ben', act: fakeGuardianPage },
  {
    name: 'account, with guardians',
    path: '/account',
    who: 'ben',
    act: fakeGuardians,
  },
  { name: 'what admins did', path: '/admin-log', who: 'ann' },
  { name: 'what admins did, as a member', path: '/admin-log', who: 'ben' },
  { name: 'what admins did, loading', path: '/admin-log', who: 'ben', answers: 'held' },
  { name: 'what admins did, failed', path: '/admin-log', who: 'ben', answers: 'failed' },
  { name: 'what admins did, empty', path: '/admin-log', who: 'ben', answers: 'empty' },
  { name: 'all users', path: '/admin/users', who: 'ann' },
  { name: 'all users, failed', path: '/admin/users', who: 'ann', answers: 'failed' },
  {
    name: 'all users, menu',
    path: '/admin/users',
    who: 'ann',
    act: openMenuOfYui,
  },
  {
    name: 'all users, suspending a user',
    path: '/admin/users',
    who: 'ann',
    act: steps(openMenuOfYui, opensFromMenu('.danger >> nth=0')),
  },
  {
    name: 'all users, deleting a user',
    path: '/admin/users',
    who: 'ann',
    act: steps(openMenuOfYui, opensFromMenu('.danger >> nth=1')),
  },
  {
    name: 'all users, account of a child',
    path: '/admin/users',
    who: 'ann',
    act: async (page) => {
      await openMenuOfYui(page)
      const menu = page.locator('.menu:popover-open')
      await menu.getByRole('button', { name: /Child’s account|子どものアカウント/ }).click()
      await page.locator('.child-form').waitFor()
    },
  },
  {
    name: 'all users, reset code of a member',
    path: '/admin/users',
    who: 'ann',
    act: async (page) => {
      await page.route('**/reset-code', (route) => route.fulfill({ json: resetCode }))
      await openMenuOfYui(page)
      const menu = page.locator('.menu:popover-open')
      await menu.getByRole('button', { name: /Create a reset code|パスワード再設定コードを作る/ }).click()
      await page.locator('.reset-code').waitFor()
    },
  },
]
