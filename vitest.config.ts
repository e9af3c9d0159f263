import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ShuffledFiles } from './tests/shuffled-files.ts'
import './tests/temporary-folder.ts'

const include = ['features/**/*.test.ts', 'core/**/*.test.ts', 'demo/*.test.ts', 'tests/*.test.ts']
/** The files that replace modules need processes of their own. */
const isolated = globSync(include).filter((file) =>
  /vi\.mock\(|real-password-hashes/.test(readFileSync(file, 'utf8')),
)

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: 'tests/global-setup.ts',
    setupFiles: ['tests/cheap-password-hashes.ts', 'tests/stop-servers.ts'],
    pool: 'forks',
    sequence: { sequencer: ShuffledFiles, shuffle: { files: true, tests: true } },
    // Uses all cores. By default Vitest leaves one core free, which halves the speed on two cores.
    maxWorkers: Math.max(2, availableParallelism()),
    // The timeouts are long, because the machine may be busy. A test waits no longer than necessary.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    allowOnly: !process.env.CI,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include,
          exclude: isolated,
          // The files that run in one process share its modules, so that the app is loaded once.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
    ],
  },
})
