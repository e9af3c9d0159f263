import type { Locator, Page, Route } from '@playwright/test'
import type { ViewerName } from './all-pages-community.ts'
import { expect, pictureFile } from './fixture.ts'

export interface PageTestCase {
  name: string
  path: string
  who: ViewerName
  /**
   * Says how the page's GET requests to the API are answered in this test case: never (`held`), with the
   * status 500 (`failed`), or with an empty list (`empty`). The initial data is then removed from the HTML
   * too. If this field is absent, the server answers.
   */
  answers?: 'held' | 'failed' | 'empty'
  act?: (page: Page) => Promise<unknown>
  /**
   * The only window width in which this test case can run, for example because its menu exists only in this
   * width.
   */
  only?: 390 | 1440
}

/**
 * Returns a step that clicks the first element that the CSS selector finds, and waits for the menu or dialog
 * that the click opens.
 */
export const opens = (selector: string) => async (page: Page) => {
  await page.locator(selector).first().click()
  await expect(page.locator('.menu:popover-open, dialog:modal').first()).toBeVisible()
}
/** Returns a step that scrolls the first element that the CSS selector finds to the middle of the window. */
export const scrollsTo = (selector: string) => async (page: Page) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => element.scrollIntoView({ block: 'center' }))

/** Returns a step that runs the given steps one after another. */
export const steps =
  (...steps: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const step of steps) await step(page)
  }
export const submitForm = (page: Page) => page.locator('main form button[type=submit]').click()
/** Selects a test picture in the first file input of the page's main part. */
export const pickPicture = async (page: Page) =>
  page
    .locator('main input[type=file]')
    .first()
    .setInputFiles([await pictureFile('river')])
/**
 * Returns a step that clicks the first menu button inside the element that the CSS selector `place` finds,
 * and waits for the menu.
 */
export const opensMenu = (place: string) => opens(`${place} button[popovertarget]`)
/**
 * Returns a step that clicks the item of the open menu that the CSS selector `item` finds, and waits for the
 * dialog that the click opens.
 */
export const opensFromMenu = (item: string) => async (page: Page) => {
  await page.locator(`.menu:popover-open ${item}`).click()
  await expect(page.locator('dialog:modal')).toBeVisible()
}
/** Opens the menu of the last message on the page with the keyboard. Messages without a menu do not count. */
export const openNewestMenu = (page: Page) => openLastMenuOf(page, '.message')
/**
 * Opens the menu of the last message on the page that has reactions, with the keyboard. Messages that other
 * test cases have sent may follow this message.
 */
export const openReactedMenu = (page: Page) => openLastMenuOf(page, '.message:has(> .reactions)')
async function openLastMenuOf(page: Page, message: string) {
  const more = page.locator(`${message} > .actions > button[popovertarget]`).last()
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('.menu:popover-open')).toBeVisible()
}

export const answer500 = (route: Route) => route.fulfill({ status: 500, json: { message: 'Server Error' } })
export const invalidFields = (page: Page): Locator => page.locator('[aria-invalid=true]')
