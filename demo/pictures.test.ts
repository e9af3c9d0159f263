import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { demoPicturesFolder } from './pictures.ts'
import { drawAll, hashDrawing, readHashes } from './render-pictures.ts'

const wanted = drawAll()

// These tests fail after somebody changes the drawing of a demo picture. `npm run demo:pictures` renders the
// pictures again, and then the tests pass.

test('every picture of the demo was rendered from the current version of its drawing', () => {
  const hashes = [...wanted].map(([name, drawing]) => [name, hashDrawing(drawing)])
  expect(readHashes()).toEqual(Object.fromEntries(hashes))
})

test('the folder holds only these pictures', () => {
  const files = readdirSync(demoPicturesFolder).filter((name) => name !== 'manifest.json')
  expect(files.sort()).toEqual([...wanted.keys()].sort())
})

test('each file is a whole WebP picture of the width that it should have', async () => {
  for (const [name, { maxWidth }] of wanted) {
    const { data, info } = await sharp(join(demoPicturesFolder, name), { failOn: 'error' })
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
  expect(hashDrawing({ ...drawing, svg: `${drawing.svg} ` })).not.toBe(hashDrawing(drawing))
  expect(hashDrawing({ ...drawing, maxWidth: drawing.maxWidth - 1 })).not.toBe(hashDrawing(drawing))
})
