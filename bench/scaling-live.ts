import {
  scalingModelByteSizes,
  scalingModelCpuCosts,
  scalingModelDistributionShapes,
  scalingModelLimits,
  scalingModelMemberBehaviour,
} from './scaling-assumptions.ts'
import type { ScalingDesignName } from './scaling-paths.ts'

// This module computes the load of real-time events in the scaling model: sockets, presence, and the messages
// between the processes. It needs no random numbers.

const DAY = 86_400
/**
 * The number of Redis streams in core/realtime/redis-bus.ts, and the seconds between two heartbeats on
 * each of them.
 */
const bus = { streams: 8, heartbeat: 2 }
/**
 * The number of messages between processes for one new window: joins and leaves of two presence channels, and
 * three authorised channels.
 */
const MESSAGES_OF_VISIT = { joins: 2, leaves: 2, binds: 3 }

/**
 * Returns the members online, and the requests and messages per second, in the busiest hour of a community
 * with so many members.
 */
export function computeScalingPeakMembersAndRates(members: number) {
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
 * Returns the load of real-time events in the busiest hour. `httpCores` is the processor time of all HTTP
 * requests, in cores.
 */
export function computeScalingLiveDeliveryLoad(
  members: number,
  design: ScalingDesignName,
  httpCores: number,
) {
  const peak = computeScalingPeakMembersAndRates(members)
  const sockets = peak.online * scalingModelMemberBehaviour.windows
  const window = design === 'today' ? windowToday(members) : windowNext(members)
  const frames = sockets * window.events
  // The number of events that all processes receive, as an upper bound: a process gets an event only once for
  // all of its windows.
  const received = sockets * window.events
  const messages = design === 'today' ? busToday(members) : { all: 0, hottestStream: 0 }
  const processes = countProcesses(
    httpCores + (frames * scalingModelCpuCosts.frame) / 1e6,
    sockets,
    (count) => {
      // In the design `today`, each process reads all messages. In the design `next` it reads those for its
      // own windows.
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
    /** The number of messages a second that each process reads from the others. */
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

/**
 * Returns the number of Redis nodes for the deliveries of a second. In the design `today`, eight streams can
 * use at most eight nodes.
 */
function countRedisNodes(design: ScalingDesignName, deliveries: number) {
  const needed = Math.ceil(deliveries / (scalingModelLimits.redisDeliveries * scalingModelLimits.busy))
  return design === 'today' ? Math.max(1, Math.min(bus.streams, needed)) : Math.max(1, needed)
}

/**
 * Returns the live events and the list of online members of one window in the design `today`. Every window
 * gets the events of all posts. It lists all members who are online, or only the contacts among them if many
 * are online.
 */
function windowToday(members: number) {
  const peak = computeScalingPeakMembersAndRates(members)
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

/**
 * Returns the live events and the list of online members of one window in the design `next`, where a window
 * gets only the events of the posts on its page.
 */
function windowNext(members: number) {
  const { online, visits } = computeScalingPeakMembersAndRates(members)
  const postsOnPage = 50
  // The like counts of two popular posts on the page, in events a second: a count is announced at most every
  // two seconds.
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

/**
 * Returns the number of live events a second that a window gets about the member's own chats and
 * notifications.
 */
function ownEvents(members: number) {
  const { messages, readMarks, notifications, online, active } = computeScalingPeakMembersAndRates(members)
  const { groupMessages, privateMessages } = scalingModelMemberBehaviour
  // Assumption: a group message has 24 recipients on average, and an active recipient is online by chance.
  const recipients = (privateMessages + groupMessages * 24) / (privateMessages + groupMessages)
  const toOthers = (messages * recipients * online) / active
  return (messages + toOthers + readMarks * 2 + notifications) / online
}

/**
 * Returns the messages a second that each process reads in the design `today`, and those of the busiest of
 * the eight Redis streams.
 */
function busToday(members: number) {
  const peak = computeScalingPeakMembersAndRates(members)
  const { joins, leaves, binds } = MESSAGES_OF_VISIT
  const ofGlobalTopic = peak.visits * (joins + leaves + binds)
  // Counts 3.5 messages between processes for a chat message: a message to a large group is one on each
  // stream, and a private message has three channels.
  const chat = peak.messages * 3.5 + peak.readMarks * 2 + peak.notifications
  return {
    all: ofGlobalTopic + chat + peak.postEvents,
    // The messages of the busiest Redis stream. All messages of the global topic are in one stream, all of
    // the channel `posts` in another, and those of the chats are spread evenly over all streams.
    hottestStream: Math.max(ofGlobalTopic, peak.postEvents) + chat / bus.streams,
  }
}

/**
 * Returns the number of Engawa processes, and the fraction of a core that each of them needs to read
 * messages of the others. More processes share the other work, but each of them reads the messages. The
 * number is infinite if the messages alone take more than a process may use.
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
