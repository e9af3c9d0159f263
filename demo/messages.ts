import {
  computeDemoMinutesAgo,
  type DemoScenePicture,
  type ScenePicture,
  scenePictures,
} from './post-definition.ts'
import { createRandom, type SeededRandom } from './random.ts'

/**
 * The definition of a message, written as its author and its text. `ben: Good morning.` is sent a short time
 * after the previous message, and `ben+40: …` 40 minutes after it.
 */
export type DemoMessageDefinition = string | readonly [line: string, more: More]
interface More {
  pictures?: readonly ScenePicture[]
  /** The text of the message before it was edited; absent if it was never edited. */
  textBeforeEdit?: string
  deleted?: true
}

/**
 * The definitions of messages that follow each other after short times. The first line can be the time of the
 * first message: `12 08:10` means twelve days ago at 08:10, because now is always 21:00 in the demo. Without
 * that line the time is random.
 */
export type MessageSequence = readonly DemoMessageDefinition[]

interface Chat {
  /**
   * The period in which the sequences of messages without a time are sent: from `from` days ago to `to` days
   * ago. These sequences keep their order.
   */
  days?: readonly [from: number, to: number]
  messages: readonly MessageSequence[]
  /**
   * For each member by name, the number of messages by others that the member has not read, counted from the
   * newest.
   */
  unread?: Readonly<Record<string, number>>
}
export interface PrivateChat extends Chat {
  between: readonly [string, string]
}
export interface DemoGroupChatDefinition extends Chat {
  name: string
  /** The time at which Aya created the group, such as `12 08:10` (twelve days ago). */
  made: string
  renamed?: { from: string; until: string }
  /**
   * The names of the members of the group besides Aya, separated by spaces. `haruka` is added when the group
   * is created; `haruka@20` is added twenty days ago at noon.
   */
  members: string
  /** The times at which members left the group, by the name of the member. */
  left?: Readonly<Record<string, string>>
}

export interface DemoMessage {
  by: string
  minutesAgo: number
  text: string
  textBeforeEdit: string | null
  deleted: boolean
  pictures: DemoScenePicture[]
}

/**
 * Returns the messages of a chat from its definition, oldest first. Chooses random times where the definition
 * gives none.
 */
export function messagesOf(chat: PrivateChat | DemoGroupChatDefinition): DemoMessage[] {
  const r = createRandom('between' in chat ? chat.between.join() : chat.name)
  const { days: [from, to] = [40, 1], messages } = chat
  const untimed = messages.filter(([first]) => minutesAgo(first) === null)
  const randomTime = (burst: MessageSequence) => {
    const day = Math.round(from + ((to - from) * (untimed.indexOf(burst) + r())) / untimed.length)
    return computeDemoMinutesAgo(day, 60 * (r() < 0.55 ? r(18, 22) : r(7.5, 17)))
  }
  return messages
    .flatMap((burst) => {
      const time = minutesAgo(burst[0])
      return time === null ? burstFrom(r, randomTime(burst), burst) : burstFrom(r, time, burst.slice(1))
    })
    .sort((a, b) => b.minutesAgo - a.minutesAgo)
}

const LINE = /^(?<who>[a-z]+)(?:\+(?<wait>\d+))?: (?<text>.*)$/s

function burstFrom(r: SeededRandom, start: number, lines: readonly DemoMessageDefinition[]): DemoMessage[] {
  let minutesAgo = start
  let before = ''
  return lines.map((line) => {
    const [spoken, more] = typeof line === 'string' ? [line, {}] : line
    const { who, wait, text } = LINE.exec(spoken)!.groups as { who: string; wait?: string; text: string }
    if (before) minutesAgo -= Number(wait ?? r(0.2, who === before ? 0.8 : 4))
    minutesAgo = Math.max(minutesAgo, 0.2)
    before = who
    const { pictures, textBeforeEdit = null, deleted = false } = more
    return {
      by: who,
      minutesAgo,
      text,
      textBeforeEdit,
      deleted,
      pictures: scenePictures(who, pictures),
    }
  })
}

/**
 * Returns the number of minutes between a time such as `12 08:10` (twelve days ago) and now; null if the line
 * is not a time.
 */
export function minutesAgo(line: DemoMessageDefinition | undefined) {
  const [, day, hours, minutes] = (typeof line === 'string' && /^(\d+) (\d\d):(\d\d)$/.exec(line)) || []
  return day === undefined ? null : computeDemoMinutesAgo(Number(day), Number(hours) * 60 + Number(minutes))
}
