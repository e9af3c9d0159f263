import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { picturesFolder } from './pictures.ts'
import { drawings, hashOf, readManifest } from './render-pictures.ts'

const wanted = drawings()

// After a change of a drawing, `npm run demo:pictures` makes these tests pass again.

test('every picture that the demo shows was rendered from its drawing as it is now', () => {
  const hashes = [...wanted].map(([name, drawing]) => [name, hashOf(drawing)])
  expect(readManifest()).toEqual(Object.fromEntries(hashes))
})

test('the folder holds these pictures and nothing else', () => {
  const files = readdirSync(picturesFolder).filter((name) => name !== 'manifest.json')
  expect(files.sort()).toEqual([...wanted.keys()].sort())
})

test('each file is a whole WebP picture of the width that it should have', async () => {
  for (const [name, { maxWidth }] of wanted) {
    const { data, info } = await sharp(join(picturesFolder, name), { failOn: 'error' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(data.length, name).toBe(info.width * info.height * info.channels)
    expect(info.width <= maxWidth && Math.max(info.width, info.height) >= Math.min(maxWidth, 720), name).toBe(
      true,
    )
  }
})

test('a hash belongs to one drawing', () => {
  const drawing = [...wanted.values()][0]!
  expect(hashOf({ ...drawing, svg: `${drawing.svg} ` })).not.toBe(hashOf(drawing))
  expect(hashOf({ ...drawing, maxWidth: drawing.maxWidth - 1 })).not.toBe(hashOf(drawing))
})
