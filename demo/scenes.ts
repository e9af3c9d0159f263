import { createSeededRandom } from './random.ts'
import { bicycleSceneDrawings } from './scenes/bicycle.ts'
import { breadSceneDrawings } from './scenes/bread.ts'
import { countrySceneDrawings } from './scenes/country.ts'
import { foodSceneDrawings } from './scenes/food.ts'
import { hallSceneDrawings } from './scenes/hall.ts'
import { hillsideSceneDrawings } from './scenes/hillside.ts'
import { homeSceneDrawings } from './scenes/home.ts'
import { keySceneDrawings } from './scenes/key.ts'
import { outdoorSceneDrawings } from './scenes/outdoors.ts'
import { potterySceneDrawings } from './scenes/pottery.ts'
import { roofsSceneDrawings } from './scenes/roofs.ts'
import { soupSceneDrawings } from './scenes/soup.ts'
import { streetSceneDrawings } from './scenes/street.ts'
import { trainSceneDrawings } from './scenes/train.ts'
import { waterSceneDrawings } from './scenes/water.ts'
import { whiteboardSceneDrawings } from './scenes/whiteboard.ts'
import { workSceneDrawings } from './scenes/work.ts'
import { createSvgDocument, type DemoScene, pickSeasonAndLight } from './svg.ts'

const all = {
  ...waterSceneDrawings,
  ...countrySceneDrawings,
  ...trainSceneDrawings,
  ...hillsideSceneDrawings,
  ...roofsSceneDrawings,
  ...outdoorSceneDrawings,
  ...soupSceneDrawings,
  ...streetSceneDrawings,
  ...bicycleSceneDrawings,
  ...hallSceneDrawings,
  ...whiteboardSceneDrawings,
  ...foodSceneDrawings,
  ...breadSceneDrawings,
  ...potterySceneDrawings,
  ...homeSceneDrawings,
  ...keySceneDrawings,
  ...workSceneDrawings,
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
    draw(createSeededRandom(`${scene} ${seed}`), pickSeasonAndLight(seed)),
  )
}
