import { join } from 'node:path'
import type { DemoPicture } from './post-definition.ts'

/** The path of the folder with the rendered demo pictures. `npm run demo:pictures` renders them. */
export const demoPicturesFolder = join(import.meta.dirname, 'pictures')

export const toDemoScenePictureFileName = ({ scene, seed }: Pick<DemoPicture, 'scene' | 'seed'>) =>
  `${scene}-${seed}.webp`
/** Returns the file name of a member's rendered portrait. `face` is the key of the portrait. */
export const toDemoPortraitFileName = (face: string) => `face-${face}.webp`
