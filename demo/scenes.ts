import { createSeededRandomFunctionAndPickers } from './random.ts'
import { demoBicycleSceneDefinitionsByName } from './scenes/bicycle.ts'
import { demoBreadSceneDefinitionsByName } from './scenes/bread.ts'
import { demoCountrysideSceneDefinitionsByName } from './scenes/country.ts'
import { demoFoodMarketSceneDefinitionsByName } from './scenes/food.ts'
import { demoCommunityHallSceneDefinitionsByName } from './scenes/hall.ts'
import { demoHillsideSceneDefinitionsByName } from './scenes/hillside.ts'
import { demoHomeInteriorSceneDefinitionsByName } from './scenes/home.ts'
import { demoDoorKeySceneDefinitionsByName } from './scenes/key.ts'
import { demoOutdoorSceneDefinitionsByName } from './scenes/outdoors.ts'
import { demoPotterySceneDefinitionsByName } from './scenes/pottery.ts'
import { demoTownRoofsSceneDefinitionsByName } from './scenes/roofs.ts'
import { demoSoupPotSceneDefinitionsByName } from './scenes/soup.ts'
import { demoStreetSceneDefinitionsByName } from './scenes/street.ts'
import { demoTrainWindowSceneDefinitionsByName } from './scenes/train.ts'
import { demoRiverAndSeaSceneDefinitionsByName } from './scenes/water.ts'
import { demoWhiteboardSceneDefinitionsByName } from './scenes/whiteboard.ts'
import { demoWorkshopSceneDefinitionsByName } from './scenes/work.ts'
import { createSvgDocument, type DemoSceneDefinition, pickDemoSceneSeasonLightAndColours } from './svg.ts'

const all = {
  ...demoRiverAndSeaSceneDefinitionsByName,
  ...demoCountrysideSceneDefinitionsByName,
  ...demoTrainWindowSceneDefinitionsByName,
  ...demoHillsideSceneDefinitionsByName,
  ...demoTownRoofsSceneDefinitionsByName,
  ...demoOutdoorSceneDefinitionsByName,
  ...demoSoupPotSceneDefinitionsByName,
  ...demoStreetSceneDefinitionsByName,
  ...demoBicycleSceneDefinitionsByName,
  ...demoCommunityHallSceneDefinitionsByName,
  ...demoWhiteboardSceneDefinitionsByName,
  ...demoFoodMarketSceneDefinitionsByName,
  ...demoBreadSceneDefinitionsByName,
  ...demoPotterySceneDefinitionsByName,
  ...demoHomeInteriorSceneDefinitionsByName,
  ...demoDoorKeySceneDefinitionsByName,
  ...demoWorkshopSceneDefinitionsByName,
}
export type DemoSceneName = keyof typeof all
export const demoSceneDefinitionsByName: Readonly<Record<DemoSceneName, DemoSceneDefinition>> = all

/**
 * Returns the SVG document of a scene. `seed % 4` chooses the season (0 is autumn), and `seed` also chooses
 * the light and random positions.
 */
export function createDemoSceneSvgDocument(scene: DemoSceneName, seed: number) {
  const { width, height, draw } = demoSceneDefinitionsByName[scene]
  return createSvgDocument(
    width,
    height,
    draw(createSeededRandomFunctionAndPickers(`${scene} ${seed}`), pickDemoSceneSeasonLightAndColours(seed)),
  )
}
