import { defineConfig } from '@playwright/test'
import { findChromium } from './tests/services.ts'

const chromium = findChromium()

// What a root container without a display or a network needs.
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

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
    launchOptions: { args, ...(chromium && { executablePath: chromium }) },
    locale: 'en-GB',
    timezoneId: 'Asia/Tokyo',
    trace: 'retain-on-failure',
  },
})
