import type { DemoEvent } from './events.ts'
import { demoMembers, memberIndex } from './members.ts'
import type { DemoDates } from './polls.ts'
import { type DemoSceneName, sceneDefinitions } from './scenes.ts'

/** The definition of a demo post, as the files in demo/stories/ contain it. */
export interface DemoPostDefinition {
  by: string
  /** The time of the post: the number of days ago, and the time of day. Now is always 21:00 in the demo. */
  at: readonly [day: number, time: string]
  text: string | null
  pictures?: readonly ScenePicture[]
  /** The number of likes. */
  likes: number
  /** The author, an admin, asks who has read it. */
  asks?: true
  /** The author asks on which of these days the others can come; those who like the post have answered. */
  dates?: DemoDates
  /** The author invites to this event; those who like the post have answered. */
  event?: DemoEvent
}
/**
 * The definition of a picture of a post or message: a scene, a number for random details (`seed`), and the
 * description `alt`. Without `alt` the picture has the description of the scene; with null it has none.
 */
export type ScenePicture = readonly [scene: DemoSceneName, seed?: number, alt?: string | null]

export interface DemoScenePicture {
  scene: DemoSceneName
  seed: number
  alt: string | null
}

/**
 * Returns the pictures of a member's post or message from their definitions. A picture without its own
 * description gets the description of the scene, in the language of the member.
 */
export function scenePictures(who: string, choices: readonly ScenePicture[] = []): DemoScenePicture[] {
  const { lang } = demoMembers[memberIndex(who)]!
  return choices.map(([scene, seed = 0, alt = sceneDefinitions[scene].alt[lang]]) => ({
    scene,
    seed,
    alt,
  }))
}

const DAY = 24 * 60
const NOW = 21 * 60

/**
 * Returns the number of minutes between a time and now. `daysAgo` is the day of the time, and `minute` its
 * minute of the day. Now is always 21:00 in the demo.
 */
export const computeDemoMinutesAgo = (daysAgo: number, minute: number) => daysAgo * DAY + NOW - minute
