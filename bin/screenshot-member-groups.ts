import type { Page } from '@playwright/test'
import { fakeGroupCreation, fakeGroupDetails, fakePins, fakeSlowMode } from '#tests/page-answers.ts'
import type { ScreenshotDefinition } from './screenshot-actions.ts'

/**
 * Returns the definitions of the screenshots of groups: the pages with which members create a group, and slow
 * mode, description, picture, hand-over, “Seen by”, pinned messages and forwarding in the group at `path`.
 */
export const groupShots = (path: string): ScreenshotDefinition[] => [
  {
    name: 'my-groups-members',
    path: '/my-groups',
    who: 'ben',
    act: fakeGroupCreation,
  },
  {
    name: 'my-groups-new',
    path: '/my-groups/new',
    who: 'ben',
    act: fakeGroupCreation,
  },
  { name: 'group-slow-mode', path, who: 'ben', act: fakeSlowMode },
  {
    name: 'group-slow-mode-dialog',
    path,
    who: 'aya',
    act: createOpenGroupDialogStep(7, 'input[type=radio]'),
  },
  {
    name: 'group-description-dialog',
    path,
    who: 'aya',
    act: createOpenGroupDialogStep(4, 'textarea'),
  },
  { name: 'group-picture', path, who: 'aya', act: fakeGroupDetails },
  {
    name: 'group-picture-members',
    path,
    who: 'aya',
    async act(page) {
      await fakeGroupDetails(page)
      await createOpenGroupDialogStep(0, '.row')(page)
    },
  },
  { name: 'group-picture-dialog', path, who: 'aya', act: createOpenGroupDialogStep(5, '.avatar') },
  { name: 'group-hand-over-dialog', path, who: 'aya', act: createOpenGroupDialogStep(6, '.row .button') },
  { name: 'group-seen-by', path, who: 'aya', act: openSeenByDialog },
  { name: 'group-pins', path, who: 'ben', act: fakePins },
  {
    name: 'group-pins-dialog',
    path,
    who: 'aya',
    async act(page) {
      await fakePins(page)
      await page.locator('.pinned-bar .button').click()
      await page.locator('dialog:modal .row').first().waitFor()
    },
  },
  { name: 'group-forward', path, who: 'aya', act: openForwardDialog },
]

/**
 * Returns a Playwright step that clicks the entry with the index `item` in the menu of a group, and waits
 * until the dialog that opens contains an element that matches `awaited`.
 */
const createOpenGroupDialogStep = (item: number, awaited: string) => async (page: Page) => {
  await page.locator('.conversation .actions button[popovertarget]').first().click()
  await page.locator('.conversation .menu:popover-open button').nth(item).click()
  await page.locator(`dialog:modal ${awaited}`).first().waitFor()
}

/** Opens the dialog with the members who have seen the last message of a group. */
const openSeenByDialog = (page: Page) => openDialogOfLastMessage(page, /Seen by|既読の人を見る/)

/** Opens the dialog that forwards the last message of a group, and chooses two chats in it. */
async function openForwardDialog(page: Page) {
  await openDialogOfLastMessage(page, /Forward|転送/)
  for (const index of [0, 2]) await page.locator('dialog:modal input[type=checkbox]').nth(index).check()
}

async function openDialogOfLastMessage(page: Page, name: RegExp) {
  const last = page.locator('.message').last()
  await last.hover()
  await last.locator('button[popovertarget]').click()
  await page.locator('.menu:popover-open').getByRole('button', { name }).click()
  await page.locator('dialog:modal .row').first().waitFor()
}

/** The definitions of the screenshots of pages without content, as a new member sees them. */
export const newcomerShots: readonly ScreenshotDefinition[] = [
  { name: 'newcomer', path: '/', who: 'newcomer' },
  { name: 'newcomer-following', path: '/followingpostlist', who: 'newcomer' },
  { name: 'newcomer-dashboard', path: '/dashboard', who: 'newcomer' },
  { name: 'newcomer-users', path: '/users', who: 'newcomer' },
  { name: 'newcomer-groups', path: '/my-groups', who: 'newcomer' },
]
