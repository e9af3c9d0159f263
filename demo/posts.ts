import { cast, indexOf } from './cast.ts'
import { createRandom } from './random.ts'
import { type SmallTalk, smallTalk } from './small-talk.ts'
import { days } from './stories/days.ts'
import { key } from './stories/key.ts'
import { kiln } from './stories/kiln.ts'
import { lanterns } from './stories/lanterns.ts'
import { umbrella } from './stories/umbrella.ts'
import { type DemoPicture, minutesSince, type PictureChoice, type Story, toPictures } from './story.ts'

export interface DemoPost {
  /** An index in the cast. */
  by: number
  minutesAgo: number
  text: string | null
  pictures: DemoPicture[]
  /** The members who like it, as indexes in the cast. */
  likes: number[]
}

/** Gives each text of the small talk an author, a time, pictures and likes. */
function smallTalkStories(): Story[] {
  const r = createRandom('small talk')
  let seed = 8
  const toStory = ({ by, scenes = [], days: [from, to] = [41, 1], texts }: SmallTalk) =>
    texts.map((text, index): Story => {
      const who = by[index % by.length]!
      const day = Math.round(from + ((to - from) * (index + r())) / texts.length)
      const evening = who === 'fukurou' || r() < 0.62
      const minute = Math.floor(60 * (evening ? r(17.5, 22.6) : r(7, 16.5)))
      const time = [Math.floor(minute / 60), minute % 60].map((part) => `${part}`.padStart(2, '0')).join(':')
      const shown = r() < 0.42 ? r.some(scenes, r.pick([1, 1, 2, 3])) : []
      const pictures = shown.map((scene): PictureChoice => [scene, (seed += 4)])
      return { by: who, at: [day, time], text, pictures, likes: Math.floor(r() ** 1.7 * 16) }
    })
  return smallTalk.flatMap(toStory)
}

function toPost({ by: who, at: [day, time], text, pictures, likes }: Story): DemoPost {
  const by = indexOf(who)
  const [hours, minutes] = time.split(':').map(Number) as [number, number]
  const others = [...cast.keys()].filter((index) => index !== by)
  return {
    by,
    minutesAgo: minutesSince(day, hours * 60 + minutes),
    text,
    pictures: toPictures(who, pictures),
    likes: createRandom(`likes ${who} ${day} ${time}`).some(others, likes),
  }
}

/** The posts of six weeks, newest first. */
export const posts: DemoPost[] = [...umbrella, ...key, ...kiln, ...lanterns, ...days, ...smallTalkStories()]
  .map(toPost)
  .sort((a, b) => a.minutesAgo - b.minutesAgo)
