import { createHash, createHmac, randomInt, randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { Config } from '#core/config.ts'
import type { Channels } from '#core/contract.ts'
import { errors } from '#core/http/errors.ts'
import { type Bus, type BusHandlers, createMemoryBus, createRedisBus } from '#core/realtime/bus.ts'
import { createConnectionLimits } from '#core/realtime/connection-limits.ts'
import { eventText, framed, isSame, parsed, textsOf, userOf } from '#core/realtime/frames.ts'
import { createPresence, type Roster } from '#core/realtime/presence.ts'
import type { Redis } from '#core/redis.ts'

/** The Pusher protocol, version 7 (https://pusher.com/docs/channels/library_auth_reference/pusher-websockets-protocol/). */
const PROTOCOL = '7'
const MOST_INCOMING = 65_536
const MOST_CLIENT_EVENT = 10_240
const CLIENT_EVENTS_A_SECOND = 10
const MESSAGES_A_SECOND = 500
const CHANNELS_A_SOCKET = 200
/** Bytes that may wait for a socket that reads too slowly, before it is closed. */
const MOST_WAITING = 4 * 2 ** 20
/** Milliseconds that writing rests. */
const REST = { least: 1, most: 10 }
/** Milliseconds until a socket that does not answer our goodbye is cut off. */
const CLOSING = 2000
/** Sockets in a millisecond that are told to connect again. */
const RECONNECTS = 2
/** Milliseconds that the other processes have to count their sockets. */
const COUNTING = 1000

export interface RealtimeOptions {
  /** Seconds of silence after which a client asks whether we are there; half as long again, and we ask. */
  activityTimeout?: number
  /** Seconds that an answer may take. */
  pongTimeout?: number
  /** Sockets at a time. */
  most?: number
}

/** Whether a member may subscribe: false, true, or what a presence channel tells the others of the member. */
export type Guard<Parts extends string = string> = (
  me: number,
  parts: Readonly<Record<Parts, number>>,
) => Promise<boolean | object> | boolean | object
type PartsOf<Name extends string> = Name extends `${string}:${infer Rest}`
  ? Rest extends `${infer Part}.${infer More}`
    ? Part | PartsOf<More>
    : Rest
  : never
/** One for each channel that is not public. */
export type Guards<C extends Channels> = {
  [K in keyof C as C[K]['name'] extends `${'private' | 'presence'}-${string}` ? K : never]: Guard<
    PartsOf<C[K]['name']>
  >
}

/** Whose subscriptions end. A channel and a member: that one; a member or a session alone: all of their sockets close; a channel alone: everybody's. */
export interface Revocation {
  channel?: string
  member?: number
  session?: string
}

export interface Realtime {
  /** Sends an event to everyone who is subscribed to any of the channels, in every process. `except` is a socket id. */
  broadcast(channels: readonly string[], event: string, data: unknown, except?: string): void
  /** As `broadcast`, with data that is JSON already. */
  broadcastJson(channels: readonly string[], event: string, data: string, except?: string): void
  revoke(whose: Revocation): void
  /** Asks the guards of all that a member is subscribed to once more: for changes of rights that do not know which channels they close. */
  recheck(member: number): void
  /** Signs a subscription for a member's socket; null where its guard refuses, or no guard knows the channel. */
  authorise(
    me: number,
    session: string,
    socketId: string,
    channel: string,
  ): Promise<{ auth: string; channel_data?: string } | null>
  addGuards<C extends Channels>(channels: C, guards: Guards<C>): void
  /** The channels that somebody is subscribed to, in any process, with how many sockets: those that are named, or all that begin so. */
  subscriptionCounts(wanted: ChannelSelector): Promise<ReadonlyMap<string, number>>
  /** Ids of the members of a presence channel. */
  memberIds(channel: string): string[]
  /** Resolves once all that was sent is on its way to the other processes. */
  flushed(): Promise<unknown>
  /** What this process holds, and how much it has done since it started. */
  stats(): {
    sockets: number
    channels: number
    processes: number
    events: number
    deliveries: number
    dropped: number
  }
  /** Whether the other processes hear us. */
  isConnected(): boolean
  /** Says goodbye to everyone with 4200. Resolves when they are gone. */
  close(): Promise<void>
}

export type ChannelSelector = { names: readonly string[] } | { prefix: string }

interface Socket {
  id: string
  ws: WebSocket
  raw: Duplex
  /** Who was authorised on it, by which session; null until then. */
  member: { id: number; session: string } | null
  channels: Map<string, { user: string | null }>
  /** Channels whose guard is being asked, each with the question that still counts. */
  asked: Map<string, symbol>
  /** Frames to be written at the end of this turn of the event loop, and their bytes. */
  frames: Buffer[]
  bytes: number
  heardAt: number
  pinged: boolean
  /** What came in within the current second. */
  second: number
  messages: number
  clientEvents: number
}

interface Room {
  sockets: Set<Socket>
  /** What a newcomer is told, kept until somebody comes or goes. */
  welcome: Buffer | null
  /** Of a presence channel: who is there, with how many sockets of this process. */
  members: Map<string, number>
}

/** What the processes tell each other. `data` is JSON already. */
type News =
  | {
      kind: 'event'
      channels: readonly string[]
      event: string
      data: string
      except?: string | undefined
      user_id?: string | undefined
    }
  | { kind: 'bind'; socket: string; member: number; session: string }
  | ({ kind: 'revoke' } & Revocation)
  | { kind: 'recheck'; member: number }
  | { kind: 'enter'; channel: string; user: string; info: unknown }
  | { kind: 'leave'; channel: string; user: string }
  | { kind: 'roster'; roster: Roster }
  | { kind: 'count'; question: string; wanted: ChannelSelector }
  | { kind: 'counted'; question: string; sockets: readonly (readonly [string, number])[] }

/** The topic of what concerns no single channel. */
const EVERYTHING = ''

interface Incoming {
  event?: unknown
  data?: unknown
}

/** `redis` joins it with the other processes of the community. */
export async function createRealtime(
  config: Config,
  server: Server,
  log: FastifyBaseLogger,
  redis: Redis | null,
  options: RealtimeOptions = {},
): Promise<Realtime> {
  const { activityTimeout = 30, pongTimeout = 30, most = 20_000 } = options
  const sockets = new Map<string, Socket>()
  const rooms = new Map<string, Room>()
  const guards: { pattern: RegExp; guard: Guard }[] = []
  const unwritten = new Set<Socket>()
  const presence = createPresence(appeared, vanished)
  const questions = new Map<
    string,
    (process: string, sockets: readonly (readonly [string, number])[]) => void
  >()
  const ears: BusHandlers<News> = {
    hear,
    asked: () => tellOthers({ kind: 'roster', roster: presence.roster(bus.me) }),
    missed: reconnectAll,
    went: (process) => presence.replace(process, []),
  }
  // `closeTimeout` is in ws since 8.19, and not yet in its types.
  const limits = {
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MOST_INCOMING,
    closeTimeout: CLOSING,
  }
  const listener = new WebSocketServer(limits)
  const done = { events: 0, deliveries: 0, dropped: 0 }
  const connections = createConnectionLimits(config)
  let closing = false
  /** When writing has rested, as `performance.now()` has it. */
  let restedAt = 0
  const bus: Bus<News> = redis ? await createRedisBus(redis, ears, log) : createMemoryBus(ears)

  /** What this process knows of itself already. */
  function tellOthers(news: News) {
    if (redis) void bus.publish(EVERYTHING, news)
  }

  // ── Coming and going ──────────────────────────────────────────────────────

  server.on('upgrade', (request: IncomingMessage, raw: Duplex, head: Buffer) => {
    raw.on('error', () => raw.destroy())
    const address = URL.parse(request.url ?? '', 'http://live')
    const key = /^\/app\/([^/]+)$/.exec(address?.pathname ?? '')?.[1]
    if (key !== undefined && !connections.admit(request, raw)) return
    if (key !== undefined)
      listener.handleUpgrade(request, raw, head, (ws) =>
        open(ws, raw, key, address!.searchParams.get('protocol')),
      )
    // Development has a second listener, for its own reloading.
    else if (server.listenerCount('upgrade') === 1)
      raw.once('finish', () => raw.destroy()).end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n')
  })

  function open(ws: WebSocket, raw: Duplex, key: string, protocol: string | null) {
    const socket: Socket = {
      id: `${randomInt(1e9)}.${randomInt(1e9)}`,
      ws,
      raw,
      member: null,
      channels: new Map(),
      asked: new Map(),
      frames: [],
      bytes: 0,
      heardAt: performance.now(),
      pinged: false,
      second: 0,
      messages: 0,
      clientEvents: 0,
    }
    ws.on('error', () => {}) // a broken frame or line: `close` follows
    if (closing) return end(socket, 4200, 'The server is restarting')
    if (key !== config.PUSHER_APP_KEY) return end(socket, 4001, 'Application does not exist')
    if (protocol === null) return end(socket, 4008, 'No protocol version supplied')
    if (protocol !== PROTOCOL) return end(socket, 4007, 'Unsupported protocol version')
    if (sockets.size >= most) return end(socket, 4100, 'Over capacity')
    sockets.set(socket.id, socket)
    ws.on('message', (data) => {
      try {
        listen(socket, data)
      } catch (error) {
        log.error({ err: error }, 'A message of a client failed')
        complain(socket, 4200, 'Invalid message')
      }
    })
    for (const sign of ['ping', 'pong'] as const) ws.on(sign, () => heard(socket))
    ws.on('close', () => {
      sockets.delete(socket.id)
      unwritten.delete(socket)
      depart(socket)
    })
    tell(socket, 'pusher:connection_established', { socket_id: socket.id, activity_timeout: activityTimeout })
  }

  /** The last words to a socket. It is gone for everybody at once; one that does not say goodbye is cut off. */
  function end(socket: Socket, code: number, message: string) {
    if (!isOpen(socket)) return
    tell(socket, 'pusher:error', { code, message })
    write(socket)
    socket.ws.close(code, message)
    depart(socket)
  }

  function depart(socket: Socket) {
    socket.asked.clear()
    for (const name of [...socket.channels.keys()]) leave(socket, name)
  }

  function heard(socket: Socket) {
    socket.heardAt = performance.now()
    socket.pinged = false
  }

  const patience = activityTimeout * 1500
  const watch = setInterval(() => {
    const now = performance.now()
    for (const socket of sockets.values()) {
      const silence = now - socket.heardAt
      if (silence > patience + pongTimeout * 1000) end(socket, 4201, 'Pong reply not received in time')
      else if (silence > patience && !socket.pinged) {
        socket.pinged = true
        tell(socket, 'pusher:ping', {})
      }
    }
  }, Math.min(activityTimeout, pongTimeout) * 250).unref()

  // ── What clients say ──────────────────────────────────────────────────────

  function listen(socket: Socket, data: RawData) {
    if (!isOpen(socket)) return
    heard(socket)
    const second = Math.floor(socket.heardAt / 1000)
    if (second !== socket.second) Object.assign(socket, { second, messages: 0, clientEvents: 0 })
    if (++socket.messages > MESSAGES_A_SECOND) return end(socket, 4100, 'Too many messages')
    const message = parsed(String(data)) as Incoming | null
    if (typeof message?.event !== 'string') return complain(socket, 4200, 'Invalid message')
    const said = typeof message.data === 'string' ? parsed(message.data) : message.data
    const { channel, auth, channel_data } = textsOf(said)
    if (message.event === 'pusher:ping') tell(socket, 'pusher:pong', {})
    else if (message.event === 'pusher:subscribe') void subscribe(socket, channel, auth, channel_data)
    else if (message.event === 'pusher:unsubscribe') unsubscribe(socket, channel)
    else if (message.event.startsWith('client-'))
      whisper(socket, message.event, textsOf(message).channel, message.data)
    else if (message.event !== 'pusher:pong') complain(socket, 4200, 'Unknown event')
  }

  const complain = (socket: Socket, code: number, message: string) =>
    tell(socket, 'pusher:error', { code, message })

  async function subscribe(socket: Socket, name: string, auth: string, channel_data: string) {
    if (!/^[\w\-=@,.;]{1,200}$/.test(name)) return complain(socket, 4200, 'Invalid channel name')
    const refuse = (status: number, error: string) =>
      tell(
        socket,
        'pusher:subscription_error',
        { type: status === 429 ? 'LimitReached' : 'AuthError', error, status },
        name,
      )
    if (socket.channels.has(name)) return acknowledge(socket, name)
    if (socket.channels.size + socket.asked.size >= CHANNELS_A_SOCKET) return refuse(429, 'Too many channels')
    if (isPublic(name)) return join(socket, name, null)
    const signed = name.startsWith('presence-')
      ? `${socket.id}:${name}:${channel_data}`
      : `${socket.id}:${name}`
    if (!isSame(auth, signature(signed))) return refuse(401, 'Invalid signature')
    const user = name.startsWith('presence-') ? userOf(channel_data) : null
    if (user === undefined) return refuse(401, 'Invalid channel data')
    if (user && socket.member && guardOf(name) && user.id !== String(socket.member.id))
      return refuse(401, 'Somebody else’s channel data')

    const question = Symbol(name)
    socket.asked.set(name, question)
    const verdict = await isAllowed(socket, name).catch((error: unknown) => {
      log.error({ err: error }, 'A guard failed')
      return null
    })
    // No longer asked: unsubscribed meanwhile, revoked, or gone.
    if (socket.asked.get(name) !== question) return
    socket.asked.delete(name)
    if (verdict === null) return refuse(503, 'Try again')
    if (!verdict) return refuse(403, 'Forbidden')
    join(socket, name, user)
  }

  /** A signature was good when it was made; the guard says whether it still is. Who holds the secret signs for whom they like. */
  async function isAllowed({ member }: Socket, name: string) {
    const known = guardOf(name)
    return !known || !member || Boolean(await known(member.id))
  }

  function join(socket: Socket, name: string, user: { id: string; info: unknown } | null) {
    const room = rooms.get(name) ?? { sockets: new Set(), members: new Map(), welcome: null }
    rooms.set(name, room)
    if (user) {
      const before = room.members.get(user.id) ?? 0
      room.members.set(user.id, before + 1)
      if (!before) enter(name, user.id, user.info)
    }
    room.sockets.add(socket)
    socket.channels.set(name, { user: user?.id ?? null })
    acknowledge(socket, name)
  }

  function acknowledge(socket: Socket, name: string) {
    const room = rooms.get(name)!
    room.welcome ??= welcome(name)
    put(socket, room.welcome)
  }

  function welcome(name: string) {
    const members = presence.membersOf(name)
    const hash = Object.fromEntries([...members].map(([id, { info }]) => [id, info]))
    const told = { ids: [...members.keys()], hash, count: members.size }
    const data = JSON.stringify(name.startsWith('presence-') ? { presence: told } : {})
    return framed(name, eventText('pusher_internal:subscription_succeeded', data))
  }

  function unsubscribe(socket: Socket, name: string) {
    socket.asked.delete(name)
    leave(socket, name)
  }

  function leave(socket: Socket, name: string) {
    const place = socket.channels.get(name)
    const room = rooms.get(name)
    if (!place || !room) return
    socket.channels.delete(name)
    room.sockets.delete(socket)
    if (place.user !== null) {
      const left = room.members.get(place.user)! - 1
      room.members.set(place.user, left)
      if (!left) exit(name, place.user)
    }
    if (!room.sockets.size) rooms.delete(name)
  }

  // ── Presence ──────────────────────────────────────────────────────────────

  function enter(channel: string, user: string, info: unknown) {
    presence.enter(bus.me, channel, user, info)
    tellOthers({ kind: 'enter', channel, user, info })
  }

  function exit(channel: string, user: string) {
    rooms.get(channel)?.members.delete(user)
    presence.leave(bus.me, channel, user)
    tellOthers({ kind: 'leave', channel, user })
  }

  function appeared(channel: string, user_id: string, user_info: unknown) {
    changed(channel, 'pusher_internal:member_added', { user_id, user_info })
  }

  function vanished(channel: string, user_id: string) {
    changed(channel, 'pusher_internal:member_removed', { user_id })
  }

  function changed(channel: string, event: string, data: object) {
    const room = rooms.get(channel)
    if (!room) return
    room.welcome = null
    spread(channel, eventText(event, JSON.stringify(data)))
  }

  function whisper(socket: Socket, event: string, name: string, data: unknown = null) {
    const refuse = (message: string) => complain(socket, 4301, message)
    const place = socket.channels.get(name)
    if (!place || isPublic(name))
      return refuse('Client events are for subscribers of private and presence channels')
    if (++socket.clientEvents > CLIENT_EVENTS_A_SECOND) return refuse('Too many client events')
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    if (event.length > 200 || Buffer.byteLength(text) > MOST_CLIENT_EVENT)
      return refuse('The client event is too large')
    const user_id = place.user ?? socket.member?.id.toString()
    void bus.publish(name, { kind: 'event', channels: [name], event, data: text, except: socket.id, user_id })
  }

  // ── What the processes say ────────────────────────────────────────────────

  function hear(news: News, from: string) {
    if (news.kind === 'event') {
      done.events++
      const said = eventText(news.event, news.data, news.user_id)
      for (const name of news.channels) spread(name, said, news.except)
    } else if (news.kind === 'bind') bind(news.socket, { id: news.member, session: news.session })
    else if (news.kind === 'recheck') void recheck(news.member)
    else if (news.kind === 'revoke') dismiss(news)
    else if (from !== bus.me) hearOther(news, from)
  }

  function hearOther(news: News, from: string) {
    if (news.kind === 'enter') presence.enter(from, news.channel, news.user, news.info)
    else if (news.kind === 'leave') presence.leave(from, news.channel, news.user)
    else if (news.kind === 'roster') presence.replace(from, news.roster)
    else if (news.kind === 'count')
      tellOthers({ kind: 'counted', question: news.question, sockets: countHere(news.wanted) })
    else if (news.kind === 'counted') questions.get(news.question)?.(from, news.sockets)
  }

  /** A group's event has a channel for each of its members: those of one stream travel as one. */
  function publish(channels: readonly string[], event: string, data: string, except?: string) {
    const byTopic = Object.groupBy(channels, (channel) => bus.streamOf(channel))
    for (const some of Object.values(byTopic))
      void bus.publish(some![0]!, { kind: 'event', channels: some!, event, data, except })
  }

  /** Their clients fetch what they missed as they come back: not all in one moment. */
  function reconnectAll() {
    const spread = sockets.size / RECONNECTS
    for (const socket of sockets.values())
      setTimeout(end, Math.random() * spread, socket, 4200, 'Please connect again').unref()
  }

  // ── Counting ──────────────────────────────────────────────────────────────

  function countHere(wanted: ChannelSelector): [string, number][] {
    const names =
      'names' in wanted ? wanted.names : [...rooms.keys()].filter((name) => name.startsWith(wanted.prefix))
    return names.flatMap((name) => (rooms.has(name) ? [[name, rooms.get(name)!.sockets.size]] : []))
  }

  async function count(wanted: ChannelSelector) {
    const counts = new Map(countHere(wanted))
    const waiting = new Set(bus.others())
    if (!waiting.size) return counts
    const question = randomUUID()
    const { promise, resolve } = Promise.withResolvers<void>()
    questions.set(question, (process, sockets) => {
      if (waiting.delete(process))
        for (const [name, more] of sockets) counts.set(name, (counts.get(name) ?? 0) + more)
      if (!waiting.size) resolve()
    })
    tellOthers({ kind: 'count', question, wanted })
    const timer = setTimeout(resolve, COUNTING)
    await promise
    clearTimeout(timer)
    questions.delete(question)
    return counts
  }

  /** From here on the socket is the member's. What somebody else was shown on it before ends. */
  function bind(id: string, member: { id: number; session: string }) {
    const socket = sockets.get(id)
    if (!socket) return
    const { member: before } = socket
    socket.member = member
    // What was subscribed to before it was known whose socket this is has asked no guard.
    if (!before && [...socket.channels.keys()].some((name) => !isPublic(name))) void recheck(member.id)
    if (before && before.id !== member.id)
      for (const name of [...socket.channels.keys(), ...socket.asked.keys()])
        if (!isPublic(name)) cut(socket, name, 401)
  }

  function dismiss({ channel, member, session }: Revocation) {
    const isMeant = (socket: Socket) =>
      (member === undefined || socket.member?.id === member) &&
      (session === undefined || socket.member?.session === session)
    if (channel === undefined && member === undefined && session === undefined) return
    if (channel === undefined) {
      for (const socket of sockets.values())
        if (isMeant(socket)) end(socket, 4009, 'Connection is unauthorized')
      return
    }
    for (const socket of sockets.values()) if (isMeant(socket)) cut(socket, channel, 403)
  }

  async function recheck(member: number) {
    for (const socket of sockets.values()) {
      if (socket.member?.id !== member) continue
      for (const name of [...socket.channels.keys(), ...socket.asked.keys()])
        if (!(await isAllowed(socket, name).catch(() => false))) cut(socket, name, 403)
    }
  }

  function cut(socket: Socket, name: string, status: number) {
    const asked = socket.asked.delete(name)
    if (!asked && !socket.channels.has(name)) return
    leave(socket, name)
    tell(socket, 'pusher:subscription_error', { type: 'AuthError', error: 'No longer allowed', status }, name)
  }

  // ── Writing ───────────────────────────────────────────────────────────────

  /** One frame for all who are subscribed here. */
  function spread(name: string, said: string, except?: string) {
    const room = rooms.get(name)
    if (!room) return
    const frame = framed(name, said)
    for (const socket of room.sockets) if (socket.id !== except) put(socket, frame)
  }

  const tell = (socket: Socket, event: string, data: object, channel?: string) =>
    put(socket, framed(channel, eventText(event, JSON.stringify(data))))

  function put(socket: Socket, frame: Buffer) {
    if (!isOpen(socket)) return
    if (socket.bytes + socket.raw.writableLength > MOST_WAITING) return drop(socket)
    if (!unwritten.size) writeSoon()
    unwritten.add(socket)
    socket.frames.push(frame)
    socket.bytes += frame.length
  }

  /** It reads too slowly: what waits for it is not kept. */
  function drop(socket: Socket) {
    done.dropped++
    socket.frames = []
    socket.ws.close(4100, 'Too slow')
    depart(socket)
  }

  /** At once, or after a rest as long as the last writing took: under load, what comes meanwhile is written together. */
  function writeSoon() {
    const wait = restedAt - performance.now()
    if (wait > 0) setTimeout(writeAll, wait)
    else setImmediate(writeAll)
  }

  function writeAll() {
    const start = performance.now()
    const due = [...unwritten]
    unwritten.clear()
    let last: Joined | undefined
    for (const socket of due) last = write(socket, last)
    const end = performance.now()
    restedAt = end + Math.min(Math.max(end - start, REST.least), REST.most)
  }

  /** Past `ws`, whose own part in writing would be to make the frame again for every socket. Sockets of a room mostly wait for the same frames: they are joined once. */
  function write(socket: Socket, last?: Joined) {
    const { frames } = socket
    socket.frames = []
    socket.bytes = 0
    done.deliveries += frames.length
    const joined =
      last && isEach(frames, last.frames)
        ? last
        : { frames, bytes: frames.length === 1 ? frames[0]! : Buffer.concat(frames) }
    if (frames.length && isOpen(socket)) socket.raw.write(joined.bytes)
    return joined
  }

  // ── Names and signatures ──────────────────────────────────────────────────

  const signature = (text: string) =>
    `${config.PUSHER_APP_KEY}:${createHmac('sha256', config.PUSHER_APP_SECRET).update(text).digest('hex')}`

  function guardOf(name: string) {
    for (const { pattern, guard } of guards) {
      const found = pattern.exec(name)
      const parts = Object.entries(found?.groups ?? {}).map(([part, id]) => [part, Number(id)])
      if (found) return (me: number) => guard(me, Object.fromEntries(parts))
    }
    return null
  }

  return {
    broadcast: (channels, event, data, except) => publish(channels, event, JSON.stringify(data), except),
    broadcastJson: publish,
    revoke: ({ session, ...rest }) =>
      void bus.publish(rest.channel ?? EVERYTHING, {
        kind: 'revoke',
        ...rest,
        ...(session !== undefined && { session: digest(session) }),
      }),
    recheck: (member) => void bus.publish(EVERYTHING, { kind: 'recheck', member }),
    addGuards(channels, given) {
      for (const [key, { name }] of Object.entries(channels)) {
        const guard = (given as Record<string, Guard>)[key]
        if (guard)
          guards.push({
            pattern: new RegExp(
              `^${name.replaceAll('.', '\\.').replace(/:(\w+)/g, '(?<$1>[1-9]\\d{0,14})')}$`,
            ),
            guard,
          })
      }
    },
    async authorise(me, session, socketId, name) {
      const info = await guardOf(name)?.(me)
      if (!info) return null
      // Waited for, so that it is on its way to the socket's process before the client can be. One that does not know whose socket it is could not end what is shown on it.
      const left = await bus.publish(EVERYTHING, {
        kind: 'bind',
        socket: socketId,
        member: me,
        session: digest(session),
      })
      if (!left && !sockets.has(socketId)) throw errors.away()
      if (!name.startsWith('presence-')) return { auth: signature(`${socketId}:${name}`) }
      const channel_data = JSON.stringify({ user_id: String(me), user_info: info === true ? {} : info })
      return { auth: signature(`${socketId}:${name}:${channel_data}`), channel_data }
    },
    subscriptionCounts: count,
    memberIds: (name) => [...presence.membersOf(name).keys()],
    stats: () => ({
      sockets: sockets.size,
      channels: rooms.size,
      processes: bus.others().length + 1,
      ...done,
    }),
    isConnected: () => bus.isConnected(),
    flushed: () => bus.flushed(),
    async close() {
      closing = true
      clearInterval(watch)
      const gone = [...sockets.values()].map(({ ws }) => new Promise((resolve) => ws.once('close', resolve)))
      for (const socket of sockets.values()) end(socket, 4200, 'The server is restarting')
      await Promise.all(gone)
      await bus.close()
    },
  }
}

const isOpen = ({ ws }: Socket) => ws.readyState === ws.OPEN

const isPublic = (name: string) => !/^(private|presence)-/.test(name)

interface Joined {
  frames: readonly Buffer[]
  bytes: Buffer
}
const isEach = (some: readonly Buffer[], others: readonly Buffer[]) =>
  some.length === others.length && some.every((frame, at) => frame === others[at])

/** Sessions are told to other processes by their digest alone. */
const digest = (session: string) => createHash('sha256').update(session).digest('hex')
