import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { cast } from './cast.ts'
import { groupChats, privateChats } from './chats.ts'
import { type Scene, svgDocument } from './draw.ts'
import { drawFace } from './faces.ts'
import { nameOfFace, nameOfPicture, picturesFolder } from './pictures.ts'
import { posts } from './posts.ts'
import { drawScene, scenes } from './scenes.ts'

/**
 * Pixels. A post is 634 CSS pixels wide and crops a panorama, which so is drawn wider. Larger pictures look
 * no better on most screens and make the start slower: each start resizes them all.
 */
const WIDTH = { panorama: 1280, landscape: 960, square: 800, portrait: 720, face: 256 }
const MAX_HEIGHT = 1280
const QUALITY = 75

function widthOf({ width, height }: Scene) {
  if (width > 2 * height) return WIDTH.panorama
  if (width > height) return WIDTH.landscape
  return width === height ? WIDTH.square : WIDTH.portrait
}

interface Drawing {
  svg: string
  maxWidth: number
}

/** All pictures that the demo shows, by the name of their file. */
export function drawings() {
  const messages = [...privateChats, ...groupChats].flatMap((chat) => chat.messages)
  const all = new Map<string, Drawing>()
  for (const { face } of cast)
    if (face) all.set(nameOfFace(face), { svg: svgDocument(512, 512, drawFace(face)), maxWidth: WIDTH.face })
  for (const { pictures } of [...posts, ...messages])
    for (const picture of pictures) {
      const { scene, seed } = picture
      all.set(nameOfPicture(picture), { svg: drawScene(scene, seed), maxWidth: widthOf(scenes[scene]) })
    }
  return all
}

/**
 * Covers the drawing and the settings, and not the bytes of the file: they depend on the version of libvips.
 */
export const hashOf = ({ svg, maxWidth }: Drawing) =>
  createHash('sha256').update(`${maxWidth} ${MAX_HEIGHT} ${QUALITY} ${svg}`).digest('hex').slice(0, 16)

const manifestFile = join(picturesFolder, 'manifest.json')
/** The hash of the drawing from which each file was rendered. */
export const readManifest = (): Record<string, string> =>
  existsSync(manifestFile) ? JSON.parse(readFileSync(manifestFile, 'utf8')) : {}

async function render(name: string, { svg, maxWidth }: Drawing) {
  await sharp(Buffer.from(svg))
    .flatten()
    .resize({ width: maxWidth, height: MAX_HEIGHT, fit: 'inside' })
    .webp({ quality: QUALITY, effort: 6 })
    .toFile(join(picturesFolder, name))
}

/** Renders the drawings that are new or have changed, and removes the files of those that are gone. */
async function renderAll() {
  mkdirSync(picturesFolder, { recursive: true })
  const before = readManifest()
  const wanted = drawings()
  for (const name of readdirSync(picturesFolder))
    if (name.endsWith('.webp') && !wanted.has(name)) rmSync(join(picturesFolder, name))
  const manifest: Record<string, string> = {}
  let rendered = 0
  for (const name of [...wanted.keys()].sort()) {
    const drawing = wanted.get(name)!
    manifest[name] = hashOf(drawing)
    if (manifest[name] === before[name] && existsSync(join(picturesFolder, name))) continue
    await render(name, drawing)
    rendered++
  }
  writeFileSync(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`)
  console.log(`${wanted.size} pictures, of which ${rendered} were rendered.`)
}

if (import.meta.main) await renderAll()
