import { cast, indexOf } from './cast.ts'
import { chatter } from './chatter.ts'
import { dice } from './dice.ts'
import { type SceneName, scenes } from './pictures.ts'
import { days } from './stories/days.ts'
import { key } from './stories/key.ts'
import { kiln } from './stories/kiln.ts'
import { lanterns } from './stories/lanterns.ts'
import { umbrella } from './stories/umbrella.ts'
import type { Shot, Story } from './story.ts'

export interface DemoPost {
  /** Place in the cast, as in `likes`. */
  by: number
  minutesAgo: number
  text: string | null
  pictures: { scene: SceneName; seed?: number; alt: string | null }[]
  likes: number[]
}

const DAY = 24 * 60
const NOW = 21 * 60

/** The small talk between the stories. */
function smallTalk(): Story[] {
  const r = dice('small talk')
  let seed = 8
  return chatter.flatMap(({ by, scenes = [], days: [from, to] = [41, 1], says }) =>
    says.map((text, turn): Story => {
      const who = by[turn % by.length]!
      const day = Math.round(from + ((to - from) * (turn + r())) / says.length)
      const evening = who === 'fukurou' || r() < 0.62
      const minute = Math.floor(60 * (evening ? r(17.5, 22.6) : r(7, 16.5)))
      const hour = [Math.floor(minute / 60), minute % 60].map((part) => `${part}`.padStart(2, '0')).join(':')
      const shown = r() < 0.42 ? r.some(scenes, r.pick([1, 1, 2, 3])) : []
      const shots = shown.map((scene): Shot => [scene, (seed += 4)])
      return { by: who, at: [day, hour], text, shots, likes: Math.floor(r() ** 1.7 * 16) }
    }),
  )
}

function toPost({ by: who, at: [day, hour], text, shots = [], likes }: Story): DemoPost {
  const by = indexOf(who)
  const { lang } = cast[by]!
  const [hours, minutes] = hour.split(':').map(Number) as [number, number]
  const others = [...cast.keys()].filter((index) => index !== by)
  return {
    by,
    minutesAgo: day * DAY + NOW - hours * 60 - minutes,
    text,
    pictures: shots.map(([scene, seed = 0, alt = scenes[scene].alt[lang]]) => ({ scene, seed, alt })),
    likes: dice(`likes ${who} ${day} ${hour}`).some(others, likes),
  }
}

/** Six weeks of a small town, newest first. */
export const posts: DemoPost[] = [...umbrella, ...key, ...kiln, ...lanterns, ...days, ...smallTalk()]
  .map(toPost)
  .sort((a, b) => a.minutesAgo - b.minutesAgo)
