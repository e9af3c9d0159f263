import { cast, indexOf } from './cast.ts'
import { type SceneName, scenes } from './scenes.ts'

/** A post as the files in stories/ write it. */
export interface Story {
  by: string
  /** Days ago, and the time on that day. Now is 21:00. */
  at: readonly [day: number, time: string]
  text: string | null
  pictures?: readonly PictureChoice[]
  /** The number of likes. */
  likes: number
}
/** Without a description it has that of the scene; with null it has none. */
export type PictureChoice = readonly [scene: SceneName, seed?: number, alt?: string | null]

export interface DemoPicture {
  scene: SceneName
  seed: number
  alt: string | null
}

/** The pictures of a member, with descriptions in the language of that member. */
export function toPictures(who: string, choices: readonly PictureChoice[] = []): DemoPicture[] {
  const { lang } = cast[indexOf(who)]!
  return choices.map(([scene, seed = 0, alt = scenes[scene].alt[lang]]) => ({ scene, seed, alt }))
}

const DAY = 24 * 60
const NOW = 21 * 60

/** Minutes from a time of day (in minutes, some days ago) until now. */
export const minutesSince = (daysAgo: number, minute: number) => daysAgo * DAY + NOW - minute
