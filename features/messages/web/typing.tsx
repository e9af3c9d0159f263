import { useEffect, useRef, useState } from 'react'
import { fillChannel } from '#core/contract.ts'
import { chatChannels } from '#features/conversations/contract.ts'
import type { ConversationRef } from '#features/conversations/web/state.ts'
import type { Person } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import * as realtime from '#web/realtime.ts'
import { type ConversationInfo, isGroup } from './conversation.ts'
import { channelOf, type MessageStore } from './store.ts'
import { messageText } from './text.ts'

/** Milliseconds between two events `client-typing` while the user keeps typing. */
const SEND_INTERVAL = 3000
/** Milliseconds after the last event `client-typing`. */
const TYPING_TIMEOUT = 5000

/**
 * Groups use the presence channel, because only there the event says who sent it. In a private chat, the
 * sender can only be the other person.
 */
const typingChannel = (conversation: ConversationRef, me: number) =>
  conversation.kind === 'private'
    ? channelOf(conversation, me)
    : fillChannel(chatChannels.groupPresence, { group: conversation.id })

/** Keeps its height when it is empty, so that nothing moves. */
export function TypingIndicator({ store, info }: { store: MessageStore; info: ConversationInfo | null }) {
  const t = useText(messageText)
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

type PresenceMember = { id: string; info: Person }

/** `other` is the name of the other person in a private chat, and null in a group. */
function useTyping(conversation: ConversationRef, me: number, other: string | null) {
  const [typing, setTyping] = useState<ReadonlyMap<string, string>>(new Map())
  const [timers] = useState(() => new Map<string, ReturnType<typeof setTimeout>>())
  const [members] = useState(() => new Map<string, string>())
  useEffect(() => () => timers.forEach(clearTimeout), [timers])

  const addMember = ({ id, info }: PresenceMember) => members.set(id, info.name)
  const stop = (user: string) => {
    clearTimeout(timers.get(user))
    setTyping((before) => new Map([...before].filter(([id]) => id !== user)))
  }
  const start = (user: string, name: string) => {
    clearTimeout(timers.get(user))
    timers.set(user, setTimeout(stop, TYPING_TIMEOUT, user))
    setTyping((before) => new Map(before).set(user, name))
  }
  realtime.useListener(typingChannel(conversation, me), {
    onSubscribed(list) {
      if (conversation.kind === 'groups')
        (list as { each(run: (member: PresenceMember) => void): void }).each(addMember)
    },
    events: {
      'pusher:member_added': addMember,
      'pusher:member_removed': ({ id }: PresenceMember) => stop(id),
      'client-typing': (_: unknown, { user_id = '' }) => {
        const name = other ?? members.get(user_id)
        if (name) start(user_id, name)
      },
      'client-stopped': (_: unknown, { user_id = '' }) => stop(user_id),
    },
  })
  return [...typing.values()]
}

/** Call it with the text of the box after each change. Sends at most one event in three seconds. */
export function useSendTyping(conversation: ConversationRef, me: number) {
  const sentAt = useRef(0)
  const channel = typingChannel(conversation, me)
  return (text: string) => {
    if (!text.trim()) {
      if (sentAt.current) realtime.send(channel, 'stopped')
      sentAt.current = 0
    } else if (Date.now() - sentAt.current > SEND_INTERVAL) {
      sentAt.current = Date.now()
      realtime.send(channel, 'typing')
    }
  }
}
