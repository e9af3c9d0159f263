import { join } from 'node:path'
import type { DemoPicture } from './story.ts'

/** The rendered pictures. `npm run demo:pictures` makes them. */
export const picturesFolder = join(import.meta.dirname, 'pictures')

export const nameOfPicture = ({ scene, seed }: Pick<DemoPicture, 'scene' | 'seed'>) => `${scene}-${seed}.webp`
/** Of the portrait of a member. */
export const nameOfFace = (face: string) => `face-${face}.webp`
