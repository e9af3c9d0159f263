/** The number of open windows of members, by the id of the member. */
export type WindowCounts = ReadonlyMap<number, number>

/**
 * Encodes window counts as short JSON: the members by their number of windows, each list as the first id and
 * the differences between the ids. `{"1":[5,1,1],"2":[9]}` says that the members 5, 6 and 7 have one window,
 * and the member 9 has two. A group of thousands of members is a few kilobytes.
 */
export function encodeWindowCounts(counts: WindowCounts) {
  const byCount = Map.groupBy(
    [...counts.keys()].sort((a, b) => a - b),
    (member) => counts.get(member)!,
  )
  const lists = [...byCount].map(([count, members]) => [
    count,
    members.map((member, index) => member - (members[index - 1] ?? 0)),
  ])
  return JSON.stringify(Object.fromEntries(lists))
}

/** Returns the number of windows of one member; 0 if `encoded` does not name the member. */
export function readWindowCount(encoded: string, member: number) {
  for (const [count, differences] of Object.entries(JSON.parse(encoded) as Record<string, number[]>)) {
    let id = 0
    for (const difference of differences) {
      id += difference
      if (id === member) return Number(count)
    }
  }
  return 0
}
