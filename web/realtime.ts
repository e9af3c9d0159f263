import type { default as PusherTypes } from 'pusher-js'
import { useEffect, useEffectEvent } from 'react'
import type { Person } from '#features/people/contract.ts'
import { addServerOutageEndListener, markServerReachable, markServerUnreachable } from '#web/connection.ts'
import { probeServerAndDetectNewAppVersion } from '#web/new-version.ts'
import { initialPageData } from '#web/page-data.ts'
import { applyAccentColourStyleSheet } from '#web/settings.ts'
import { createStore, useStore } from '#web/store.ts'

type Pusher = InstanceType<typeof PusherTypes.default>
type Channel = ReturnType<Pusher['subscribe']>
export interface PusherChannelListenerCallbacks {
  /**
   * Called after each successful subscription to the channel. After an outage the listener must then fetch
   * the changes that it missed.
   */
  onSubscribed?: (members: unknown) => void
  /** Called when the server refuses the subscription to the channel, or ends it. */
  onSubscriptionError?: (status: number | undefined) => void
  events?: Readonly<Record<string, (data: never, metadata: { user_id?: string }) => void>>
}

/** The number of milliseconds to wait for a pong before the connection counts as broken. */
const PONG_TIMEOUT = 10_000

let pusher: Pusher | null = null
/**
 * The number of times that the real-time connection was started or stopped. `connectRealtime` compares the
 * numbers before and after it loads the Pusher client. If they differ, it gives up, because a later start or
 * stop has begun.
 */
let generation = 0
/**
 * The subscriptions by the name of their channel. The page subscribes to each channel once, however many
 * listeners it has.
 */
const subscriptions = new Map<
  string,
  { listeners: Set<PusherChannelListenerCallbacks>; channel: Channel | null }
>()
const sessionEndListeners = new Set<() => void>()

/** Loads the Pusher client, and opens the real-time connection as the current user. */
export async function connectRealtime() {
  const mine = ++generation
  const [pusherModule, { createChannelAuthoriser }] = await Promise.all([
    import('pusher-js'),
    import('#web/channel-auth.ts'),
  ])
  if (mine !== generation) return
  const Client = pusherModule.default as unknown as new (key: string, options: object) => Pusher
  const authoriseChannel = createChannelAuthoriser({
    isCurrent: (socketId) => pusher?.connection.socket_id === socketId,
    onRefused: (name, status) => {
      for (const { onSubscriptionError } of subscriptions.get(name)?.listeners ?? [])
        onSubscriptionError?.(status)
    },
  })
  pusher = new Client(initialPageData.app.key, {
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
      // Asks for the server's version after a lost connection, because an update restarts the server.
      if (wasConnected) void probeServerAndDetectNewAppVersion()
      wasConnected = true
      markServerReachable()
    } else if (wasConnected && (current === 'connecting' || current === 'unavailable')) {
      setOnline([])
      markServerUnreachable()
    }
    // Tells the listeners that the session has ended, because the server has closed the connection for good.
    else if (current === 'disconnected' && client === pusher && !isRestarting)
      for (const listener of sessionEndListeners) listener()
  })
}

/**
 * True while the listener below closes the connection in order to open it again, so that this does not count
 * as the end of the session. The listener reconnects as soon as the server answers a request after an outage,
 * because pusher-js waits longer.
 */
let isRestarting = false
addServerOutageEndListener(() => {
  if (!pusher || pusher.connection.state === 'connected') return
  isRestarting = true
  pusher.disconnect()
  isRestarting = false
  pusher.connect()
})

export function disconnectRealtime() {
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

function bind(channel: Channel, { events = {} }: PusherChannelListenerCallbacks) {
  for (const [event, handler] of Object.entries(events)) channel.bind(event, handler)
}

/**
 * Adds a listener to a channel. The first listener of a channel makes the page subscribe to it. Returns a
 * function that removes the listener; the removal of the last listener unsubscribes from the channel.
 */
export function listenToChannel(name: string, listener: PusherChannelListenerCallbacks) {
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

/**
 * Adds a listener to a channel while the calling component is mounted. If the name of the channel is null,
 * there is no listener.
 */
export function useChannelListener(name: string | null, listener: PusherChannelListenerCallbacks) {
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
    return listenToChannel(name, {
      onSubscribed,
      onSubscriptionError,
      events: Object.fromEntries(handlers),
    })
  }, [name, names])
}

/**
 * Sends a Pusher client event to the other subscribers of a private or presence channel. Does nothing while
 * the page is not subscribed to the channel.
 */
export function sendClientEvent(name: string, event: string, data: object = {}) {
  const channel = subscriptions.get(name)?.channel
  if (channel?.subscribed) channel.trigger(`client-${event}`, data)
}

/**
 * Calls `listener` when the server has ended the real-time connection for good, because the session has
 * ended. Returns a function that removes the listener.
 */
export function addSessionEndListener(listener: () => void) {
  sessionEndListeners.add(listener)
  return () => {
    sessionEndListeners.delete(listener)
  }
}

// ── The members who are online ─────────────────────────────────────────────

const online = createStore<ReadonlyMap<number, Person>>(new Map())
const setOnline = (people: Iterable<Person>) =>
  online.set(new Map([...people].map((person) => [person.id, person])))

interface PresenceMember {
  id: string
  info: Person
}

/**
 * Keeps the list of online members and the accent colour of the page current. Only the frame of the pages
 * (`AppShell`) calls this hook.
 */
export const useTrackOnlineMembersAndAccentColour = (enabled: boolean) =>
  useChannelListener(enabled ? 'presence-here' : null, {
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
      LookChanged: ({ accent_colour }: { accent_colour: string | null }) =>
        applyAccentColourStyleSheet(accent_colour),
    },
  })

/** Returns a map of the people who are online now, by their user id. The current user is among them. */
export const useOnlineMembersById = () => useStore(online)
