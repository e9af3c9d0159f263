import { expect, test } from 'vitest'
import { judgeFreeSpace, readFreeSpace } from './free-space.ts'

const GB = 1e9

test.each([
  [100 * GB, 10 * GB, 'enough'],
  [100 * GB, 10 * GB - 1, 'low'],
  [100 * GB, 5 * GB, 'low'],
  [100 * GB, 5 * GB - 1, 'none'],
  [10 * GB, 4 * GB, 'enough'],
  [10 * GB, 4 * GB - 1, 'low'],
  [10 * GB, 2 * GB - 1, 'none'],
])('of %d bytes, %d that are free are %s', (total, free, level) => {
  expect(judgeFreeSpace({ free, total }, { MIN_FREE_MB: 2000 })).toEqual({ free, total, level })
})

test('reads the disk of a folder, and throws for a folder that does not exist', async () => {
  const { free, total } = await readFreeSpace({ DATA_DIR: '/', MIN_FREE_MB: 2000 })
  expect(total).toBeGreaterThan(free)
  await expect(readFreeSpace({ DATA_DIR: '/does/not/exist', MIN_FREE_MB: 0 })).rejects.toThrow(/ENOENT/)
})
