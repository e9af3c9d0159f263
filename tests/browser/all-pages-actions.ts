import type { Locator, Page, Route } from '@playwright/test'
import type { ViewerName } from './all-pages-community.ts'
import { createPictureFile, expect } from './fixture.ts'

export interface PageTestCase {
  name: string
  path: string
  who: ViewerName
  /** How the page’s requests are answered; the page then gets no initial data. Absent: by the server. */
  answers?: 'held' | 'failed' | 'empty'
  act?: (page: Page) => Promise<unknown>
  /** The only width at which this state exists. */
  only?: 390 | 1440
}

/** Presses the first element and waits for its menu or dialog. */
export const clickToOpenPopup = (selector: string) => async (page: Page) => {
  await page.locator(selector).first().click()
  await expect(page.locator('.menu:popover-open, dialog:modal').first()).toBeVisible()
}
/** Scrolls the page so that the first element is in the middle of the window. */
export const scrollToCentre = (selector: string) => async (page: Page) =>
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
/** Sends the form of the page. */
export const submitForm = (page: Page) => page.locator('main form button[type=submit]').click()
/** Chooses a picture in the first file field. */
export const pickPictureFile = async (page: Page) =>
  page
    .locator('main input[type=file]')
    .first()
    .setInputFiles([await createPictureFile('river')])
/** Opens the first menu of a part of the page. */
export const openMenuIn = (place: string) => clickToOpenPopup(`${place} button[popovertarget]`)
/** Presses an entry of the open menu and waits for its dialog. */
export const openMenuItemDialog = (item: string) => async (page: Page) => {
  await page.locator(`.menu:popover-open ${item}`).click()
  await expect(page.locator('dialog:modal')).toBeVisible()
}
/** Opens the menu of the member's newest message. */
export const openNewestMessageMenu = async (page: Page) => {
  const more = page.locator('.message > .actions > button[popovertarget]').last()
  await more.focus()
  await page.keyboard.press('Enter')
  await expect(page.locator('.menu:popover-open')).toBeVisible()
}

/** Answers a request with an error of the server. */
export const respondWith500 = (route: Route) =>
  route.fulfill({ status: 500, json: { message: 'Server Error' } })
/** The fields that are marked as invalid. */
export const getInvalidFields = (page: Page): Locator => page.locator('[aria-invalid=true]')
