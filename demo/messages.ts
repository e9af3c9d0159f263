import { createRandom, type Random } from './random.ts'
import { type DemoPicture, minutesSince, type PictureChoice, toPictures } from './story.ts'

/** A message as in a play: `ben: Good morning.` It follows after a moment; `ben+40: …` follows after 40 minutes. */
export type Line = string | readonly [line: string, more: More]
interface More {
  pictures?: readonly PictureChoice[]
  /** What it said until it was edited. */
  textBeforeEdit?: string
  deleted?: true
}

/**
 * Messages in a row. The first line may be their time: `12 08:10` is twelve days ago, where now is 21:00.
 * Without it their time is random.
 */
export type Burst = readonly Line[]

interface Chat {
  /** The first and the last day (days ago) of the bursts that name no time. They keep their order. */
  days?: readonly [from: number, to: number]
  messages: readonly Burst[]
  /** How many of the newest messages of others somebody has not read. */
  unread?: Readonly<Record<string, number>>
}
export interface PrivateChat extends Chat {
  between: readonly [string, string]
}
export interface GroupChat extends Chat {
  name: string
  /** When Aya created it. */
  made: string
  renamed?: { from: string; until: string }
  /** Added at the start; `haruka@20` is added at noon twenty days ago. */
  members: string
  /** When somebody left. */
  left?: Readonly<Record<string, string>>
}

export interface DemoMessage {
  by: string
  minutesAgo: number
  text: string
  textBeforeEdit: string | null
  deleted: boolean
  pictures: DemoPicture[]
}

/** All messages of a chat, oldest first. */
export function messagesOf(chat: PrivateChat | GroupChat): DemoMessage[] {
  const r = createRandom('between' in chat ? chat.between.join() : chat.name)
  const { days: [from, to] = [40, 1], messages } = chat
  const untimed = messages.filter(([first]) => timeOf(first) === null)
  const randomTime = (burst: Burst) => {
    const day = Math.round(from + ((to - from) * (untimed.indexOf(burst) + r())) / untimed.length)
    return minutesSince(day, 60 * (r() < 0.55 ? r(18, 22) : r(7.5, 17)))
  }
  return messages
    .flatMap((burst) => {
      const time = timeOf(burst[0])
      return time === null ? burstFrom(r, randomTime(burst), burst) : burstFrom(r, time, burst.slice(1))
    })
    .sort((a, b) => b.minutesAgo - a.minutesAgo)
}

const LINE = /^(?<who>[a-z]+)(?:\+(?<wait>\d+))?: (?<text>.*)$/s

function burstFrom(r: Random, start: number, lines: readonly Line[]): DemoMessage[] {
  let minutesAgo = start
  let before = ''
  return lines.map((line) => {
    const [spoken, more] = typeof line === 'string' ? [line, {}] : line
    const { who, wait, text } = LINE.exec(spoken)!.groups as { who: string; wait?: string; text: string }
    if (before) minutesAgo -= Number(wait ?? r(0.2, who === before ? 0.8 : 4))
    minutesAgo = Math.max(minutesAgo, 0.2)
    before = who
    const { pictures, textBeforeEdit = null, deleted = false } = more
    return { by: who, minutesAgo, text, textBeforeEdit, deleted, pictures: toPictures(who, pictures) }
  })
}

/** `12 08:10` in minutes ago; null for any other line. */
export function timeOf(line: Line | undefined) {
  const [, day, hours, minutes] = (typeof line === 'string' && /^(\d+) (\d\d):(\d\d)$/.exec(line)) || []
  return day === undefined ? null : minutesSince(Number(day), Number(hours) * 60 + Number(minutes))
}
