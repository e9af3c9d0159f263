import { chromium } from '@playwright/test'
import { chromiumArguments, findFullChromiumPath } from '#tests/programs.ts'
import { createTestServerTemporaryFolder } from '#tests/server.ts'

export const fullChromiumPath = findFullChromiumPath()

/** The Playwright options that start the complete Chromium instead of its headless shell. */
export const fullChromiumPlaywrightOptions = {
  launchOptions: { args: chromiumArguments, ...(fullChromiumPath && { executablePath: fullChromiumPath }) },
  serviceWorkers: 'allow',
} as const

/**
 * Opens the complete Chromium with a browser profile of its own, because Chromium installs no sites in the
 * incognito windows that Playwright opens otherwise.
 */
export const openFullChromiumWithOwnProfile = async (baseURL: string) =>
  chromium.launchPersistentContext(await createTestServerTemporaryFolder(), {
    ...fullChromiumPlaywrightOptions.launchOptions,
    serviceWorkers: 'allow',
    baseURL,
  })
