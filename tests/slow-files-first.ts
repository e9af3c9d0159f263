import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The paths of the test files that take minutes, without their extension. Vitest cannot know this from their
 * size, and would run them last.
 */
const slowFiles = ['tests/fuzz-api', 'tests/crashes', 'tests/backup-killed', 'tests/multi-process-failures']

/**
 * Orders the test files of a Vitest run so that the slow ones start first, and at the end of the run no core
 * is idle.
 */
export class SlowTestFilesFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) =>
      slowFiles.some((name) => moduleId.endsWith(`/${name}.test.ts`)) ? 0 : 1
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
