import type { default as PusherTypes } from 'pusher-js'
import { useEffect, useEffectEvent } from 'react'
import { authorise } from '#core/contract.ts'
import type { Person } from '#features/people/contract.ts'
import { ApiError, api, freshToken } from '#web/api.ts'
import { onDisconnect, onReconnect, whenReconnected } from '#web/connection.ts'
import { pageData } from '#web/page-data.ts'
import { createStore, useStore } from '#web/store.ts'

type Pusher = InstanceType<typeof PusherTypes.default>
type Channel = ReturnType<Pusher['subscribe']>
export interface Listener {
  /** Called after each subscription, also after a gap: what happened in the gap has to be fetched. */
  subscribed?: (members: unknown) => void
  /** The server does not, or no longer, allow the subscription. */
  refused?: (status: number | undefined) => void
  events?: Readonly<Record<string, (data: never, metadata: { user_id?: string }) => void>>
}

/** Milliseconds after which a silent connection counts as broken. */
const TIMEOUT = 10_000
const LONGEST_WAIT = 30_000

let pusher: Pusher | null = null
/** Raised by each start and stop, so that a start that was overtaken gives up. */
let generation = 0
/** Each channel is subscribed to once, however many listeners it has. */
const subscriptions = new Map<string, { listeners: Set<Listener>; channel: Channel | null }>()
const sessionEndListeners = new Set<() => void>()

/** Loads the Pusher client after the first paint and connects as the current user. */
export async function startRealtime() {
  const mine = ++generation
  const { default: Client } = (await import('pusher-js')) as unknown as {
    default: new (key: string, options: object) => Pusher
  }
  if (mine !== generation) return
  pusher = new Client(pageData.app.key, {
    cluster: '',
    wsHost: location.hostname,
    wsPort: Number(location.port) || 80,
    wssPort: Number(location.port) || 443,
    forceTLS: location.protocol === 'https:',
    enabledTransports: ['ws', 'wss'],
    disableStats: true,
    activityTimeout: 20_000,
    pongTimeout: TIMEOUT,
    unavailableTimeout: TIMEOUT,
    channelAuthorization: { customHandler: authoriseChannel },
  })
  watchState(pusher)
  for (const name of subscriptions.keys()) subscribe(name)
}

function watchState(client: Pusher) {
  let wasConnected = false
  client.connection.bind('state_change', ({ current }: { current: string }) => {
    if (current === 'connected') {
      wasConnected = true
      onReconnect()
    } else if (wasConnected && (current === 'connecting' || current === 'unavailable')) {
      setOnline([])
      onDisconnect()
    }
    // The server has closed the connection for good: the session is over.
    else if (current === 'disconnected' && client === pusher && !isRestarting)
      for (const listener of sessionEndListeners) listener()
  })
}

/**
 * The client waits longer and longer between two tries. As soon as the server answers a request, it need
 * not wait.
 */
let isRestarting = false
whenReconnected(() => {
  if (!pusher || pusher.connection.state === 'connected') return
  isRestarting = true
  pusher.disconnect()
  isRestarting = false
  pusher.connect()
})

export function stopRealtime() {
  generation++
  const client = pusher
  pusher = null
  for (const subscription of subscriptions.values()) subscription.channel = null
  setOnline([])
  client?.disconnect()
}

/**
 * Fetched once, before the first private channel, as Sanctum's clients do. A request with an expired token
 * fetches another.
 */
let token: Promise<unknown> | undefined

type AuthCallback = (error: Error | null, auth: { auth: string; channel_data?: string } | null) => void

/** A request that fails for the moment is tried again; a refusal is final. */
async function authoriseChannel(
  { socketId, channelName }: { socketId: string; channelName: string },
  done: AuthCallback,
) {
  await (token ??= freshToken())
  for (let attempt = 1; ; attempt++)
    try {
      return done(null, await api(authorise, { socket_id: socketId, channel_name: channelName }))
    } catch (error) {
      const isTemporary =
        error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500)
      if (!isTemporary || pusher?.connection.socket_id !== socketId) {
        // pusher-js does not pass the status on, so the listeners get it from here.
        for (const { refused } of subscriptions.get(channelName)?.listeners ?? [])
          refused?.(error instanceof ApiError ? error.status : undefined)
        return done(error as Error, null)
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** attempt, LONGEST_WAIT)))
    }
}

