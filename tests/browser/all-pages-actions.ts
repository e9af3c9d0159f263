import type { Locator, Page, Route } from '@playwright/test'
import type { ViewerName } from './all-pages-community.ts'
import { createPictureFile, expect } from './fixture.ts'

export interface PageTestCase {
  name: string
  path: string
  who: ViewerName
  /**
   * Which fake responses the page gets (none, errors, or empty lists). Its initial data is then removed too.
   * If absent, the server responds.
   */
  answers?: 'held' | 'failed' | 'empty'
  act?: (page: Page) => Promise<unknown>
  /**
   * The only window width in which this test case can run, for example because the other one has no such
   * menu.
   */
  only?: 390 | 1440
}

/** Clicks the first element that the selector finds. Waits for the menu or dialog that it opens. */
export const createOpenPopupStep = (selector: string) => async (page: Page) => {
  await page.locator(selector).first().click()
  await expect(page.locator('.menu:popover-open, dialog:modal').first()).toBeVisible()
}
/** Scrolls the first element that the selector finds to the middle of the window. */
export const createScrollToCentreStep = (selector: string) => async (page: Page) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => element.scrollIntoView({ block: 'center' }))

/** Runs the steps one after another. */
export const combineSteps =
  (...steps: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const step of steps) await step(page)
  }
export const submitForm = (page: Page) => page.locator('main form button[type=submit]').click()
/** Selects a test picture in the first file input of the page. */
export const pickPictureFile = async (page: Page) =>
  page
    .locator('main input[type=file]')
    .first()
    .setInputFiles([await createPictureFile('river')])
/** Clicks the first menu button inside an element of the page. */
export const createOpenMenuStep = (place: string) => createOpenPopupStep(`${place} button[popovertarget]`)
/** Clicks an item of the open menu. Waits for the dialog that it opens. */
export const createOpenMenuItemDialogStep = (item: string) => async (page: Page) => {
  await page.locator(`.menu:popover-open ${item}`).click()
  await expect(page.locator('dialog:modal')).toBeVisible()
}
/** Opens the menu of the last message that has one. Uses the keyboard. */
export const openNewestMessageMenu = async (page: Page) => {
  const more = page.locator('.message > .actions > button[popovertarget]').last()
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('.menu:popover-open')).toBeVisible()
}

export const respondWith500 = (route: Route) =>
  route.fulfill({ status: 500, json: { message: 'Server Error' } })
export const locateInvalidFields = (page: Page): Locator => page.locator('[aria-invalid=true]')
