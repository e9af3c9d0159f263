import {
  scalingModelByteSizes,
  scalingModelCpuCosts,
  scalingModelDistributionShapes,
  scalingModelLimits,
  scalingModelMemberBehaviour,
} from './scaling-assumptions.ts'
import type { ScalingDesign } from './scaling-paths.ts'

// The live path: sockets, presence, and the messages between the processes. It needs no random numbers.

const DAY = 86_400
/** The streams of core/realtime/redis-bus.ts, and the seconds between two heartbeats on each of them. */
const bus = { streams: 8, heartbeat: 2 }
/** Messages on the bus for one new window: joins of two presence channels, and three authorised channels. */
const MESSAGES_OF_VISIT = { joins: 2, leaves: 2, binds: 3 }

/** Returns the members online and the requests and messages per second in the busiest hour. */
export function computeScalingPeakRatesPerSecond(members: number) {
  const active = members * scalingModelMemberBehaviour.dailyActive
  const rate = (perDay: number) => (active * perDay * scalingModelMemberBehaviour.peakFactor) / DAY
  return {
    rate,
    active,
    online:
      (active * scalingModelMemberBehaviour.minutesOnline * scalingModelMemberBehaviour.peakFactor) /
      (24 * 60),
    visits: rate(scalingModelMemberBehaviour.visits),
    postEvents: rate(
      scalingModelMemberBehaviour.likes +
        scalingModelMemberBehaviour.posts +
        scalingModelMemberBehaviour.replies,
    ),
    messages: rate(scalingModelMemberBehaviour.privateMessages + scalingModelMemberBehaviour.groupMessages),
    readMarks: rate(scalingModelMemberBehaviour.readMarks),
    notifications: rate(
      scalingModelMemberBehaviour.likes +
        scalingModelMemberBehaviour.replies +
        scalingModelMemberBehaviour.follows,
    ),
  }
}

export type ScalingLiveDeliveryLoad = ReturnType<typeof computeScalingLiveDeliveryLoad>

/**
 * Computes the load of real-time events in the busiest hour. `httpCores` is the work of all requests, in
 * cores.
 */
export function computeScalingLiveDeliveryLoad(members: number, design: ScalingDesign, httpCores: number) {
  const peak = computeScalingPeakRatesPerSecond(members)
  const sockets = peak.online * scalingModelMemberBehaviour.windows
  const window = design === 'today' ? windowToday(members) : windowNext(members)
  const frames = sockets * window.events
  // An upper bound: a process gets an event once for all of its windows.
  const received = sockets * window.events
  const messages = design === 'today' ? busToday(members) : { all: 0, hottestStream: 0 }
  const processes = countProcesses(
    httpCores + (frames * scalingModelCpuCosts.frame) / 1e6,
    sockets,
    (count) => {
      // Each process reads all messages today. After the next cut it reads those for its own windows.
      const heartbeats = design === 'today' ? (count * bus.streams) / bus.heartbeat : count
      const read = design === 'today' ? messages.all : received / count
      return ((read + heartbeats) * scalingModelCpuCosts.busMessage) / 1e6
    },
  )
  const hottestDeliveries =
    design === 'today'
      ? messages.hottestStream * processes.count
      : // The next cut spreads the channels of the processes evenly over as many Redis nodes as are needed.
        Math.min(received, scalingModelLimits.redisDeliveries * scalingModelLimits.busy)
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
    busBytes: hottestDeliveries * scalingModelByteSizes.busMessage,
    redisNodes: countRedisNodes(design, design === 'today' ? messages.all * processes.count : received),
    processMemory:
      scalingModelByteSizes.process +
      (sockets / processes.count) * scalingModelByteSizes.socket +
      (design === 'today' ? peak.online * MESSAGES_OF_VISIT.joins * scalingModelByteSizes.presenceMemory : 0),
  }
}

