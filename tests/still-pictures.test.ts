import { expect, test } from 'vitest'
import { becomesStill } from '#web/ui/still-pictures.ts'

const chunk = (type: string, length = 8) => {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(length)
  return Buffer.concat([size, Buffer.from(type), Buffer.alloc(length + 4)])
}
const png = (...chunks: Buffer[]) =>
  new Blob([Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', 13), ...chunks])])
const box = (brand: string) => new Blob([`\0\0\0\x1cftyp${brand}\0\0\0\0avifmif1`])

test('an APNG becomes still, wherever its control chunk stands before the first frame', async () => {
  expect(await becomesStill(png(chunk('acTL'), chunk('IDAT')))).toBe(true)
  expect(await becomesStill(png(chunk('iCCP', 70_000), chunk('acTL'), chunk('IDAT')))).toBe(true)
})

test('a sequence in AVIF becomes still', async () => {
  expect(await becomesStill(box('avis'))).toBe(true)
  expect(await becomesStill(box('avif'))).toBe(false)
})

test('other pictures do not, and broken ones end the search', async () => {
  for (const file of [
    png(chunk('IDAT'), chunk('acTL')),
    png(),
    png(chunk('tEXt', 300_000), chunk('acTL')),
    new Blob([Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(40, 255)])]),
    new Blob(['GIF89a']),
    new Blob([]),
  ])
    expect(await becomesStill(file)).toBe(false)
})
