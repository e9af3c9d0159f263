import { scalingModelDistributionShapes } from './scaling-assumptions.ts'

export type ScalingRandomIdSampler = ReturnType<typeof createScalingRandomIdSampler>

/** Creates functions that draw the members, conversations and posts of a request. */
export function createScalingRandomIdSampler(members: number, random: () => number) {
  const pareto = ({ least, exponent, most }: { least: number; exponent: number; most: number }) =>
    Math.min(most, members - 1, Math.floor(least * (1 - random()) ** -exponent))
  const member = () => 1 + Math.floor(random() * members)
  /** A member by popularity. The rank is turned into an id that has nothing to do with the rank. */
  const popularMember = () => {
    const power = 1 - scalingModelDistributionShapes.popularity
    const rank = Math.floor((1 + random() * ((members + 1) ** power - 1)) ** (1 / power))
    return 1 + ((rank * 7919) % members)
  }
  const list = (count: number, one: () => number) => Array.from({ length: count }, one)
  return {
    members,
    member,
    popularMember,
    list,
    followed: () => list(pareto(scalingModelDistributionShapes.followed), popularMember),
    conversations: () => list(pareto(scalingModelDistributionShapes.conversations), () => member() + members),
    groupSize: () => pareto(scalingModelDistributionShapes.group),
    /** A private chat has the shard of one of its members; a group has an own one. */
    privateChat: (me: number, other: number) => Math.min(me, other),
    group: () => member() + members,
  }
}
