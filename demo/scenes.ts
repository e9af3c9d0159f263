import { createRandom } from './random.ts'
import { bicycleScenes } from './scenes/bicycle.ts'
import { breadScenes } from './scenes/bread.ts'
import { countryScenes } from './scenes/country.ts'
import { foodScenes } from './scenes/food.ts'
import { hallScenes } from './scenes/hall.ts'
import { hillsideScenes } from './scenes/hillside.ts'
import { homeScenes } from './scenes/home.ts'
import { keyScenes } from './scenes/key.ts'
import { outdoorScenes } from './scenes/outdoors.ts'
import { potteryScenes } from './scenes/pottery.ts'
import { roofScenes } from './scenes/roofs.ts'
import { soupScenes } from './scenes/soup.ts'
import { streetScenes } from './scenes/street.ts'
import { trainScenes } from './scenes/train.ts'
import { waterScenes } from './scenes/water.ts'
import { whiteboardScenes } from './scenes/whiteboard.ts'
import { workScenes } from './scenes/work.ts'
import { createSvgDocument, type DemoSceneDefinition, pickLight } from './svg.ts'

const all = {
  ...waterScenes,
  ...countryScenes,
  ...trainScenes,
  ...hillsideScenes,
  ...roofScenes,
  ...outdoorScenes,
  ...soupScenes,
  ...streetScenes,
  ...bicycleScenes,
  ...hallScenes,
  ...whiteboardScenes,
  ...foodScenes,
  ...breadScenes,
  ...potteryScenes,
  ...homeScenes,
  ...keyScenes,
  ...workScenes,
}
export type DemoSceneName = keyof typeof all
export const sceneDefinitions: Readonly<Record<DemoSceneName, DemoSceneDefinition>> = all

/**
 * Returns the SVG document of a scene. `seed % 4` chooses the season (0 is autumn), and `seed` also chooses
 * the light and random positions.
 */
export function sceneSvg(scene: DemoSceneName, seed: number) {
  const { width, height, draw } = sceneDefinitions[scene]
  return createSvgDocument(width, height, draw(createRandom(`${scene} ${seed}`), pickLight(seed)))
}
