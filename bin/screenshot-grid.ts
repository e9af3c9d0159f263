import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { type ScreenshotVariant, viewportHeights } from './screenshot-browser.ts'
import { screenshotDefinitions } from './screenshot-list.ts'

export const screenshotsFolder = join(import.meta.dirname, '../shots')
export const variantName = (name: string, { width, theme, lang }: ScreenshotVariant) =>
  `${name}-${width}-${theme}-${lang}`

const CELL = { 390: 260, 820: 400, 1440: 480 }
const COLUMNS = { 390: 9, 820: 6, 1440: 5 }
const LABEL = 22
const GAP = 10

/**
 * Writes one image file that shows all screenshots of a variant in a grid, with the names of the screenshots.
 */
export async function writeScreenshotGrid(look: ScreenshotVariant) {
  const there = new Set(readdirSync(screenshotsFolder))
  const names = screenshotDefinitions
    .map(({ name }) => name)
    .filter((name) => there.has(`${variantName(name, look)}.png`))
  const width = CELL[look.width]
  const height = Math.round((width * viewportHeights[look.width]) / look.width)
  const columns = Math.min(COLUMNS[look.width], names.length)
  const rows = Math.ceil(names.length / columns)
  const cells = await Promise.all(
    names.map(async (name, i) => {
      const left = GAP + (i % columns) * (width + GAP)
      const top = GAP + Math.floor(i / columns) * (height + LABEL + GAP)
      const label = Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${LABEL}"><text x="2" y="15" font-family="sans-serif" font-size="13" fill="#222">${name}</text></svg>`,
      )
      const shown = await sharp(join(screenshotsFolder, `${variantName(name, look)}.png`))
        .resize(width, height, { fit: 'cover', position: 'top' })
        .png()
        .toBuffer()
      return [
        { input: label, left, top },
        { input: shown, left, top: top + LABEL },
      ]
    }),
  )
  const size = { width: GAP + columns * (width + GAP), height: GAP + rows * (height + LABEL + GAP) }
  await sharp({ create: { ...size, channels: 3, background: '#b9b9b9' } })
    .composite(cells.flat())
    .webp({ quality: 82 })
    .toFile(join(screenshotsFolder, `${variantName('sheet', look)}.webp`))
}
