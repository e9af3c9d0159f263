import { defineConfig } from 'vitest/config'
import '../temporary-folder.ts'
import { deep } from '../deep.ts'

/**
 * The Vitest configuration for the tests that run in each browser engine. tests/run/run.ts runs these tests
 * separately.
 */
export default defineConfig({
  test: {
    environment: 'node',
    root: `${import.meta.dirname}/../..`,
    include: ['tests/engines/*.test.ts'],
    // Only the nightly job walks in Japanese too.
    exclude: deep ? [] : ['tests/engines/japanese.test.ts'],
    pool: 'forks',
    // CI tries a failed test once more, and names it as flaky.
    retry: process.env.CI ? 1 : 0,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
