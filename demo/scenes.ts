import { createSeededRandom } from './random.ts'
import { demoBicycleSceneDrawings } from './scenes/bicycle.ts'
import { demoBreadSceneDrawings } from './scenes/bread.ts'
import { demoCountrysideSceneDrawings } from './scenes/country.ts'
import { demoFoodMarketSceneDrawings } from './scenes/food.ts'
import { demoCommunityHallSceneDrawings } from './scenes/hall.ts'
import { demoHillsideSceneDrawings } from './scenes/hillside.ts'
import { demoHomeInteriorSceneDrawings } from './scenes/home.ts'
import { demoDoorKeySceneDrawings } from './scenes/key.ts'
import { demoOutdoorSceneDrawings } from './scenes/outdoors.ts'
import { demoPotterySceneDrawings } from './scenes/pottery.ts'
import { demoTownRoofsSceneDrawings } from './scenes/roofs.ts'
import { demoSoupPotSceneDrawings } from './scenes/soup.ts'
import { demoStreetSceneDrawings } from './scenes/street.ts'
import { demoTrainWindowSceneDrawings } from './scenes/train.ts'
import { demoRiverAndSeaSceneDrawings } from './scenes/water.ts'
import { demoWhiteboardSceneDrawings } from './scenes/whiteboard.ts'
import { demoWorkshopSceneDrawings } from './scenes/work.ts'
import { createSvgDocument, type DemoSceneDefinition, pickDemoSceneSeasonLightAndColours } from './svg.ts'

const all = {
  ...demoRiverAndSeaSceneDrawings,
  ...demoCountrysideSceneDrawings,
  ...demoTrainWindowSceneDrawings,
  ...demoHillsideSceneDrawings,
  ...demoTownRoofsSceneDrawings,
  ...demoOutdoorSceneDrawings,
  ...demoSoupPotSceneDrawings,
  ...demoStreetSceneDrawings,
  ...demoBicycleSceneDrawings,
  ...demoCommunityHallSceneDrawings,
  ...demoWhiteboardSceneDrawings,
  ...demoFoodMarketSceneDrawings,
  ...demoBreadSceneDrawings,
  ...demoPotterySceneDrawings,
  ...demoHomeInteriorSceneDrawings,
  ...demoDoorKeySceneDrawings,
  ...demoWorkshopSceneDrawings,
}
export type DemoSceneName = keyof typeof all
export const demoSceneDrawingsByName: Readonly<Record<DemoSceneName, DemoSceneDefinition>> = all

/**
 * Returns the SVG document of a scene. `seed % 4` chooses the season (0 is autumn), and `seed` also chooses
 * the light and random positions.
 */
export function createDemoSceneSvgDocument(scene: DemoSceneName, seed: number) {
  const { width, height, draw } = demoSceneDrawingsByName[scene]
  return createSvgDocument(
    width,
    height,
    draw(createSeededRandom(`${scene} ${seed}`), pickDemoSceneSeasonLightAndColours(seed)),
  )
}