/** Returns the nodes for the deliveries of a second. Today eight streams can use at most eight nodes. */
function countRedisNodes(design: ScalingDesign, deliveries: number) {
  const needed = Math.ceil(deliveries / (scalingModelLimits.redisDeliveries * scalingModelLimits.busy))
  return design === 'today' ? Math.max(1, Math.min(bus.streams, needed)) : Math.max(1, needed)
}

/**
 * Today every window gets the events of all posts. It shows all who are online, or the contacts among them if
 * many are online.
 */
function windowToday(members: number) {
  const peak = computeScalingPeakRatesPerSecond(members)
  const shown = Math.min(
    1,
    peak.online > scalingModelDistributionShapes.completePresenceList
      ? scalingModelDistributionShapes.contacts / members
      : 1,
  )
  return {
    presenceList: shown * peak.online * scalingModelByteSizes.presenceEntry,
    events:
      peak.visits * 2 * shown +
      peak.postEvents * scalingModelMemberBehaviour.windowsWithPosts +
      ownEvents(members),
  }
}

/** After the next cut a window gets only the events of the posts on its page. */
function windowNext(members: number) {
  const { online, visits } = computeScalingPeakRatesPerSecond(members)
  const postsOnPage = 50
  // A count of likes is announced at most every two seconds. Two of the posts on the page are that popular.
  const popular = 2 * 0.5
  const likesOfPost =
    (scalingModelMemberBehaviour.likes / scalingModelMemberBehaviour.posts) *
    (scalingModelMemberBehaviour.peakFactor / DAY)
  return {
    presenceList:
      scalingModelDistributionShapes.contacts * (online / members) * scalingModelByteSizes.presenceEntry,
    events:
      (visits * 2 * scalingModelDistributionShapes.contacts) / members +
      postsOnPage * likesOfPost +
      popular +
      ownEvents(members),
  }
}

/** The events a second of the member's own chats and notifications, for a window. */
function ownEvents(members: number) {
  const { messages, readMarks, notifications, online, active } = computeScalingPeakRatesPerSecond(members)
  const { groupMessages, privateMessages } = scalingModelMemberBehaviour
  // Assumption: a group message has 24 recipients on average, and an active recipient is online by chance.
  const recipients = (privateMessages + groupMessages * 24) / (privateMessages + groupMessages)
  const toOthers = (messages * recipients * online) / active
  return (messages + toOthers + readMarks * 2 + notifications) / online
}

/** The messages a second that each process reads today, and those of the busiest of the eight streams. */
function busToday(members: number) {
  const peak = computeScalingPeakRatesPerSecond(members)
  const { joins, leaves, binds } = MESSAGES_OF_VISIT
  const ofGlobalTopic = peak.visits * (joins + leaves + binds)
  // A group message of many members is one message on each stream. A private one has three channels.
  const chat = peak.messages * 3.5 + peak.readMarks * 2 + peak.notifications
  return {
    all: ofGlobalTopic + chat + peak.postEvents,
    // The busiest Redis stream. All messages of the global topic are in one stream, all of the channel
    // `posts` in another, and those of the chats are spread evenly over all streams.
    hottestStream: Math.max(ofGlobalTopic, peak.postEvents) + chat / bus.streams,
  }
}

/**
 * Returns the number of processes, and the part of a core that each of them needs for messages of the others.
 * More processes share the work, but each of them reads the messages. The number is infinite if the messages
 * alone take more than a process may use.
 */
function countProcesses(work: number, sockets: number, busCoreOf: (count: number) => number) {
  let count = Math.max(2, Math.ceil(sockets / scalingModelLimits.socketsOfProcess))
  for (let tries = 0; tries < 50; tries++) {
    const left = scalingModelLimits.busy - busCoreOf(count)
    if (left <= 0) return { count: Number.POSITIVE_INFINITY, busCore: busCoreOf(2) }
    const needed = Math.max(
      2,
      Math.ceil(work / left),
      Math.ceil(sockets / scalingModelLimits.socketsOfProcess),
    )
    if (needed <= count) break
    count = needed
  }
  return { count, busCore: busCoreOf(count) }
}
