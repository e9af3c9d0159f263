import { defineConfig } from '@playwright/test'
import { chromiumArgs, findChromium } from '#tests/services.ts'

const chromium = findChromium()
const complete = Boolean(process.env.CI || process.env.TEST_COMPLETE)

export default defineConfig({
  testDir: 'tests/browser',
  outputDir: 'test-results',
  workers: 2,
  retries: complete ? 2 : 0,
  // Patience for a busy machine; nothing waits longer than it has to.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: complete,
  use: {
    browserName: 'chromium',
    launchOptions: { args: chromiumArgs, ...(chromium && { executablePath: chromium }) },
    locale: 'en-GB',
    timezoneId: 'Asia/Tokyo',
    // A trace costs about as much as what it records: where a test is tried again, only that is recorded.
    trace: complete ? 'on-first-retry' : 'retain-on-failure',
  },
})
