import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { groupChats, privateChats } from './chats.ts'
import { demoMembers } from './members.ts'
import { demoPicturesFolder, portraitFileName, sceneFileName } from './pictures.ts'
import { portraitSvg } from './portraits.ts'
import { demoPosts } from './posts.ts'
import { sceneDefinitions, sceneSvg } from './scenes.ts'
import { createSvgDocument, type DemoSceneDefinition } from './svg.ts'

/**
 * The maximum widths of the rendered pictures in pixels, by their format. A post shows pictures 634 CSS
 * pixels wide, and crops panoramas, so panoramas are wider. Larger pictures look no better on most screens,
 * and slow down each start of the demo, which resizes all pictures.
 */
const WIDTH = { panorama: 1280, landscape: 960, square: 800, portrait: 720, face: 256 }
const MAX_HEIGHT = 1280
const QUALITY = 75

function widthOf({ width, height }: DemoSceneDefinition) {
  if (width > 2 * height) return WIDTH.panorama
  if (width > height) return WIDTH.landscape
  return width === height ? WIDTH.square : WIDTH.portrait
}

interface Drawing {
  svg: string
  maxWidth: number
}

/** Returns the SVG drawings of all pictures that the demo shows, by the name of the file to render. */
export function drawAll() {
  const messages = [...privateChats, ...groupChats].flatMap((chat) => chat.messages)
  const all = new Map<string, Drawing>()
  for (const { face } of demoMembers)
    if (face)
      all.set(portraitFileName(face), {
        svg: createSvgDocument(512, 512, portraitSvg(face)),
        maxWidth: WIDTH.face,
      })
  for (const { pictures } of [...demoPosts, ...messages])
    for (const picture of pictures) {
      const { scene, seed } = picture
      all.set(sceneFileName(picture), {
        svg: sceneSvg(scene, seed),
        maxWidth: widthOf(sceneDefinitions[scene]),
      })
    }
  return all
}

/**
 * Returns a hash of an SVG drawing and of the settings with which it is rendered. The rendered file is not
 * hashed, because its bytes depend on the version of libvips.
 */
export const hashDrawing = ({ svg, maxWidth }: Drawing) =>
  createHash('sha256').update(`${maxWidth} ${MAX_HEIGHT} ${QUALITY} ${svg}`).digest('hex').slice(0, 16)

const manifestFile = join(demoPicturesFolder, 'manifest.json')
/**
 * Returns the content of manifest.json: for the name of each picture file, the hash of the drawing from which
 * it was rendered.
 */
export const readHashes = (): Record<string, string> =>
  existsSync(manifestFile) ? JSON.parse(readFileSync(manifestFile, 'utf8')) : {}

async function render(name: string, { svg, maxWidth }: Drawing) {
  await sharp(Buffer.from(svg))
    .flatten()
    .resize({ width: maxWidth, height: MAX_HEIGHT, fit: 'inside' })
    .webp({ quality: QUALITY, effort: 6 })
    .toFile(join(demoPicturesFolder, name))
}

/**
 * Renders the picture files whose drawings are new or have changed, and removes the files whose drawings no
 * longer exist.
 */
async function renderAll() {
  mkdirSync(demoPicturesFolder, { recursive: true })
  const before = readHashes()
  const wanted = drawAll()
  for (const name of readdirSync(demoPicturesFolder))
    if (name.endsWith('.webp') && !wanted.has(name)) rmSync(join(demoPicturesFolder, name))
  const manifest: Record<string, string> = {}
  let rendered = 0
  for (const name of [...wanted.keys()].sort()) {
    const drawing = wanted.get(name)!
    manifest[name] = hashDrawing(drawing)
    if (manifest[name] === before[name] && existsSync(join(demoPicturesFolder, name))) continue
    await render(name, drawing)
    rendered++
  }
  writeFileSync(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`)
  console.log(`${wanted.size} pictures, of which ${rendered} were rendered.`)
}

if (import.meta.main) await renderAll()
