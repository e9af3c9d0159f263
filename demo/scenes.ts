import { createSeededRandom } from './random.ts'
import { countryScenes } from './scenes/country.ts'
import { foodScenes } from './scenes/food.ts'
import { hallScenes } from './scenes/hall.ts'
import { heightScenes } from './scenes/heights.ts'
import { homeScenes } from './scenes/home.ts'
import { outdoorScenes } from './scenes/outdoors.ts'
import { potteryScenes } from './scenes/pots.ts'
import { streetScenes } from './scenes/street.ts'
import { waterScenes } from './scenes/water.ts'
import { workScenes } from './scenes/work.ts'
import { chooseWeather, createSvgDocument, type Scene } from './svg.ts'

const all = {
  ...waterScenes,
  ...countryScenes,
  ...heightScenes,
  ...outdoorScenes,
  ...streetScenes,
  ...hallScenes,
  ...foodScenes,
  ...potteryScenes,
  ...homeScenes,
  ...workScenes,
}
export type SceneName = keyof typeof all
export const scenesByName: Readonly<Record<SceneName, Scene>> = all

/**
 * Returns the SVG document of a scene. `seed % 4` chooses the season (0 is autumn), and `seed` also chooses
 * the light and random positions.
 */
export function drawScene(scene: SceneName, seed: number) {
  const { width, height, draw } = scenesByName[scene]
  return createSvgDocument(width, height, draw(createSeededRandom(`${scene} ${seed}`), chooseWeather(seed)))
}
