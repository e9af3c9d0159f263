import {
  reloadGroupPageWithFakeSlowMode,
  reloadPageWithFakeGroupCreationByMembers,
} from '#tests/page-answers.ts'
import type { ScreenshotDefinition } from './screenshot-list.ts'

/**
 * The screenshots of the groups of a community in which members may create groups, and of slow mode in the
 * group at `path`.
 */
export const createMemberGroupAndSlowModeScreenshots = (path: string): ScreenshotDefinition[] => [
  {
    name: 'my-groups-members',
    path: '/my-groups',
    who: 'ben',
    act: reloadPageWithFakeGroupCreationByMembers,
  },
  {
    name: 'my-groups-new',
    path: '/my-groups/new',
    who: 'ben',
    act: reloadPageWithFakeGroupCreationByMembers,
  },
  { name: 'group-slow-mode', path, who: 'ben', act: reloadGroupPageWithFakeSlowMode },
  {
    name: 'group-slow-mode-dialog',
    path,
    who: 'aya',
    async act(page) {
      await page.locator('.conversation .actions button[popovertarget]').first().click()
      await page.locator('.conversation .menu:popover-open button').nth(3).click()
      await page.locator('dialog:modal input[type=radio]').first().waitFor()
    },
  },
]
