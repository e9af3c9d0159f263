import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ShuffledFiles } from './tests/shuffled-files.ts'
import './tests/temporary-folder.ts'

const include = ['features/**/*.test.ts', 'core/**/*.test.ts', 'demo/*.test.ts', 'tests/*.test.ts']
/** The files that replace modules, or import code of the browser, need Vite and processes of their own. */
const isolated = globSync(include).filter((file) =>
  /vi\.(do)?[mM]ock\(|real-password-hashes|'(#|\.\.\/)([^'\n]*\/)?web\/[^'\n]+\.tsx?'/.test(
    readFileSync(file, 'utf8'),
  ),
)

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: 'tests/global-setup.ts',
    setupFiles: ['tests/cheap-password-hashes.ts', 'tests/stop-servers.ts'],
    pool: 'forks',
    // A larger space for young objects: the collector of garbage takes half of the time.
    execArgv: ['--max-semi-space-size=64'],
    sequence: { sequencer: ShuffledFiles, shuffle: { files: true, tests: true } },
    // Two for each core, because tests wait for databases and processes about half of the time.
    maxWorkers: 2 * availableParallelism(),
    // The timeouts are long, because the machine may be busy. A test waits no longer than necessary.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // CI tries a failed test once more, and names it as flaky.
    retry: process.env.CI ? 1 : 0,
    allowOnly: !process.env.CI && !process.env.TEST_COMPLETE,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include,
          exclude: isolated,
          // The files that run in one process share its modules, so that the app is loaded once. Node loads
          // them itself, because Vite's loader makes each use of an import slower.
          isolate: false,
          experimental: { viteModuleRunner: false },
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
    ],
  },
})
