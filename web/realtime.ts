import type { default as PusherTypes } from 'pusher-js'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { authorise } from '#core/contract.ts'
import type { Person } from '#features/people/contract.ts'
import { ApiError, api, freshToken } from '#web/api.ts'
import { onDisconnect, onReconnect, whenReconnected } from '#web/connection.ts'
import { pageData } from '#web/page-data.ts'

type Pusher = InstanceType<typeof PusherTypes.default>
type Channel = ReturnType<Pusher['subscribe']>
/** What a listener may be told, besides the events of the channel itself. */
interface Signs {
  /** Subscribed, again after each gap: whatever was said in between has to be fetched. */
  subscribed?: (members: unknown) => void
  /** The server does not, or no longer, allow it. */
  refused?: (status: number | undefined) => void
}
export type Listener = Signs & {
  events?: Readonly<Record<string, (data: never, about: { user_id?: string }) => void>>
}

const PATIENCE = 10_000
const MOST_WAIT = 30_000

let pusher: Pusher | null = null
let starting = 0
const rooms = new Map<string, { listeners: Set<Listener>; channel: Channel | null }>()
const endings = new Set<() => void>()

/** The protocol's own client, loaded after the first paint. Replaces the connection of whoever was here before. */
export async function startRealtime() {
  const turn = ++starting
  const { default: Client } = (await import('pusher-js')) as unknown as {
    default: new (key: string, options: object) => Pusher
  }
  if (turn !== starting) return
  pusher = new Client(pageData.app.key, {
    cluster: '',
    wsHost: location.hostname,
    wsPort: Number(location.port) || 80,
    wssPort: Number(location.port) || 443,
    forceTLS: location.protocol === 'https:',
    enabledTransports: ['ws', 'wss'],
    disableStats: true,
    activityTimeout: 20_000,
    pongTimeout: PATIENCE,
    unavailableTimeout: PATIENCE,
    channelAuthorization: { customHandler: askLeave },
  })
  const mine = pusher
  let wasConnected = false
  mine.connection.bind('state_change', ({ current }: { current: string }) => {
    if (current === 'connected') {
      wasConnected = true
      onReconnect()
    } else if (wasConnected && (current === 'connecting' || current === 'unavailable')) {
      setHere([])
      onDisconnect()
    }
    // The server has closed it for good: the session is over.
    else if (current === 'disconnected' && mine === pusher && !isReviving) for (const told of endings) told()
  })
  for (const name of rooms.keys()) enter(name)
}

/** The client waits longer and longer before it tries again; where the server answers calls, it need not. */
let isReviving = false
whenReconnected(() => {
  if (!pusher || pusher.connection.state === 'connected') return
  isReviving = true
  pusher.disconnect()
  isReviving = false
  pusher.connect()
})

export function stopRealtime() {
  starting++
  const mine = pusher
  pusher = null
  for (const room of rooms.values()) room.channel = null
  setHere([])
  mine?.disconnect()
}

/** As Sanctum's clients do before they use private channels; once is enough, since a call that is refused for its token fetches another. */
let token: Promise<unknown> | undefined

type Answer = (error: Error | null, leave: { auth: string; channel_data?: string } | null) => void

/** A call that fails in passing is made again; a refusal is final. */
async function askLeave(
  { socketId, channelName }: { socketId: string; channelName: string },
  answer: Answer,
) {
  await (token ??= freshToken())
  for (let tried = 1; ; tried++)
    try {
      return answer(null, await api(authorise, { socket_id: socketId, channel_name: channelName }))
    } catch (error) {
      const passing =
        error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
      if (!passing || pusher?.connection.socket_id !== socketId) {
        // The client would forget the status of it.
        for (const { refused } of rooms.get(channelName)?.listeners ?? [])
          refused?.(error instanceof ApiError ? error.status : undefined)
        return answer(error as Error, null)
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** tried, MOST_WAIT)))
    }
}

