import { useEffect, useRef, useState } from 'react'
import { channelName } from '#core/contract.ts'
import type { Person } from '#features/people/contract.ts'
import { sendClientEvent, useChannel } from '#web/realtime.ts'
import type { ConversationRef } from '#web/unread.ts'
import { channels } from '../contract.ts'
import { channelOf } from './useMessageStore.tsx'

const EVERY = 3000
const LASTS = 5000

/** In a group the channel says who whispers; in a private chat it can only be the other. */
const whisperedOn = (place: ConversationRef, me: number) =>
  place.kind === 'private' ? channelOf(place, me) : channelName(channels.room, { group: place.id })

interface Members {
  each(run: (member: { id: string; info: Person }) => void): void
}

/** Who is typing here, by name. */
export function useTyping(place: ConversationRef, me: number, other: string | null) {
  const [typing, setTyping] = useState<ReadonlyMap<string, string>>(new Map())
  const names = useRef(new Map<string, string>())
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  const stop = (who: string) => {
    clearTimeout(timers.current.get(who))
    setTyping((now) => new Map([...now].filter(([one]) => one !== who)))
  }
  const start = (who: string, name: string) => {
    clearTimeout(timers.current.get(who))
    timers.current.set(who, setTimeout(stop, LASTS, who))
    setTyping((now) => new Map(now).set(who, name))
  }
  const nameOf = (who: string): string | undefined => other ?? names.current.get(who)
  useChannel(whisperedOn(place, me), {
    subscribed(members) {
      if (place.kind === 'groups')
        (members as Members).each(({ id, info }) => names.current.set(id, info.name))
    },
    events: {
      'pusher:member_added': ({ id, info }: { id: string; info: Person }) => names.current.set(id, info.name),
      'pusher:member_removed': ({ id }: { id: string }) => stop(id),
      'client-typing': (_: unknown, { user_id = '' }) => {
        const name = nameOf(user_id)
        if (name) start(user_id, name)
      },
      'client-stopped': (_: unknown, { user_id = '' }) => stop(user_id),
    },
  })
  useEffect(() => {
    const running = timers.current
    return () => {
      for (const timer of running.values()) clearTimeout(timer)
    }
  }, [])
  return [...typing.values()]
}

/** Tells the others, now and then while something is being written. */
export function useTellTyping(place: ConversationRef, me: number) {
  const toldAt = useRef(0)
  const channel = whisperedOn(place, me)
  return (text: string) => {
    if (!text.trim()) {
      if (toldAt.current) sendClientEvent(channel, 'stopped')
      toldAt.current = 0
    } else if (Date.now() - toldAt.current > EVERY) {
      toldAt.current = Date.now()
      sendClientEvent(channel, 'typing')
    }
  }
}
