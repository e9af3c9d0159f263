import { type Scene, svgDocument, weather } from './draw.ts'
import { createRandom } from './random.ts'
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

const all = {
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
export type SceneName = keyof typeof all
export const scenes: Readonly<Record<SceneName, Scene>> = all

/** The SVG of a scene. `seed % 4` is the season (0 is autumn); the rest chooses the light and positions. */
export function drawScene(scene: SceneName, seed: number) {
  const { width, height, draw } = scenes[scene]
  return svgDocument(width, height, draw(createRandom(`${scene} ${seed}`), weather(seed)))
}
