import { createSeededRandomFunction } from './random.ts'
import {
  scalingModelByteSizes,
  scalingModelCpuCosts,
  scalingModelDistributionShapes,
  scalingModelLimits,
  scalingModelMemberBehaviour,
} from './scaling-assumptions.ts'
import { SIMULATED_SHARD_COUNT } from './scaling-keys.ts'
import {
  computeScalingLiveDeliveryLoad,
  computeScalingPeakMembersAndRates,
  type ScalingLiveDeliveryLoad,
} from './scaling-live.ts'
import { type ScalingDesignName, type ScalingModelRequestKind, scalingOperations } from './scaling-paths.ts'
import { computeShardLoadOfScalingOperation } from './scaling-routing.ts'
import { createScalingRandomIdFunctions } from './scaling-sampler.ts'

/**
 * Results of the simulation for one kind of request: how often it is sent, and how many shards of the
 * database it asks and changes.
 */
export interface ScalingOperationFigures {
  name: string
  isPage: boolean
  isWrite: boolean
  /** The number of requests of this kind a second in the busiest hour. */
  rate: number
  shards: { mean: number; p99: number }
  /** The fraction of the requests that change rows on more than one shard. */
  crossing: number
  /**
   * The average number of further shards that a request changes: by its transaction in the design `today`, by
   * jobs in the design `next`.
   */
  otherShards: number
}

/** A part of the system, and the fraction of its limit that it uses: 1 is the limit. */
export interface ScalingResourceNameAndUsedFraction {
  name: string
  use: number
}

export type ScalingSimulationFigures = ReturnType<typeof simulateBusiestHourOfCommunity>

/**
 * Simulates the busiest hour of a community, and returns the figures. Draws `samples` random requests of each
 * kind, finds the shards that they ask by the shard keys, and weights them by the frequency of the kind. The
 * same seed gives the same figures.
 */
export function simulateBusiestHourOfCommunity(
  members: number,
  design: ScalingDesignName,
  seed: number,
  samples = 2000,
) {
  const sample = createScalingRandomIdFunctions(members, createSeededRandomFunction(seed))
  const peak = computeScalingPeakMembersAndRates(members)
  /** The processor time of the database in cores, by the number of the shard. */
  const coresOfShard = new Float64Array(SIMULATED_SHARD_COUNT)
  let coresOnOneNode = 0
  const paths = scalingOperations.map((path) => {
    const rate = peak.rate(path.perDay)
    return samplePath(path, rate)
  })

  function samplePath(path: ScalingModelRequestKind, rate: number): ScalingOperationFigures {
    const asked: number[] = []
    let [crossing, otherShards] = [0, 0]
    for (let n = 0; n < samples; n++) {
      const routed = computeShardLoadOfScalingOperation(path, sample, design)
      for (const [shard, cost] of routed.cost) coresOfShard[shard]! += (cost * rate) / samples / 1e6
      coresOnOneNode += (routed.costOnOneNode * rate) / samples / 1e6
      asked.push(routed.asked.size)
      if (routed.changed.size > 1) crossing++
      otherShards += Math.max(0, routed.changed.size - 1)
    }
    asked.sort((a, b) => a - b)
    const mean = asked.reduce((sum, count) => sum + count, 0) / samples
    return {
      name: path.name,
      isPage: path.isPage ?? false,
      isWrite: path.isWrite ?? false,
      rate,
      shards: { mean, p99: asked[Math.floor(samples * 0.99)]! },
      crossing: crossing / samples,
      otherShards: otherShards / samples,
    }
  }

  const requests = paths.reduce((sum, { rate }) => sum + rate, 0)
  const media = computeMedia(members, design)
  const live = computeScalingLiveDeliveryLoad(members, design, computeHttpCores(paths, media.requests))
  const jobs = computeJobRate(members, design, paths)
  const background = computeBackgroundCores(design, jobs, live.processes)
  const onShards = coresOfShard.map((cores) => cores + background / SIMULATED_SHARD_COUNT)
  const database = chooseNodes(onShards, coresOnOneNode + background, computeStorage(members))
  const resources = listResources(members, design, database, live, jobs)
  const machines =
    Math.ceil(live.processes / scalingModelLimits.processesOfMachine) +
    2 * database.nodes +
    2 * live.redisNodes
  return { members, design, paths, requests, jobs, database, live, media, resources, machines }
}

