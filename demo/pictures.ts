import { join } from 'node:path'
import type { DemoScenePicture } from './post-definition.ts'

/** The path of the folder with the rendered demo pictures. `npm run demo:pictures` renders them. */
export const demoPicturesFolder = join(import.meta.dirname, 'pictures')

export const sceneFileName = ({ scene, seed }: Pick<DemoScenePicture, 'scene' | 'seed'>) =>
  `${scene}-${seed}.webp`
/** Returns the file name of a member's rendered portrait. `face` is the key of the portrait. */
export const portraitFileName = (face: string) => `face-${face}.webp`
