import { demoMembers, getDemoMemberIndex } from './members.ts'
import { type SceneName, scenesByName } from './scenes.ts'

/** A post in the format of the files in demo/stories/. */
export interface DemoPostDefinition {
  by: string
  /** The number of days ago, and the time on that day. The present time counts as 21:00. */
  at: readonly [day: number, time: string]
  text: string | null
  pictures?: readonly DemoPictureDefinition[]
  /** The number of likes. */
  likes: number
}
/** A picture of a scene. If `alt` is absent, its description is that of the scene; if null, it has none. */
export type DemoPictureDefinition = readonly [scene: SceneName, seed?: number, alt?: string | null]

export interface DemoPicture {
  scene: SceneName
  seed: number
  alt: string | null
}

/** Returns the chosen pictures, with descriptions in the language of the member who shows them. */
export function toDemoPictures(who: string, choices: readonly DemoPictureDefinition[] = []): DemoPicture[] {
  const { lang } = demoMembers[getDemoMemberIndex(who)]!
  return choices.map(([scene, seed = 0, alt = scenesByName[scene].alt[lang]]) => ({ scene, seed, alt }))
}

const DAY = 24 * 60
const NOW = 21 * 60

/** Returns the minutes from a time of day until now. `minute` is the time in minutes after midnight. */
export const toMinutesAgo = (daysAgo: number, minute: number) => daysAgo * DAY + NOW - minute