/** Returns the number of jobs per second. In the design `next` there are also jobs for other shards. */
function computeJobRate(
  members: number,
  design: ScalingDesignName,
  paths: readonly ScalingOperationFigures[],
) {
  const forOtherShards = paths.reduce((sum, { rate, otherShards }) => sum + rate * otherShards, 0)
  const ofMessages =
    computeScalingPeakMembersAndRates(members).messages * scalingModelMemberBehaviour.jobsPerMessage
  return design === 'today' ? ofMessages : ofMessages + forOtherShards
}

/**
 * Returns the processor time of the database, in cores, for work outside of requests: jobs are inserted,
 * claimed and finished. In the design `next`, each process also reads the newest posts once a second.
 */
function computeBackgroundCores(design: ScalingDesignName, jobs: number, processes: number) {
  const newestPosts =
    design === 'today'
      ? 0
      : processes * SIMULATED_SHARD_COUNT * (scalingModelCpuCosts.statement + 51 * scalingModelCpuCosts.row)
  return (jobs * 3 * (scalingModelCpuCosts.statement + scalingModelCpuCosts.write) + newestPosts) / 1e6
}

/** Returns the loads of single keys, such as the most followed member, which more nodes do not divide. */
export function computeScalingHotKeyLoads(members: number) {
  const { online } = computeScalingPeakMembersAndRates(members)
  const followers = members * scalingModelDistributionShapes.mostFollowed
  const followersOnline = (followers * online) / members
  return {
    followers,
    likesOfBurst:
      (followersOnline * scalingModelDistributionShapes.burst.part) /
      scalingModelDistributionShapes.burst.seconds,
    bytesOfFollowersEvent: followers * scalingModelByteSizes.idInJson,
    bytesOfGroupEvent: scalingModelDistributionShapes.group.most * scalingModelByteSizes.channelInJson,
    onlineOfGroup: (scalingModelDistributionShapes.group.most * online) / members,
  }
}

/** Returns the processor time that Engawa's processes need for all requests, in cores. */
function computeHttpCores(paths: readonly ScalingOperationFigures[], pictures: number) {
  const work = paths.map(
    ({ isPage, rate }) => rate * (isPage ? scalingModelCpuCosts.page : scalingModelCpuCosts.request),
  )
  return (work.reduce((sum, one) => sum + one, 0) + pictures * scalingModelCpuCosts.picture) / 1e6
}

/** Returns the number of bytes of rows that a year adds to the database. */
function computeStorage(members: number) {
  const { posts, likes, privateMessages, groupMessages, follows, replies, dailyActive } =
    scalingModelMemberBehaviour
  const ofDay =
    (posts + replies) * scalingModelByteSizes.post +
    likes * scalingModelByteSizes.like +
    (privateMessages + groupMessages) * scalingModelByteSizes.message +
    // Counts each follow twice, because it is stored by the follower and by the followed member.
    follows * 2 * scalingModelByteSizes.follow +
    (likes + replies + follows) * scalingModelByteSizes.notificationEvent
  return members * dailyActive * ofDay * scalingModelByteSizes.postgresFactor * 365
}

/**
 * Returns the number of database nodes and their load: one node if it has enough processors and space;
 * otherwise the smallest number with which the busiest node has enough, up to one node for each shard.
 */
function chooseNodes(coresOfShard: Float64Array, coresOnOneNode: number, bytesOfYear: number) {
  const cores = scalingModelLimits.coresOfNode * scalingModelLimits.busy
  const bytes = bytesOfYear * scalingModelLimits.years
  const total = coresOfShard.reduce((sum, one) => sum + one, 0)
  const hottestShard = Math.max(...coresOfShard)
  const common = {
    bytesOfYear,
    coresOnOneNode,
    hottestShard,
    imbalance: (hottestShard * SIMULATED_SHARD_COUNT) / total,
  }
  if (coresOnOneNode <= cores && bytes <= scalingModelLimits.nodeBytes)
    return { ...common, nodes: 1, cores: coresOnOneNode, hottestNode: coresOnOneNode }
  for (let nodes = 2; ; nodes++) {
    const ofNode = new Float64Array(nodes)
    for (const [shard, load] of coresOfShard.entries()) ofNode[shard % nodes]! += load
    const hottestNode = Math.max(...ofNode)
    const bytesOfFullest = (bytes * Math.ceil(SIMULATED_SHARD_COUNT / nodes)) / SIMULATED_SHARD_COUNT
    if (
      (hottestNode <= cores && bytesOfFullest <= scalingModelLimits.nodeBytes) ||
      nodes === SIMULATED_SHARD_COUNT
    )
      return { ...common, nodes, cores: total, hottestNode }
  }
}

/**
 * Returns the traffic and the storage of pictures. In the design `next`, a cache in front of the server
 * serves nine tenths of the requests.
 */
