import { defineConfig } from 'vitest/config'

/** Runs the same tests in each browser engine. They are a separate part in tests/run.ts. */
export default defineConfig({
  test: {
    environment: 'node',
    root: `${import.meta.dirname}/../..`,
    include: ['tests/engines/*.test.ts'],
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: process.env.CI || process.env.TEST_COMPLETE ? 1 : 0,
  },
})
