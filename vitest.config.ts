import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['features/**/*.test.ts', 'core/**/*.test.ts', 'tests/*.test.ts'],
    globalSetup: 'tests/global.ts',
    pool: 'forks',
    // Vitest's own default leaves a core free, which on two halves the speed.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 20_000,
    hookTimeout: 20_000,
    allowOnly: !process.env.CI && !process.env.TEST_COMPLETE,
  },
})