function computeMedia(members: number, design: ScalingDesignName) {
  const { rate, active } = computeScalingPeakMembersAndRates(members)
  const requests = rate(scalingModelMemberBehaviour.pictures) * (design === 'today' ? 1 : 0.1)
  const newOfYear = active * scalingModelMemberBehaviour.newPictures * 365
  return {
    requests,
    bytes: requests * scalingModelByteSizes.picture,
    getsOfYear: active * scalingModelMemberBehaviour.pictures * 365 * (design === 'today' ? 1 : 0.1),
    putsOfYear: newOfYear * scalingModelByteSizes.filesOfPicture,
    bytesOfYear: newOfYear * scalingModelByteSizes.newPicture,
  }
}

/**
 * Returns the parts of the system with the fraction of their limit that they use, the most used one first.
 */
function listResources(
  members: number,
  design: ScalingDesignName,
  database: ReturnType<typeof chooseNodes>,
  live: ScalingLiveDeliveryLoad,
  jobs: number,
): ScalingResourceNameAndUsedFraction[] {
  const peak = computeScalingPeakMembersAndRates(members)
  const isToday = design === 'today'
  const { followers, likesOfBurst, bytesOfFollowersEvent } = computeScalingHotKeyLoads(members)
  const searches =
    peak.rate(1) *
    (isToday
      ? members * scalingModelCpuCosts.scannedName
      : SIMULATED_SHARD_COUNT * (scalingModelCpuCosts.statement + 50 * scalingModelCpuCosts.row))
  const databaseCores = database.nodes * scalingModelLimits.coresOfNode
  const uses: Record<string, number> = {
    'list of who is online, in a new window': live.window.presenceList / scalingModelLimits.presenceList,
    'live events of one window': live.window.events / scalingModelLimits.eventsOfWindow,
    'messages that each process reads': live.busCore / scalingModelLimits.busCore,
    'busiest Redis node': live.hottestDeliveries / scalingModelLimits.redisDeliveries,
    'memory of a process': live.processMemory / scalingModelLimits.processMemory,
    // In the design `next`, each shard has its own queue of jobs, and the busiest queue has twice the
    // average.
    'table of jobs': (isToday ? jobs : (jobs * 2) / SIMULATED_SHARD_COUNT) / scalingModelLimits.jobsOfTable,
    // In the design `next`, likes are inserted at once, and counted once a second.
    'row of the most liked post':
      ((isToday ? likesOfBurst : 1) * scalingModelCpuCosts.likeLock) / 1e6 / scalingModelLimits.rowLock,
    'count of the most followers':
      ((isToday ? followers : 1) * scalingModelCpuCosts.row) / scalingModelLimits.longQuery,
    'event for the most followers':
      (isToday ? bytesOfFollowersEvent : scalingModelByteSizes.busMessage) / scalingModelLimits.event,
    'search for names': searches / 1e6 / databaseCores / scalingModelLimits.searchCores,
    'connections of a database node':
      (isToday
        ? live.processes * scalingModelLimits.connectionsOfProcess
        : scalingModelLimits.pooledConnections) / scalingModelLimits.connections,
    'processor of the busiest database node':
      database.hottestNode / scalingModelLimits.coresOfNode / scalingModelLimits.busy,
    'disk of the fullest database node':
      (database.bytesOfYear * scalingModelLimits.years * Math.ceil(SIMULATED_SHARD_COUNT / database.nodes)) /
      SIMULATED_SHARD_COUNT /
      scalingModelLimits.nodeBytes,
  }
  return Object.entries(uses)
    .map(([name, use]) => ({ name, use }))
    .sort((a, b) => b.use - a.use)
}

/**
 * Returns for each part of the system the number of members at which the part reaches its limit; null if it
 * stays within the limit up to 100 million members. Looks at 16 sizes for each tenfold growth, so a number is
 * at most 15 % too high.
 */
export function findMemberCountsAtScalingLimits(design: ScalingDesignName, seed: number, samples = 50) {
  const found = new Map<string, number | null>()
  for (let step = 0; step <= 64; step++) {
    const members = Math.round(10 ** (4 + step / 16))
    for (const { name, use } of simulateBusiestHourOfCommunity(members, design, seed, samples).resources)
      if ((found.get(name) ?? null) === null) found.set(name, use > 1 ? members : null)
  }
  return [...found]
    .map(([name, members]) => ({ name, members }))
    .sort((a, b) => (a.members ?? Number.POSITIVE_INFINITY) - (b.members ?? Number.POSITIVE_INFINITY))
}
