import sharp from 'sharp'
import { dice } from './dice.ts'
import { type Scene, sheet, weather } from './draw.ts'
import { drawFace } from './faces.ts'
import { country } from './scenes/country.ts'
import { food } from './scenes/food.ts'
import { hall } from './scenes/hall.ts'
import { heights } from './scenes/heights.ts'
import { home } from './scenes/home.ts'
import { outdoors } from './scenes/outdoors.ts'
import { pots } from './scenes/pots.ts'
import { street } from './scenes/street.ts'
import { water } from './scenes/water.ts'
import { work } from './scenes/work.ts'

const drawn = {
  ...water,
  ...country,
  ...heights,
  ...outdoors,
  ...street,
  ...hall,
  ...food,
  ...pots,
  ...home,
  ...work,
}
export type SceneName = keyof typeof drawn
export const scenes: Readonly<Record<SceneName, Scene>> = drawn

/** A JPEG of the scene. `seed % 4` is the season, from autumn on; the rest of it is the light and where things lie. */
export async function picture(scene: SceneName, seed = 0): Promise<Buffer> {
  const { width, height, draw } = scenes[scene]
  return jpeg(sheet(width, height, draw(dice(`${scene} ${seed}`), weather(seed))))
}

/** A JPEG of somebody's face, 512 × 512; a key nobody knows gives a face all the same. */
export const face = (key: string): Promise<Buffer> => jpeg(sheet(512, 512, drawFace(key)))

const jpeg = (svg: string) =>
  sharp(Buffer.from(svg)).flatten().jpeg({ quality: 86, chromaSubsampling: '4:4:4' }).toBuffer()
