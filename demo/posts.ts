import type { DemoEvent } from './events.ts'
import { demoMembers, memberIndex } from './members.ts'
import type { DemoDates } from './polls.ts'
import {
  computeDemoMinutesAgo,
  type DemoPostDefinition,
  type DemoScenePicture,
  type ScenePicture,
  scenePictures,
} from './post-definition.ts'
import { type DemoPostTopic, demoPostTopics } from './post-topics.ts'
import { createRandom } from './random.ts'
import { everydayPosts } from './stories/days.ts'
import { keyPosts } from './stories/key.ts'
import { demoKilnPostDefinitions } from './stories/kiln.ts'
import { lanternPosts } from './stories/lanterns.ts'
import { umbrellaPosts } from './stories/umbrella.ts'

export interface DemoPost {
  /** The author of the post, as an index in `demoMembers`. */
  by: number
  minutesAgo: number
  text: string | null
  pictures: DemoScenePicture[]
  /** The members who like the post, as indexes in `demoMembers`. */
  likes: number[]
  /** The author asks who has read it; those who like it have. */
  asks: boolean
  dates: DemoDates
  event?: DemoEvent
}

/**
 * Returns the definition of a post for each text in post-topics.ts. Takes the authors of a topic in turn, and
 * chooses the time, the pictures and the number of likes at random.
 */
function smallTalkStories(): DemoPostDefinition[] {
  const r = createRandom('small talk')
  let seed = 8
  const toStory = ({ by, scenes = [], days: [from, to] = [41, 1], texts }: DemoPostTopic) =>
    texts.map((text, index): DemoPostDefinition => {
      const who = by[index % by.length]!
      const day = Math.round(from + ((to - from) * (index + r())) / texts.length)
      const evening = who === 'fukurou' || r() < 0.62
      const minute = Math.floor(60 * (evening ? r(17.5, 22.6) : r(7, 16.5)))
      const time = [Math.floor(minute / 60), minute % 60].map((part) => `${part}`.padStart(2, '0')).join(':')
      const shown = r() < 0.42 ? r.some(scenes, r.pick([1, 1, 2, 3])) : []
      const pictures = shown.map((scene): ScenePicture => [scene, (seed += 4)])
      return { by: who, at: [day, time], text, pictures, likes: Math.floor(r() ** 1.7 * 16) }
    })
  return demoPostTopics.flatMap(toStory)
}

function toPost({
  by: who,
  at: [day, time],
  text,
  pictures,
  likes,
  asks,
  dates = [],
  event,
}: DemoPostDefinition): DemoPost {
  const by = memberIndex(who)
  const [hours, minutes] = time.split(':').map(Number) as [number, number]
  const others = [...demoMembers.keys()].filter((index) => index !== by)
  return {
    by,
    minutesAgo: computeDemoMinutesAgo(day, hours * 60 + minutes),
    text,
    pictures: scenePictures(who, pictures),
    likes: createRandom(`likes ${who} ${day} ${time}`).some(others, likes),
    asks: asks === true,
    dates,
    ...(event && { event }),
  }
}

/** All posts of the demo community, newest first. The oldest one is six weeks old. */
export const demoPosts: DemoPost[] = [
  ...umbrellaPosts,
  ...keyPosts,
  ...demoKilnPostDefinitions,
  ...lanternPosts,
  ...everydayPosts,
  ...smallTalkStories(),
]
  .map(toPost)
  .sort((a, b) => a.minutesAgo - b.minutesAgo)
