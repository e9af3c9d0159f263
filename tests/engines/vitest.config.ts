import { defineConfig } from 'vitest/config'

/** The engines' walks. They need browsers, so they are a part of their own in tests/run.ts. */
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