function enter(name: string) {
  const room = rooms.get(name)
  if (!pusher || !room) return
  const channel = pusher.subscribe(name)
  room.channel = channel
  channel.bind('pusher:subscription_succeeded', (members: unknown) => {
    for (const { subscribed } of room.listeners) subscribed?.(members)
  })
  channel.bind('pusher:subscription_error', ({ status }: { status?: number }) => {
    if (status) for (const { refused } of room.listeners) refused?.(status)
  })
  for (const listener of room.listeners) bind(channel, listener)
}

function bind(channel: Channel, { events = {} }: Listener) {
  for (const [event, told] of Object.entries(events)) channel.bind(event, told)
}

/** Subscribes while somebody listens. Returns how to stop. */
function listen(name: string, listener: Listener) {
  const known = rooms.get(name)
  if (known) {
    known.listeners.add(listener)
    if (known.channel) {
      bind(known.channel, listener)
      if (known.channel.subscribed)
        listener.subscribed?.((known.channel as unknown as { members?: unknown }).members)
    }
  } else {
    rooms.set(name, { listeners: new Set([listener]), channel: null })
    enter(name)
  }
  return () => {
    const room = rooms.get(name)
    if (!room) return
    room.listeners.delete(listener)
    for (const [event, told] of Object.entries(listener.events ?? {})) room.channel?.unbind(event, told)
    if (room.listeners.size) return
    rooms.delete(name)
    pusher?.unsubscribe(name)
  }
}

/** Hears the events of a channel while it is shown; `null` is none. */
export function useChannel(name: string | null, listener: Listener) {
  const subscribed = useEffectEvent((members: unknown) => listener.subscribed?.(members))
  const refused = useEffectEvent((status: number | undefined) => listener.refused?.(status))
  const happened = useEffectEvent((event: string, data: never, about: { user_id?: string }) =>
    listener.events?.[event]?.(data, about),
  )
  const names = Object.keys(listener.events ?? {}).join(' ')
  useEffect(() => {
    if (!name) return
    const events = Object.fromEntries(
      names
        .split(' ')
        .filter(Boolean)
        .map((event) => [event, (data: never, about: { user_id?: string }) => happened(event, data, about)]),
    )
    return listen(name, { subscribed, refused, events })
  }, [name, names])
}

/** Tells the other subscribers of a private or presence channel, past the server's own rules; nothing where there is no line. */
export function sendClientEvent(name: string, event: string, data: object = {}) {
  const channel = rooms.get(name)?.channel
  if (channel?.subscribed) channel.trigger(`client-${event}`, data)
}

/** Told when the server has ended the connection for good. */
export function onSessionEnd(told: () => void) {
  endings.add(told)
  return () => {
    endings.delete(told)
  }
}

// ── Who is here ─────────────────────────────────────────────────────────────

let here: ReadonlyMap<number, Person> = new Map()
const watchers = new Set<() => void>()
function setHere(people: Iterable<Person>) {
  here = new Map([...people].map((person) => [person.id, person]))
  for (const told of watchers) told()
}

interface Member {
  id: string
  info: Person
}

/** Keeps track of who is here, for `useHere`; for the shell alone. */
export const useWatchHere = (enabled: boolean) =>
  useChannel(enabled ? 'presence-here' : null, {
    subscribed(members) {
      const people: Person[] = []
      ;(members as { each(run: (member: Member) => void): void }).each(({ info }) => people.push(info))
      setHere(people)
    },
    events: {
      'pusher:member_added': ({ info }: Member) => setHere([...here.values(), info]),
      'pusher:member_removed': ({ id }: Member) =>
        setHere([...here.values()].filter((person) => person.id !== Number(id))),
    },
  })

const subscribeHere = (told: () => void) => {
  watchers.add(told)
  return () => watchers.delete(told)
}
/** Who is here now, by id; oneself among them. */
export const useHere = () => useSyncExternalStore(subscribeHere, () => here)
