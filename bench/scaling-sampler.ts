import { scalingModelDistributionShapes } from './scaling-assumptions.ts'

export type ScalingRandomIdFunctions = ReturnType<typeof createScalingRandomIdFunctions>

/** Returns functions that choose the ids of the members, conversations and posts of a request at random. */
export function createScalingRandomIdFunctions(members: number, random: () => number) {
  const pareto = ({ least, exponent, most }: { least: number; exponent: number; most: number }) =>
    Math.min(most, members - 1, Math.floor(least * (1 - random()) ** -exponent))
  const member = () => 1 + Math.floor(random() * members)
  /**
   * Returns the id of a random member; popular members are chosen more often. The id has nothing to do with
   * the rank of the popularity.
   */
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
    /**
     * Returns the id that decides the shard of a private chat, that of one of its members. A group has an own
     * id.
     */
    privateChat: (me: number, other: number) => Math.min(me, other),
    group: () => member() + members,
  }
}
