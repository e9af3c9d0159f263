import { defineConfig } from '@playwright/test'
import { chromiumArguments, findChromium } from '#tests/services.ts'

const chromium = findChromium()
const complete = Boolean(process.env.CI || process.env.TEST_COMPLETE)

export default defineConfig({
  testDir: 'tests/browser',
  outputDir: 'test-results',
  workers: 2,
  retries: complete ? 2 : 0,
  // Long timeouts for a busy machine; a test waits no longer than necessary.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: complete,
  use: {
    browserName: 'chromium',
    launchOptions: { args: chromiumArguments, ...(chromium && { executablePath: chromium }) },
    locale: 'en-GB',
    timezoneId: 'Asia/Tokyo',
    // Recording a trace costs about as much time as the test, so in complete runs only the first retry
    // records one.
    trace: complete ? 'on-first-retry' : 'retain-on-failure',
  },
})
