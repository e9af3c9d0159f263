import type { Page } from '@playwright/test'

export type ScreenshotUserName = 'visitor' | 'ben' | 'aya' | 'newcomer'
export interface ScreenshotDefinition {
  name: string
  path: string
  who: ScreenshotUserName
  /** Does something on the page before the screenshot is taken, for example opens a menu. */
  act?: (page: Page) => Promise<unknown>
  /** The minimum width of the window in CSS pixels: narrower variants of the screenshot are not taken. */
  from?: number
  /** The maximum width of the window in CSS pixels: wider variants of the screenshot are not taken. */
  to?: number
  /**
   * Present if the page ends the log-in session of its user. The screenshot is then taken in a session of its
   * own.
   */
  ends?: true
}

/** Returns a Playwright step that clicks the first element that matches a selector. */
export const clickStep = (selector: string) => (page: Page) => page.locator(selector).first().click()
/**
 * Returns a Playwright step that clicks the first element that matches a selector, and waits for the menu
 * that the click opens.
 */
export const menuStep = (selector: string) => async (page: Page) => {
  await clickStep(selector)(page)
  await page.locator('.menu:popover-open').waitFor()
}
