import { cast, indexOf } from './cast.ts'
import { dice } from './dice.ts'
import { type SceneName, scenes } from './pictures.ts'
import type { Shot } from './story.ts'

/** As a play has it: `ben: Good morning.` Moments pass before it, or as many minutes as `ben+40: …` says. */
export type Line = string | readonly [line: string, more: More]
interface More {
  shots?: readonly Shot[]
  /** What it said until it was edited. */
  was?: string
  /** It was deleted. */
  gone?: true
}

/** What is said in one go. Its first line may be when: `12 08:10` is twelve days ago, on a clock that shows 21:00 now; else the dice say. */
export type Burst = readonly Line[]

interface Talk {
  /** Bursts without a time are spread over these days, from and to, in their order. */
  days?: readonly [from: number, to: number]
  says: readonly Burst[]
  /** How many of the newest messages somebody has not read. */
  unread?: Readonly<Record<string, number>>
}
export interface PrivateTalk extends Talk {
  between: readonly [string, string]
}
export interface GroupTalk extends Talk {
  name: string
  /** When Aya made it. */
  made: string
  renamed?: { from: string; until: string }
  /** Added at once; `haruka@20` at noon twenty days ago. */
  members: string
  left?: Readonly<Record<string, string>>
}

export interface DemoMessage {
  by: string
  minutesAgo: number
  text: string
  was: string | null
  gone: boolean
  pictures: { scene: SceneName; seed: number; alt: string | null }[]
}

const DAY = 24 * 60
const NOW = 21 * 60
const SPOKEN = /^(?<who>[a-z]+)(?:\+(?<wait>\d+))?: (?<text>.*)$/s

const minutesAgo = (day: number, hour: number) => day * DAY + NOW - hour * 60

/** All that is said, oldest first. */
export function messagesOf(key: string, { days: [from, to] = [40, 1], says }: Talk): DemoMessage[] {
  const r = dice(key)
  const loose = says.filter(([first]) => timeOf(first) === null)
  const all = says.flatMap((burst) => {
    const told = timeOf(burst[0])
    const turn = loose.indexOf(burst)
    let at =
      told ??
      minutesAgo(
        Math.round(from + ((to - from) * (turn + r())) / loose.length),
        r() < 0.55 ? r(18, 22) : r(7.5, 17),
      )
    let before = ''
    return (told === null ? burst : burst.slice(1)).map((line) => {
      const [spoken, { shots = [], was = null, gone = false }] =
        typeof line === 'string' ? [line, {} as More] : line
      const { who, wait, text } = SPOKEN.exec(spoken)!.groups as { who: string; wait?: string; text: string }
      at = Math.max(at - (before ? Number(wait ?? r(0.2, who === before ? 0.8 : 4)) : 0), 0.2)
      before = who
      const { lang } = cast[indexOf(who)]!
      const pictures = shots.map(([scene, seed = 0, alt = scenes[scene].alt[lang]]) => ({ scene, seed, alt }))
      return { by: who, minutesAgo: at, text, was, gone, pictures }
    })
  })
  return all.sort((a, b) => b.minutesAgo - a.minutesAgo)
}

/** `12 08:10` → minutes ago; null where it is no time. */
export function timeOf(line: Line | undefined) {
  const [, day, hours, minutes] = (typeof line === 'string' && /^(\d+) (\d\d):(\d\d)$/.exec(line)) || []
  return day === undefined ? null : minutesAgo(Number(day), Number(hours) + Number(minutes) / 60)
}
