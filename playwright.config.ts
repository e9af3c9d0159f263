import { defineConfig } from '@playwright/test'
import '#tests/temporary-folder.ts'
import { chromiumArguments, findChromium } from '#tests/programs.ts'

const chromium = findChromium()
// Fewer processes and threads, because two tests at a time use the cores already.
const args = [...chromiumArguments, '--in-process-gpu', '--js-flags=--single-threaded']

export default defineConfig({
  testDir: 'tests/browser',
  outputDir: 'test-results',
  workers: 2,
  // CI tries a failed test once more, and names it as flaky.
  retries: process.env.CI ? 1 : 0,
  // The timeouts are long, because the machine may be busy. A test waits no longer than necessary.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI || process.env.TEST_COMPLETE),
  use: {
    browserName: 'chromium',
    launchOptions: { args, ...(chromium && { executablePath: chromium }) },
    locale: 'en-GB',
    timezoneId: 'Asia/Tokyo',
    // Without service workers, each page of a test loads less, and `page.route` sees all requests. Only the
    // tests of the service worker allow them.
    serviceWorkers: 'block',
    // A trace takes about as much time as the test. To see why a test failed, run it with `--trace on`.
    trace: 'off',
  },
})
