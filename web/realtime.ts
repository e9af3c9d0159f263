import type { default as PusherTypes } from 'pusher-js'
import { useEffect, useEffectEvent } from 'react'
import type { Person } from '#features/people/contract.ts'
import { markReachable, markUnreachable, onOutageEnd } from '#web/connection.ts'
import { loadAfterRender } from '#web/lazyWithRetry.ts'
import * as newVersion from '#web/new-version.ts'
import { pageData } from '#web/page-data.ts'
import { applyAccent } from '#web/settings.ts'
import { createStore, useStore } from '#web/store.ts'

type Pusher = InstanceType<typeof PusherTypes.default>
type Channel = ReturnType<Pusher['subscribe']>
export interface ChannelListener {
  /** After each subscription. After an outage the listener must fetch the changes that it missed. */
  onSubscribed?: (members: unknown) => void
  /** The server refuses the subscription, or ends it. */
  onSubscriptionError?: (status: number | undefined) => void
  events?: Readonly<Record<string, (data: never, metadata: { user_id?: string }) => void>>
}

/** Milliseconds until the connection counts as broken. */
const PONG_TIMEOUT = 10_000

let pusher: Pusher | null = null
/** Starts and stops so far: `realtime.connect` gives up if it changes while the Pusher client loads. */
let generation = 0
/** By channel name; one subscription for all listeners. */
const subscriptions = new Map<string, { listeners: Set<ChannelListener>; channel: Channel | null }>()
const sessionEndListeners = new Set<() => void>()

export async function connect() {
  const mine = ++generation
  // After the parts of the page that the first render lacks.
  const [pusherModule, { createAuthoriser }] = await loadAfterRender(() =>
    Promise.all([import('pusher-js'), import('#web/channel-auth.ts')]),
  )
  if (mine !== generation) return
  const Client = pusherModule.default as unknown as new (key: string, options: object) => Pusher
  const authoriseChannel = createAuthoriser({
    isCurrent: (socketId) => pusher?.connection.socket_id === socketId,
    onRefused: (name, status) => {
      for (const { onSubscriptionError } of subscriptions.get(name)?.listeners ?? [])
        onSubscriptionError?.(status)
    },
  })
  pusher = new Client(pageData.app.key, {
    cluster: '',
    wsHost: location.hostname,
    wsPort: Number(location.port) || 80,
    wssPort: Number(location.port) || 443,
    forceTLS: location.protocol === 'https:',
    enabledTransports: ['ws', 'wss'],
    disableStats: true,
    activityTimeout: 20_000,
    pongTimeout: PONG_TIMEOUT,
    unavailableTimeout: PONG_TIMEOUT,
    channelAuthorization: { customHandler: authoriseChannel },
  })
  watchState(pusher)
  for (const name of subscriptions.keys()) subscribe(name)
}

function watchState(client: Pusher) {
  let wasConnected = false
  client.connection.bind('state_change', ({ current }: { current: string }) => {
    if (current === 'connected') {
      // An update restarts the server.
      if (wasConnected) void newVersion.probe()
      wasConnected = true
      markReachable()
    } else if (wasConnected && (current === 'connecting' || current === 'unavailable')) {
      setOnline([])
      markUnreachable()
    }
    // The server has closed the connection for good.
    else if (current === 'disconnected' && client === pusher && !isRestarting)
      for (const listener of sessionEndListeners) listener()
  })
}

/**
 * The listener below closes the connection in order to open it again, as soon as the server answers after an
 * outage: pusher-js would wait longer. This is not the end of the session.
 */
let isRestarting = false
onOutageEnd(() => {
  if (!pusher || pusher.connection.state === 'connected') return
  isRestarting = true
  pusher.disconnect()
  isRestarting = false
  pusher.connect()
})

export function disconnect() {
  generation++
  const client = pusher
  pusher = null
  for (const subscription of subscriptions.values()) subscription.channel = null
  setOnline([])
  client?.disconnect()
}

function subscribe(name: string) {
  const subscription = subscriptions.get(name)
  if (!pusher || !subscription) return
  const { listeners } = subscription
  const channel = pusher.subscribe(name)
  subscription.channel = channel
  channel.bind('pusher:subscription_succeeded', (members: unknown) => {
    for (const { onSubscribed } of listeners) onSubscribed?.(members)
  })
  channel.bind('pusher:subscription_error', ({ status }: { status?: number }) => {
    if (status) for (const { onSubscriptionError } of listeners) onSubscriptionError?.(status)
  })
  for (const listener of listeners) bind(channel, listener)
}

function bind(channel: Channel, { events = {} }: ChannelListener) {
  for (const [event, handler] of Object.entries(events)) channel.bind(event, handler)
}

/** The first listener subscribes, and the removal of the last one, by the result, unsubscribes. */
export function listen(name: string, listener: ChannelListener) {
  const known = subscriptions.get(name)
  if (known) {
    known.listeners.add(listener)
    if (known.channel) {
      bind(known.channel, listener)
      if (known.channel.subscribed)
        listener.onSubscribed?.((known.channel as unknown as { members?: unknown }).members)
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

/** While the component is mounted; not with null. */
export function useListener(name: string | null, listener: ChannelListener) {
  const onSubscribed = useEffectEvent((members: unknown) => listener.onSubscribed?.(members))
  const onSubscriptionError = useEffectEvent((status: number | undefined) =>
    listener.onSubscriptionError?.(status),
  )
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
    return listen(name, {
      onSubscribed,
      onSubscriptionError,
      events: Object.fromEntries(handlers),
    })
  }, [name, names])
}

/** To the other subscribers of a private or presence channel. Nothing while the page is not subscribed. */
export function send(name: string, event: string, data: object = {}) {
  const channel = subscriptions.get(name)?.channel
  if (channel?.subscribed) channel.trigger(`client-${event}`, data)
}

/** The server has ended the connection for good. Returns a function that removes the listener. */
export function onSessionEnd(listener: () => void) {
  sessionEndListeners.add(listener)
  return () => {
    sessionEndListeners.delete(listener)
  }
}

const online = createStore<ReadonlyMap<number, Person>>(new Map())
const setOnline = (people: Iterable<Person>) =>
  online.set(new Map([...people].map((person) => [person.id, person])))

interface PresenceMember {
  id: string
  info: Person
}

/** Only for `AppShell`. */
export const useTracking = (enabled: boolean) =>
  useListener(enabled ? 'presence-here' : null, {
    onSubscribed(members) {
      const people: Person[] = []
      ;(members as { each(run: (member: PresenceMember) => void): void }).each(({ info }) =>
        people.push(info),
      )
      setOnline(people)
    },
    events: {
      'pusher:member_added': ({ info }: PresenceMember) => setOnline([...online.get().values(), info]),
      'pusher:member_removed': ({ id }: PresenceMember) =>
        setOnline([...online.get().values()].filter((person) => person.id !== Number(id))),
      LookChanged: ({ accent_colour }: { accent_colour: string | null }) => applyAccent(accent_colour),
    },
  })

/** With the current user. */
export const useOnline = () => useStore(online)
