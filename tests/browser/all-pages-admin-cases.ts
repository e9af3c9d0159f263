import {
  combineSteps,
  openMenuIn,
  openMenuItemDialog,
  type PageTestCase,
  submitForm,
} from './all-pages-actions.ts'
import { expect } from './fixture.ts'

/** The states of the pages for admins, and of the log of what they did. */
export const adminPageTestCases: readonly PageTestCase[] = [
  { name: 'the dashboard', path: '/admin/dashboard', who: 'ann' },
  { name: 'the dashboard, loading', path: '/admin/dashboard', who: 'ann', answers: 'held' },
  { name: 'the dashboard, failed', path: '/admin/dashboard', who: 'ann', answers: 'failed' },
  { name: 'the dashboard, not an admin', path: '/admin/dashboard', who: 'ben' },
  {
    name: 'the dashboard, deleting a group',
    path: '/admin/dashboard',
    who: 'ann',
    act: combineSteps(openMenuIn('main'), openMenuItemDialog('.danger')),
  },
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
    name: 'all users, reset code of a member',
    path: '/admin/users',
    who: 'ann',
    act: async (page) => {
      await page.route('**/reset-code', (route) => route.fulfill({ json: { code: '4kq7-m2xe-9ydr' } }))
      await page.locator('tbody tr').last().locator('button[popovertarget]').click()
      const menu = page.locator('.menu:popover-open')
      await menu.getByRole('button', { name: /Create a reset code|再設定コードを作る/ }).click()
      await page.locator('.reset-code').waitFor()
    },
  },
  { name: 'new members', path: '/admin/new-members', who: 'ann' },
  { name: 'new members, loading', path: '/admin/new-members', who: 'ann', answers: 'held' },
  { name: 'new members, failed', path: '/admin/new-members', who: 'ann', answers: 'failed' },
  { name: 'new members, for others', path: '/admin/new-members', who: 'ben' },
  {
    name: 'new members, invitation created',
    path: '/admin/new-members',
    who: 'ann',
    act: combineSteps(submitForm, (page) => page.locator('.qr-code').first().waitFor()),
  },
  {
    name: 'new members, ending an invitation',
    path: '/admin/new-members',
    who: 'ann',
    act: combineSteps(
      submitForm,
      (page) => page.locator('.invitation-list .button').last().click(),
      (page) => page.locator('dialog:modal').waitFor(),
    ),
  },
  { name: 'the settings', path: '/admin/settings', who: 'ann' },
  { name: 'the settings, failed', path: '/admin/settings', who: 'ann', answers: 'failed' },
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
    act: openMenuIn('main tbody tr:has-text("Yui")'),
  },
  {
    name: 'all users, suspending a user',
    path: '/admin/users',
    who: 'ann',
    act: combineSteps(openMenuIn('main tbody tr:has-text("Yui")'), openMenuItemDialog('.danger >> nth=0')),
  },
  {
    name: 'all users, deleting a user',
    path: '/admin/users',
    who: 'ann',
    act: combineSteps(openMenuIn('main tbody tr:has-text("Yui")'), openMenuItemDialog('.danger >> nth=1')),
  },
]
