import type { SceneName } from './pictures.ts'

/** A post as it is told in stories/. */
export interface Story {
  by: string
  /** Days ago, and the hour, on a clock that shows 21:00 now. */
  at: readonly [day: number, hour: string]
  text: string | null
  shots?: readonly Shot[]
  likes: number
}
/** Without words it has the scene's own; with null it has none. */
export type Shot = readonly [scene: SceneName, seed?: number, alt?: string | null]
