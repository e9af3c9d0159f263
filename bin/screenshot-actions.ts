import type { Page } from '@playwright/test'

export type ScreenshotUser = 'visitor' | 'ben' | 'aya' | 'newcomer'
export interface ScreenshotDefinition {
  name: string
  path: string
  who: ScreenshotUser
  /** Changes the page before the screenshot, for example opens a menu. */
  act?: (page: Page) => Promise<unknown>
  /** The screenshot is not taken at widths below this, in CSS pixels. */
  from?: number
  /** The screenshot is not taken at widths above this, in CSS pixels. */
  to?: number
  /** The page ends the session, so the screenshot gets a session of its own. */
  ends?: true
}

/** Returns a step that clicks the first element of a selector. */
export const createScreenshotClickStep = (selector: string) => (page: Page) =>
  page.locator(selector).first().click()
/** Returns a step that clicks a button, and waits for the menu that the click opens. */
export const createScreenshotOpenMenuStep = (selector: string) => async (page: Page) => {
  await createScreenshotClickStep(selector)(page)
  await page.locator('.menu:popover-open').waitFor()
}
