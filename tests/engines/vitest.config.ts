import { defineConfig } from 'vitest/config'
import '../temporary-folder.ts'

/**
 * The Vitest configuration for the tests that run in each browser engine. tests/run/run.ts runs these tests
 * separately.
 */
export default defineConfig({
  test: {
    environment: 'node',
    root: `${import.meta.dirname}/../..`,
    include: ['tests/engines/*.test.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
