import { chromium } from '@playwright/test'
import { chromiumArguments, findFullChromium } from '#tests/programs.ts'
import { serverFolder } from '#tests/server.ts'

export const chromiumPath = findFullChromium()

/** The Playwright options that start the complete Chromium instead of its headless shell. */
export const chromiumOptions = {
  launchOptions: { args: chromiumArguments, ...(chromiumPath && { executablePath: chromiumPath }) },
  serviceWorkers: 'allow',
} as const

/**
 * Opens the complete Chromium with a browser profile of its own, because Chromium installs no sites in the
 * incognito windows that Playwright opens otherwise.
 */
export const openChromium = async (baseURL: string) =>
  chromium.launchPersistentContext(await serverFolder(), {
    ...chromiumOptions.launchOptions,
    serviceWorkers: 'allow',
    baseURL,
  })
