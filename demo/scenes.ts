import { createSeededRandom } from './random.ts'
import { countryScenes } from './scenes/country.ts'
import { foodScenes } from './scenes/food.ts'
import { hallScenes } from './scenes/hall.ts'
import { hillsideScenes } from './scenes/hillside.ts'
import { homeScenes } from './scenes/home.ts'
import { outdoorScenes } from './scenes/outdoors.ts'
import { potteryScenes } from './scenes/pottery.ts'
import { streetScenes } from './scenes/street.ts'
import { waterScenes } from './scenes/water.ts'
import { workScenes } from './scenes/work.ts'
import { chooseSeasonAndLight, createSvgDocument, type DemoScene } from './svg.ts'

const all = {
  ...waterScenes,
  ...countryScenes,
  ...hillsideScenes,
  ...outdoorScenes,
  ...streetScenes,
  ...hallScenes,
  ...foodScenes,
  ...potteryScenes,
  ...homeScenes,
  ...workScenes,
}
export type SceneName = keyof typeof all
export const scenesByName: Readonly<Record<SceneName, DemoScene>> = all

/**
 * Returns the SVG document of a scene. `seed % 4` chooses the season (0 is autumn), and `seed` also chooses
 * the light and random positions.
 */
export function drawScene(scene: SceneName, seed: number) {
  const { width, height, draw } = scenesByName[scene]
  return createSvgDocument(
    width,
    height,
    draw(createSeededRandom(`${scene} ${seed}`), chooseSeasonAndLight(seed)),
  )
}
