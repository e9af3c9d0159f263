import { fillChannel } from '#core/contract.ts'
import type { DeliveryCounts } from '#core/realtime/bus.ts'
import { chatChannels } from '#features/conversations/contract.ts'

/** Without the member's id at its end. All windows of a member are subscribed to the channel. */
const MEMBER_CHANNEL_PREFIX = fillChannel(chatChannels.member, { user: 0 }).slice(0, -1)
/** One number is a member id times this, plus a window count. Larger counts are stored as 255. */
const COUNT_LIMIT = 256

/**
 * Short JSON: `{"1":[5,1,1],"2":[9]}` says that members 5, 6 and 7 have one window, and member 9 has two: the
 * first id, then differences. A few kilobytes for a group of thousands. Leaves out channels that are not one
 * member's. `total`: all windows.
 *
 * Sorts numbers of an id and a count each: several times faster than objects.
 */
export function encodeCounts({ channels, counts }: DeliveryCounts) {
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
    // A broadcast of two events may name a member twice: the larger count, the last one, is kept.
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

/** 0 if `encoded` does not contain the member. */
export function decodeCount(encoded: string, member: number) {
  for (const [count, differences] of Object.entries(JSON.parse(encoded) as Record<string, number[]>)) {
    let id = 0
    for (const difference of differences) {
      id += difference
      if (id === member) return Number(count)
    }
  }
  return 0
}
