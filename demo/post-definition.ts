import { demoMembers, getDemoMemberIndex } from './members.ts'
import { type DemoSceneName, demoSceneDrawingsByName } from './scenes.ts'

/** A post in the format of the files in demo/stories/. */
export interface DemoPostDefinition {
  by: string
  /** The time of the post: the number of days ago, and the time of day. Now is always 21:00 in the demo. */
  at: readonly [day: number, time: string]
  text: string | null
  pictures?: readonly DemoPictureDefinition[]
  /** The number of likes. */
  likes: number
}
/**
 * A picture of a post or message: a scene, a number for random details (`seed`), and the description `alt`.
 * Without `alt` the picture has the description of the scene; with null it has none.
 */
export type DemoPictureDefinition = readonly [scene: DemoSceneName, seed?: number, alt?: string | null]

export interface DemoPicture {
  scene: DemoSceneName
  seed: number
  alt: string | null
}

/**
 * Converts the picture definitions of a member's post or message. A picture without its own description
 * gets the description of the scene, in the language of the member.
 */
export function createDemoPicturesFromDefinitions(
  who: string,
  choices: readonly DemoPictureDefinition[] = [],
): DemoPicture[] {
  const { lang } = demoMembers[getDemoMemberIndex(who)]!
  return choices.map(([scene, seed = 0, alt = demoSceneDrawingsByName[scene].alt[lang]]) => ({
    scene,
    seed,
    alt,
  }))
}

const DAY = 24 * 60
const NOW = 21 * 60

/**
 * Returns how many minutes ago a time was. `daysAgo` is its day, and `minute` its minute of the day. Now is
 * always 21:00 in the demo.
 */
export const computeDemoMinutesAgo = (daysAgo: number, minute: number) => daysAgo * DAY + NOW - minute
