import { chromium } from '@playwright/test'
import { chromiumArguments, findFullChromiumPath } from '#tests/programs.ts'
import { createTestServerTemporaryFolder } from '#tests/server.ts'

export const fullChromiumPath = findFullChromiumPath()

/** The options of Playwright that start the whole browser in place of the headless shell. */
export const fullChromiumPlaywrightOptions = {
  launchOptions: { args: chromiumArguments, ...(fullChromiumPath && { executablePath: fullChromiumPath }) },
  serviceWorkers: 'allow',
} as const

/**
 * Opens the whole browser with a profile of its own, because Chromium installs no sites in the incognito
 * windows that Playwright opens otherwise.
 */
export const openFullChromiumWithOwnProfile = async (baseURL: string) =>
  chromium.launchPersistentContext(await createTestServerTemporaryFolder(), {
    ...fullChromiumPlaywrightOptions.launchOptions,
    serviceWorkers: 'allow',
    baseURL,
  })
