import { createHash } from 'node:crypto'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Orders the test files of a Vitest run at random by its seed. The isolated ones run first, because a process
 * whose next file is isolated ends, and the files after it have to load the app again.
 */
export class ShuffledFiles extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const { seed } = this.ctx.config.sequence
    const key = ({ moduleId, project }: TestSpecification) =>
      `${project.config.isolate ? 0 : 1}${createHash('sha1').update(`${seed}${moduleId}`).digest('hex')}`
    return files.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
  }
}
