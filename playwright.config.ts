import { defineConfig } from '@playwright/test'
import { chromiumArgs, findChromium } from './tests/services.ts'

const chromium = findChromium()

export default defineConfig({
  testDir: 'tests/browser',
  outputDir: 'test-results',
  workers: 2,
  retries: 0,
  // Patience for a busy machine; nothing waits longer than it has to.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI || process.env.TEST_COMPLETE),
  use: {
    browserName: 'chromium',
    launchOptions: { args: chromiumArgs, ...(chromium && { executablePath: chromium }) },
    locale: 'en-GB',
    timezoneId: 'Asia/Tokyo',
    trace: 'retain-on-failure',
  },
})