function subscribe(name: string) {
  const subscription = subscriptions.get(name)
  if (!pusher || !subscription) return
  const { listeners } = subscription
  const channel = pusher.subscribe(name)
  subscription.channel = channel
  channel.bind('pusher:subscription_succeeded', (members: unknown) => {
    for (const { subscribed } of listeners) subscribed?.(members)
  })
  channel.bind('pusher:subscription_error', ({ status }: { status?: number }) => {
    if (status) for (const { refused } of listeners) refused?.(status)
  })
  for (const listener of listeners) bind(channel, listener)
}

function bind(channel: Channel, { events = {} }: Listener) {
  for (const [event, handler] of Object.entries(events)) channel.bind(event, handler)
}

/** Adds a listener, and subscribes if it is the channel's first. Returns how to stop. */
export function listen(name: string, listener: Listener) {
  const known = subscriptions.get(name)
  if (known) {
    known.listeners.add(listener)
    if (known.channel) {
      bind(known.channel, listener)
      if (known.channel.subscribed)
        listener.subscribed?.((known.channel as unknown as { members?: unknown }).members)
    }
  } else {
    subscriptions.set(name, { listeners: new Set([listener]), channel: null })
    subscribe(name)
  }
  return () => {
    const subscription = subscriptions.get(name)
    if (!subscription) return
    const { listeners, channel } = subscription
    listeners.delete(listener)
    for (const [event, handler] of Object.entries(listener.events ?? {})) channel?.unbind(event, handler)
    if (listeners.size) return
    subscriptions.delete(name)
    pusher?.unsubscribe(name)
  }
}

/** Listens to a channel while the calling component is mounted. With `null` it listens to none. */
export function useChannel(name: string | null, listener: Listener) {
  const subscribed = useEffectEvent((members: unknown) => listener.subscribed?.(members))
  const refused = useEffectEvent((status: number | undefined) => listener.refused?.(status))
  const handle = useEffectEvent((event: string, data: never, metadata: { user_id?: string }) =>
    listener.events?.[event]?.(data, metadata),
  )
  const names = Object.keys(listener.events ?? {}).join(' ')
  useEffect(() => {
    if (!name) return
    const handlers = names
      .split(' ')
      .filter(Boolean)
      .map((event) => {
        const handler = (data: never, metadata: { user_id?: string }) => handle(event, data, metadata)
        return [event, handler] as const
      })
    return listen(name, { subscribed, refused, events: Object.fromEntries(handlers) })
  }, [name, names])
}

/**
 * Sends a client event to the other subscribers of a private or presence channel. Without a connection it
 * does nothing.
 */
export function sendClientEvent(name: string, event: string, data: object = {}) {
  const channel = subscriptions.get(name)?.channel
  if (channel?.subscribed) channel.trigger(`client-${event}`, data)
}

/** Calls `listener` when the server has ended the connection for good. Returns how to stop. */
export function onSessionEnd(listener: () => void) {
  sessionEndListeners.add(listener)
  return () => {
    sessionEndListeners.delete(listener)
  }
}

// ── Who is online ───────────────────────────────────────────────────────────

const online = createStore<ReadonlyMap<number, Person>>(new Map())
const setOnline = (people: Iterable<Person>) =>
  online.set(new Map([...people].map((person) => [person.id, person])))

interface Member {
  id: string
  info: Person
}

/** Keeps the list for `useHere`. Only the shell calls it. */
export const useWatchHere = (enabled: boolean) =>
  useChannel(enabled ? 'presence-here' : null, {
    subscribed(members) {
      const people: Person[] = []
      ;(members as { each(run: (member: Member) => void): void }).each(({ info }) => people.push(info))
      setOnline(people)
    },
    events: {
      'pusher:member_added': ({ info }: Member) => setOnline([...online.get().values(), info]),
      'pusher:member_removed': ({ id }: Member) =>
        setOnline([...online.get().values()].filter((person) => person.id !== Number(id))),
    },
  })

/** The people who are online now, by id. The current user is among them. */
export const useHere = () => useStore(online)
