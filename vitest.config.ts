import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SlowTestFilesFirstSequencer } from './tests/slow-files-first.ts'
import './tests/temporary-folder.ts'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['features/**/*.test.ts', 'core/**/*.test.ts', 'demo/*.test.ts', 'tests/*.test.ts'],
    globalSetup: 'tests/global-setup.ts',
    setupFiles: 'tests/cheap-password-hashes.ts',
    pool: 'forks',
    sequence: { sequencer: SlowTestFilesFirstSequencer },
    // Uses all cores. By default Vitest leaves one core free, which halves the speed on two cores.
    maxWorkers: Math.max(2, availableParallelism()),
    // The timeouts are long, because the machine may be busy. A test waits no longer than necessary.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // In CI and in complete runs, a failed test runs up to two times more, because a busy machine may have
    // delayed it. The report then names it as flaky.
    retry: process.env.CI || process.env.TEST_COMPLETE ? 2 : 0,
    allowOnly: !process.env.CI && !process.env.TEST_COMPLETE,
  },
})
