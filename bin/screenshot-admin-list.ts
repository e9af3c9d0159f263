import type { Page } from '@playwright/test'
import {
  reloadDeliveriesPageWithFakeResponses,
  reloadHealthPageWithFakeDeliveryHealth,
} from '#tests/delivery-answers.ts'
import { reloadGuardianPageWithFakeResponses } from '#tests/guardian-answers.ts'
import { reloadReportsPageWithFakeResponses } from '#tests/moderation-answers.ts'
import { reloadInvitationsPageWithFakeInvitations } from '#tests/page-answers.ts'
import {
  createScreenshotClickStep,
  createScreenshotOpenMenuStep,
  type ScreenshotDefinition,
} from './screenshot-actions.ts'
import {
  createInvitationForScreenshot,
  createNewMemberLogInCardsForScreenshot,
  fillGroupFormForScreenshot,
  showNewMemberListPreviewForScreenshot,
} from './screenshot-member-steps.ts'
import { joinRequestsScreenshotDefinition } from './screenshot-registration-list.ts'

// This module lists the screenshots of pages for admins, moderators and guardians, and of notifications.
// bin/screenshot-list.ts includes them.

const firstRowMenu = createScreenshotOpenMenuStep('main button[popovertarget]')
const secondRowMenu = createScreenshotOpenMenuStep('main tbody tr:nth-child(2) button[popovertarget]')
const askToDelete = async (page: Page) => {
  await firstRowMenu(page)
  await createScreenshotClickStep('.menu:popover-open .danger')(page)
}

export const adminAndNotificationScreenshotDefinitions: readonly ScreenshotDefinition[] = [
  { name: 'admin', path: '/admin/dashboard', who: 'aya' },
  { name: 'admin-delete', path: '/admin/dashboard', who: 'aya', act: askToDelete },
  { name: 'admin-create', path: '/admin/creategroup', who: 'aya' },
  { name: 'admin-chosen', path: '/admin/creategroup', who: 'aya', act: fillGroupFormForScreenshot },
  { name: 'admin-log', path: '/admin-log', who: 'aya' },
  { name: 'report', path: '/report/message/1', who: 'ben' },
  { name: 'notifications', path: '/notifications', who: 'ben' },
  { name: 'unsubscribe', path: '/digest/unsubscribe/1.x', who: 'visitor' },
  { name: 'notification-settings', path: '/account/notifications', who: 'aya' },
  {
    name: 'deliveries',
    path: '/account/deliveries',
    who: 'ben',
    act: reloadDeliveriesPageWithFakeResponses,
  },
  { name: 'guardian', path: '/guardian', who: 'ben', act: reloadGuardianPageWithFakeResponses },
  { name: 'own-reports', path: '/moderation', who: 'ben', act: reloadReportsPageWithFakeResponses },
  {
    name: 'moderation',
    path: '/moderation',
    who: 'aya',
    act: async (page) => {
      await reloadReportsPageWithFakeResponses(page)
      await page.locator('.moderation-item button[aria-expanded]').first().click()
      await page.locator('.moderation-decision').first().waitFor()
    },
  },
  { name: 'admin-new-members', path: '/admin/new-members', who: 'aya', act: createInvitationForScreenshot },
  { name: 'invitations', path: '/invitations', who: 'ben', act: reloadInvitationsPageWithFakeInvitations },
  joinRequestsScreenshotDefinition,
  { name: 'admin-member-list', path: '/admin/new-members/list', who: 'aya' },
  {
    name: 'admin-member-preview',
    path: '/admin/new-members/list',
    who: 'aya',
    act: showNewMemberListPreviewForScreenshot,
  },
  {
    name: 'admin-member-cards',
    path: '/admin/new-members/list',
    who: 'aya',
    act: createNewMemberLogInCardsForScreenshot,
  },
  { name: 'admin-health', path: '/admin/health', who: 'aya', act: reloadHealthPageWithFakeDeliveryHealth },
  { name: 'admin-settings', path: '/admin/settings', who: 'aya' },
  { name: 'admin-users', path: '/admin/users', who: 'aya' },
  { name: 'admin-user-menu', path: '/admin/users', who: 'aya', act: secondRowMenu },
]
