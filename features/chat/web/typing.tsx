import { useEffect, useRef, useState } from 'react'
import { fillChannelNameParameters } from '#core/contract.ts'
import type { Person } from '#features/people/contract.ts'
import { useText } from '#web/i18n.ts'
import { sendClientEvent, useChannelListener } from '#web/realtime.ts'
import { chatChannelDefinitions } from '../channel-contract.ts'
import type { ChatPartnerOrGroupRef } from './chat-state.ts'
import { type ConversationInfo, isGroupConversation } from './conversation.ts'
import { type MessageStore, toConversationChannelName } from './message-store.ts'
import { chatText } from './text.ts'

/**
 * The number of milliseconds between two events `client-typing` that the page sends while the user keeps
 * typing.
 */
const SEND_INTERVAL = 3000
/** For how many milliseconds a person is shown as typing after the person's last event `client-typing`. */
const TYPING_TIMEOUT = 5000

/**
 * Returns the name of the channel that carries the typing events of a conversation. In a group it is the
 * presence channel, because only there the event says who sent it. In a private chat, the sender can only be
 * the other person.
 */
const typingChannel = (conversation: ChatPartnerOrGroupRef, me: number) =>
  conversation.kind === 'private'
    ? toConversationChannelName(conversation, me)
    : fillChannelNameParameters(chatChannelDefinitions.groupPresence, { group: conversation.id })

/**
 * Renders the line with the names of the people who are typing. The line keeps its height when it is empty,
 * so that nothing moves.
 */
export function TypingIndicator({ store, info }: { store: MessageStore; info: ConversationInfo | null }) {
  const t = useText(chatText)
  const other = info && !isGroupConversation(info) ? info.user.name : null
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

/**
 * Returns the names of the people who are typing. `other` is the name of the other person in a private chat,
 * and null in a group.
 */
function useTyping(conversation: ChatPartnerOrGroupRef, me: number, other: string | null) {
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
  useChannelListener(typingChannel(conversation, me), {
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

/**
 * Returns a function that must be called with the text of the message box after each change. The function
 * sends events that tell the others that the user is typing, at most every three seconds, and one event when
 * the text becomes empty.
 */
export function useSendTypingEvents(conversation: ChatPartnerOrGroupRef, me: number) {
  const sentAt = useRef(0)
  const channel = typingChannel(conversation, me)
  return (text: string) => {
    if (!text.trim()) {
      if (sentAt.current) sendClientEvent(channel, 'stopped')
      sentAt.current = 0
    } else if (Date.now() - sentAt.current > SEND_INTERVAL) {
      sentAt.current = Date.now()
      sendClientEvent(channel, 'typing')
    }
  }
}
