import { chromium } from '@playwright/test'
import { createServerTemporaryFolder } from '#tests/server.ts'
import { chromiumArguments, findFullChromium } from '#tests/services.ts'

export const fullChromium = findFullChromium()

/** The options of Playwright that start the whole browser in place of the headless shell. */
export const fullChromiumOptions = {
  launchOptions: { args: chromiumArguments, ...(fullChromium && { executablePath: fullChromium }) },
  serviceWorkers: 'allow',
} as const

/**
 * Opens the whole browser with a profile of its own, because Chromium installs no sites in the incognito
 * windows that Playwright opens otherwise.
 */
export const openBrowserWithProfile = async (baseURL: string) =>
  chromium.launchPersistentContext(await createServerTemporaryFolder(), {
    ...fullChromiumOptions.launchOptions,
    serviceWorkers: 'allow',
    baseURL,
  })
