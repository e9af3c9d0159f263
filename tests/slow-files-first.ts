import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The test files that take minutes. Vitest cannot know this from their size, and would run them last. */
const slowFiles = ['tests/fuzz-api', 'tests/crashes', 'tests/backup-killed', 'tests/multi-process-failures']

/** Starts the slow test files first, so that at the end of a run no core is idle. */
export class SlowTestFilesFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) =>
      slowFiles.some((name) => moduleId.endsWith(`/${name}.test.ts`)) ? 0 : 1
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
