import { useEffect, useRef, useState } from 'react'
import { channelName } from '#core/contract.ts'
import type { Person } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { sendClientEvent, useChannel } from '#web/realtime.ts'
import { channels } from '../contract.ts'
import type { ConversationRef } from './chat-state.ts'
import { channelOf, type MessageStore } from './message-store.ts'
import { type ConversationInfo, isGroup } from './messages.ts'
import { chatText } from './text.ts'

/** Milliseconds between two events while somebody keeps typing. */
const SEND_EVERY = 3000
/** Milliseconds after which somebody no longer counts as typing, where no event says so. */
const EXPIRES = 5000

/**
 * In a group, only a presence channel says who sent an event. In a private chat it can only be the other
 * person.
 */
const typingChannel = (conversation: ConversationRef, me: number) =>
  conversation.kind === 'private'
    ? channelOf(conversation, me)
    : channelName(channels.room, { group: conversation.id })

/** Names the people who are typing. The line always has its height, so that nothing moves. */
export function TypingLine({ store, info }: { store: MessageStore; info: ConversationInfo | null }) {
  const t = useText(chatText)
  const other = info && !isGroup(info) ? info.user.name : null
  const names = useTyping(store.conversation, store.me.id, other)
  return (
    <p className="typing" aria-live="off">
      {names.length > 0 && (
        <>
          <i aria-hidden="true">
            <b />
            <b />
            <b />
          </i>
          <span dir="auto">{t.typing(names)}</span>
        </>
      )}
    </p>
  )
}

type Member = { id: string; info: Person }

/** The names of the people who are typing. `other` is the name of the other person of a private chat. */
function useTyping(conversation: ConversationRef, me: number, other: string | null) {
  const [typing, setTyping] = useState<ReadonlyMap<string, string>>(new Map())
  const [timers] = useState(() => new Map<string, ReturnType<typeof setTimeout>>())
  const [members] = useState(() => new Map<string, string>())
  useEffect(() => () => timers.forEach(clearTimeout), [timers])

  const addMember = ({ id, info }: Member) => members.set(id, info.name)
  const stop = (user: string) => {
    clearTimeout(timers.get(user))
    setTyping((before) => new Map([...before].filter(([id]) => id !== user)))
  }
  const start = (user: string, name: string) => {
    clearTimeout(timers.get(user))
    timers.set(user, setTimeout(stop, EXPIRES, user))
    setTyping((before) => new Map(before).set(user, name))
  }
  useChannel(typingChannel(conversation, me), {
    subscribed(list) {
      if (conversation.kind === 'groups')
        (list as { each(run: (member: Member) => void): void }).each(addMember)
    },
    events: {
      'pusher:member_added': addMember,
      'pusher:member_removed': ({ id }: Member) => stop(id),
      'client-typing': (_: unknown, { user_id = '' }) => {
        const name = other ?? members.get(user_id)
        if (name) start(user_id, name)
      },
      'client-stopped': (_: unknown, { user_id = '' }) => stop(user_id),
    },
  })
  return [...typing.values()]
}

/** Returns a function that takes each new text, and tells the others now and then that I am typing. */
export function useTellTyping(conversation: ConversationRef, me: number) {
  const sentAt = useRef(0)
  const channel = typingChannel(conversation, me)
  return (text: string) => {
    if (!text.trim()) {
      if (sentAt.current) sendClientEvent(channel, 'stopped')
      sentAt.current = 0
    } else if (Date.now() - sentAt.current > SEND_EVERY) {
      sentAt.current = Date.now()
      sendClientEvent(channel, 'typing')
    }
  }
}
