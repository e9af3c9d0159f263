import { fillChannelNameParameters } from '#core/contract.ts'
import type { ChannelsAndEventDeliveryCounts } from '#core/realtime/bus.ts'
import { chatChannelDefinitions } from '#features/chat/channel-contract.ts'

/**
 * The name of the channel that all windows of one member are subscribed to, without the id of the member at
 * its end.
 */
const MEMBER_CHANNEL_PREFIX = fillChannelNameParameters(chatChannelDefinitions.member, { user: 0 }).slice(
  0,
  -1,
)
/**
 * The factor by which member ids are multiplied, so that one number contains an id and a window count. Larger
 * window counts are stored as the factor minus 1.
 */
const COUNT_LIMIT = 256

/**
 * Encodes to how many windows of each member an event was written, as short JSON. The keys are numbers of
 * windows. Each value lists the members with this number: the first id, and then the differences between ids.
 * `{"1":[5,1,1],"2":[9]}` says that the members 5, 6 and 7 have one window, and the member 9 has two. This
 * takes a few kilobytes for a group with thousands of members. Leaves out the channels that are not those of
 * one member. `total` is the number of all windows.
 *
 * Sorts numbers of which each contains an id and a count, because this is several times faster than objects,
 * and groups have thousands of members.
 */
export function encodeDeliveredWindowCountsByMemberWithTotal({
  channels,
  counts,
}: ChannelsAndEventDeliveryCounts) {
  const pairs = new Float64Array(channels.length)
  let length = 0
  for (let index = 0; index < channels.length; index++) {
    const name = channels[index]!
    if (!name.startsWith(MEMBER_CHANNEL_PREFIX)) continue
    const member = Number(name.slice(MEMBER_CHANNEL_PREFIX.length))
    pairs[length++] = member * COUNT_LIMIT + Math.min(counts[index]!, COUNT_LIMIT - 1)
  }
  return encodeSortedPairs(pairs.subarray(0, length).sort())
}

function encodeSortedPairs(pairs: Float64Array) {
  const lists: Record<number, { last: number; differences: number[] }> = {}
  let total = 0
  for (let index = 0; index < pairs.length; index++) {
    const count = pairs[index]! % COUNT_LIMIT
    const member = (pairs[index]! - count) / COUNT_LIMIT
    // A broadcast of two events may name the same member twice. Only the larger count, which is the last one
    // after sorting, is kept.
    if (pairs[index + 1] !== undefined && Math.floor(pairs[index + 1]! / COUNT_LIMIT) === member) continue
    lists[count] ??= { last: 0, differences: [] }
    const list = lists[count]
    list.differences.push(member - list.last)
    list.last = member
    total += count
  }
  const entries = Object.entries(lists).map(
    ([count, { differences }]) => `"${count}":[${differences.join()}]`,
  )
  return { windows: `{${entries.join()}}`, total }
}

/**
 * Returns the number of windows of one member from the JSON `encoded`; 0 if it does not contain the member.
 */
export function decodeDeliveredWindowCountOfMember(encoded: string, member: number) {
  for (const [count, differences] of Object.entries(JSON.parse(encoded) as Record<string, number[]>)) {
    let id = 0
    for (const difference of differences) {
      id += difference
      if (id === member) return Number(count)
    }
  }
  return 0
}
