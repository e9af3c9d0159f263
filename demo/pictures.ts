import { join } from 'node:path'
import type { DemoPicture } from './post-definition.ts'

/** The folder of the rendered pictures. `npm run demo:pictures` renders them. */
export const demoPicturesFolder = join(import.meta.dirname, 'pictures')

export const toDemoScenePictureFileName = ({ scene, seed }: Pick<DemoPicture, 'scene' | 'seed'>) =>
  `${scene}-${seed}.webp`
/** Returns the file name of a member's portrait. */
export const toDemoPortraitFileName = (face: string) => `face-${face}.webp`
