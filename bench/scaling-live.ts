import { behaviour, costs, limits, shapes, sizes } from './scaling-assumptions.ts'
import type { ScalingDesign } from './scaling-paths.ts'

// The live path: sockets, presence, and the messages between the processes. It needs no random numbers.

const DAY = 86_400
/** The streams of core/realtime/redis-bus.ts, and the seconds between two heartbeats on each of them. */
const bus = { streams: 8, heartbeat: 2 }
/** Messages on the bus for one new window: joins of two presence channels, and three authorised channels. */
const MESSAGES_OF_VISIT = { joins: 2, leaves: 2, binds: 3 }

/** Returns the members online and the requests and messages per second in the busiest hour. */
export function computePeakRates(members: number) {
  const active = members * behaviour.dailyActive
  const rate = (perDay: number) => (active * perDay * behaviour.peakFactor) / DAY
  return {
    rate,
    active,
    online: (active * behaviour.minutesOnline * behaviour.peakFactor) / (24 * 60),
    visits: rate(behaviour.visits),
    postEvents: rate(behaviour.likes + behaviour.posts + behaviour.replies),
    messages: rate(behaviour.privateMessages + behaviour.groupMessages),
    readMarks: rate(behaviour.readMarks),
    notifications: rate(behaviour.likes + behaviour.replies + behaviour.follows),
  }
}

export type LivePath = ReturnType<typeof computeLivePath>

/** Computes the load of real-time events in the busiest hour. `httpCores` is the work of all requests, in cores. */
export function computeLivePath(members: number, design: ScalingDesign, httpCores: number) {
  const peak = computePeakRates(members)
  const sockets = peak.online * behaviour.windows
  const window = design === 'today' ? windowToday(members) : windowNext(members)
  const frames = sockets * window.events
  // An upper bound: a process gets an event once for all of its windows.
  const received = sockets * window.events
  const messages = design === 'today' ? busToday(members) : { all: 0, hottestStream: 0 }
  const processes = countProcesses(httpCores + (frames * costs.frame) / 1e6, sockets, (count) => {
    // Each process reads all messages today. After the next cut it reads those for its own windows.
    const heartbeats = design === 'today' ? (count * bus.streams) / bus.heartbeat : count
    const read = design === 'today' ? messages.all : received / count
    return ((read + heartbeats) * costs.busMessage) / 1e6
  })
  const hottestDeliveries =
    design === 'today'
      ? messages.hottestStream * processes.count
      : // The next cut spreads the channels of the processes evenly over as many Redis nodes as are needed.
        Math.min(received, limits.redisDeliveries * limits.busy)
  return {
    sockets,
    online: peak.online,
    window,
    frames,
    /** Messages a second that each process reads. */
    read: design === 'today' ? messages.all : received / processes.count,
    processes: processes.count,
    socketsOfProcess: Number.isFinite(processes.count) ? sockets / processes.count : Number.NaN,
    busCore: processes.busCore,
    hottestDeliveries,
    busBytes: hottestDeliveries * sizes.busMessage,
    redisNodes: countRedisNodes(design, design === 'today' ? messages.all * processes.count : received),
    processMemory:
      sizes.process +
      (sockets / processes.count) * sizes.socket +
      (design === 'today' ? peak.online * MESSAGES_OF_VISIT.joins * sizes.presenceMemory : 0),
  }
}

/** Returns the nodes for the deliveries of a second. Today eight streams can use at most eight nodes. */
function countRedisNodes(design: ScalingDesign, deliveries: number) {
  const needed = Math.ceil(deliveries / (limits.redisDeliveries * limits.busy))
  return design === 'today' ? Math.max(1, Math.min(bus.streams, needed)) : Math.max(1, needed)
}

/**
 * Today every window gets the events of all posts. It shows all who are online, or the contacts among them if
 * many are online.
 */
function windowToday(members: number) {
  const peak = computePeakRates(members)
  const shown = Math.min(1, peak.online > shapes.completePresenceList ? shapes.contacts / members : 1)
  return {
    presenceList: shown * peak.online * sizes.presenceEntry,
    events: peak.visits * 2 * shown + peak.postEvents * behaviour.windowsWithPosts + ownEvents(members),
  }
}

/** After the next cut a window gets only the events of the posts on its page. */
function windowNext(members: number) {
  const { online, visits } = computePeakRates(members)
  const postsOnPage = 50
  // A count of likes is announced at most every two seconds. Two of the posts on the page are that popular.
  const popular = 2 * 0.5
  const likesOfPost = (behaviour.likes / behaviour.posts) * (behaviour.peakFactor / DAY)
  return {
    presenceList: shapes.contacts * (online / members) * sizes.presenceEntry,
    events:
      (visits * 2 * shapes.contacts) / members + postsOnPage * likesOfPost + popular + ownEvents(members),
  }
}

/** The events a second of the member's own chats and notifications, for a window. */
function ownEvents(members: number) {
  const { messages, readMarks, notifications, online, active } = computePeakRates(members)
  const { groupMessages, privateMessages } = behaviour
  // Assumption: a group message has 24 recipients on average, and an active recipient is online by chance.
  const recipients = (privateMessages + groupMessages * 24) / (privateMessages + groupMessages)
  const toOthers = (messages * recipients * online) / active
  return (messages + toOthers + readMarks * 2 + notifications) / online
}

/** The messages a second that each process reads today, and those of the busiest of the eight streams. */
function busToday(members: number) {
  const peak = computePeakRates(members)
  const { joins, leaves, binds } = MESSAGES_OF_VISIT
  const ofGlobalTopic = peak.visits * (joins + leaves + binds)
  // A group message of many members is one message on each stream. A private one has three channels.
  const chat = peak.messages * 3.5 + peak.readMarks * 2 + peak.notifications
  return {
    all: ofGlobalTopic + chat + peak.postEvents,
    // The global topic, and the channel `posts`, are one stream each.
    hottestStream: Math.max(ofGlobalTopic, peak.postEvents) + chat / bus.streams,
  }
}

/**
 * Returns the number of processes, and the part of a core that each of them needs for messages of the others.
 * More processes share the work, but each of them reads the messages. The number is infinite if the messages
 * alone take more than a process may use.
 */
function countProcesses(work: number, sockets: number, busCoreOf: (count: number) => number) {
  let count = Math.max(2, Math.ceil(sockets / limits.socketsOfProcess))
  for (let tries = 0; tries < 50; tries++) {
    const left = limits.busy - busCoreOf(count)
    if (left <= 0) return { count: Number.POSITIVE_INFINITY, busCore: busCoreOf(2) }
    const needed = Math.max(2, Math.ceil(work / left), Math.ceil(sockets / limits.socketsOfProcess))
    if (needed <= count) break
    count = needed
  }
  return { count, busCore: busCoreOf(count) }
}
