import type { Page } from '@playwright/test'
import { fakeDeliveries, fakeHealth } from '#tests/delivery-answers.ts'
import { fakeGuardianPage } from '#tests/guardian-answers.ts'
import { fakeReports } from '#tests/moderation-answers.ts'
import { fakeInvitations } from '#tests/page-answers.ts'
import { clickStep, menuStep, type ScreenshotDefinition } from './screenshot-actions.ts'
import { createCards, createInvitation, fillGroupForm, showListPreview } from './screenshot-member-steps.ts'
import { joinRequestsShot } from './screenshot-registration-list.ts'

// This module lists the screenshots of pages for admins, moderators and guardians, and of notifications.
// bin/screenshot-list.ts includes them.

const firstRowMenu = menuStep('main button[popovertarget]')
const secondRowMenu = menuStep('main tbody tr:nth-child(2) button[popovertarget]')
const askToDelete = async (page: Page) => {
  await firstRowMenu(page)
  await clickStep('.menu:popover-open .danger')(page)
}

export const adminShots: readonly ScreenshotDefinition[] = [
  { name: 'admin', path: '/admin/dashboard', who: 'aya' },
  { name: 'admin-delete', path: '/admin/dashboard', who: 'aya', act: askToDelete },
  { name: 'admin-create', path: '/admin/creategroup', who: 'aya' },
  { name: 'admin-chosen', path: '/admin/creategroup', who: 'aya', act: fillGroupForm },
  { name: 'report', path: '/report/message/1', who: 'ben' },
  { name: 'unsubscribe', path: '/digest/unsubscribe/1.x', who: 'visitor' },
  { name: 'notification-settings', path: '/account/notifications', who: 'aya' },
  {
    name: 'deliveries',
    path: '/account/deliveries',
    who: 'ben',
    act: fakeDeliveries,
  },
  { name: 'guardian', path: '/guardian', who: 'ben', act: fakeGuardianPage },
  { name: 'group', path: '/groups/1', who: 'ben' },
  { name: 'group-link', path: '/groups/link/x', who: 'ben' },
  { name: 'roll-call', path: '/roll-calls/1', who: 'ben' },
  { name: 'album', path: '/albums/1', who: 'ben' },
  { name: 'own-reports', path: '/moderation', who: 'ben', act: fakeReports },
  {
    name: 'moderation',
    path: '/moderation',
    who: 'aya',
    act: async (page) => {
      await fakeReports(page)
      await page.locator('.moderation-item button[aria-expanded]').first().click()
      await page.locator('.moderation-decision').first().waitFor()
    },
  },
  { name: 'admin-new-members', path: '/admin/new-members', who: 'aya', act: createInvitation },
  { name: 'invitations', path: '/invitations', who: 'ben', act: fakeInvitations },
  joinRequestsShot,
  { name: 'admin-member-list', path: '/admin/new-members/list', who: 'aya' },
  {
    name: 'admin-member-preview',
    path: '/admin/new-members/list',
    who: 'aya',
    act: showListPreview,
  },
  {
    name: 'admin-member-cards',
    path: '/admin/new-members/list',
    who: 'aya',
    act: createCards,
  },
  { name: 'admin-health', path: '/admin/health', who: 'aya', act: fakeHealth },
  { name: 'admin-users', path: '/admin/users', who: 'aya' },
  { name: 'admin-user-menu', path: '/admin/users', who: 'aya', act: secondRowMenu },
]
