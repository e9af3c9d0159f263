import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['features/**/*.test.ts', 'core/**/*.test.ts', 'demo/*.test.ts', 'tests/*.test.ts'],
    globalSetup: 'tests/global.ts',
    pool: 'forks',
    // Vitest's own default leaves a core free, which on two halves the speed.
    maxWorkers: Math.max(2, availableParallelism()),
    // Patience for a busy machine; nothing waits longer than it has to.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A complete run is not thrown away for one test that a busy machine kept waiting; the report names it.
    retry: process.env.CI || process.env.TEST_COMPLETE ? 1 : 0,
    allowOnly: !process.env.CI && !process.env.TEST_COMPLETE,
  },
})
