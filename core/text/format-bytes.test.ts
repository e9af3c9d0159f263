import { expect, test } from 'vitest'
import { formatBytes } from './format-bytes.ts'

test('a size has the largest unit that fits, and no space in Japanese', () => {
  const sizes = [0, 3, 12_400, 999_700, 2_000_000, 4_120_000_000, 61_000_000_000]
  expect(sizes.map((size) => formatBytes(size, 'en'))).toEqual([
    '0 kB',
    '1 kB',
    '12 kB',
    '1 MB',
    '2 MB',
    '4.1 GB',
    '61 GB',
  ])
  expect(sizes.map((size) => formatBytes(size, 'ja')).slice(2, 6)).toEqual(['12KB', '1MB', '2MB', '4.1GB'])
})
