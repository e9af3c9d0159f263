import type * as v from 'valibot'
import type { AppContext } from '#core/context.ts'
import { fillChannel } from '#core/contract.ts'
import { chatChannels, sortIds } from './contract.ts'
import type { chatChannelSchemas } from './message-schemas.ts'

// `aboutUsers` lists the people whom the data of an event names. A viewer who may not see one of them does
// not get the event, or gets its `fallbackData`. Events about a member's own chats name nobody. Routes run a
// change and its broadcast under one lock (`withLock`) of the conversation or message. Without it, the
// broadcast of a later commit could overtake that of an earlier one.

export type Events = (typeof chatChannelSchemas)['privateChat']['events'] &
  (typeof chatChannelSchemas)['group']['events'] &
  (typeof chatChannelSchemas)['member']['events']

export const broadcast = <E extends keyof Events & string>(
  { realtime }: AppContext,
  to: readonly string[],
  event: E,
  data: v.InferInput<Events[E]>,
  aboutUsers: readonly number[],
  options: {
    fallbackData?: v.InferInput<Events[E]>
    unlessMuted?: boolean
    inGroup?: boolean
    onlyFor?: readonly number[]
    trace?: MessageTrace | undefined
  } = {},
) => realtime.broadcast(to, event, data, { aboutUsers, ...options })

export type MessageTrace = { kind: 'message'; id: number }

/** Also the name of the lock under which the server changes the chat. */
export const privateChat = (a: number, b: number) => fillChannel(chatChannels.privateChat, sortIds(a, b))

/** Also the name of the lock under which the server changes the group. */
export const group = (id: number) => fillChannel(chatChannels.group, { group: id })

/** `pair` is `conversations.pair`: the two user ids of a private chat, null for a group. */
export function of(id: number, pair: string | null) {
  if (pair === null) return group(id)
  const [a, b] = pair.split('.').map(Number)
  return privateChat(a!, b!)
}

export const member = (user: number) => fillChannel(chatChannels.member, { user })

/** Of the group and of each of its members. */
export const ofGroup = (id: number, members: readonly number[]) => [group(id), ...members.map(member)]
