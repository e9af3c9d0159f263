/** Who is where, told by one process of itself. */
export type Roster = readonly (readonly [channel: string, user: string, info: unknown])[]

export interface Presence {
  enter(process: string, channel: string, user: string, info: unknown): void
  leave(process: string, channel: string, user: string): void
  /** All that one process has to say. */
  roster(process: string): Roster
  /** Puts what a process says of itself in the place of what was known; an empty roster forgets it. */
  replace(process: string, roster: Roster): void
  membersOf(channel: string): ReadonlyMap<string, { info: unknown }>
}

/** Members of presence channels, in all processes: somebody is there while any process has them. */
export function createPresence(
  appeared: (channel: string, user: string, info: unknown) => void,
  vanished: (channel: string, user: string) => void,
): Presence {
  const channels = new Map<string, Map<string, { info: unknown; processes: Set<string> }>>()

  function enter(process: string, channel: string, user: string, info: unknown) {
    const members = channels.get(channel) ?? new Map()
    channels.set(channel, members)
    const member = members.get(user)
    if (member) return member.processes.add(process)
    members.set(user, { info, processes: new Set([process]) })
    appeared(channel, user, info)
  }

  function leave(process: string, channel: string, user: string) {
    const members = channels.get(channel)
    const member = members?.get(user)
    if (!members || !member?.processes.delete(process) || member.processes.size) return
    members.delete(user)
    if (!members.size) channels.delete(channel)
    vanished(channel, user)
  }

  const roster = (process: string) =>
    [...channels].flatMap(([channel, members]) =>
      [...members]
        .filter(([, { processes }]) => processes.has(process))
        .map(([user, { info }]) => [channel, user, info] as const),
    )

  return {
    enter,
    leave,
    roster,
    replace(process, now) {
      const kept = new Set(now.map(([channel, user]) => `${channel} ${user}`))
      for (const [channel, user] of roster(process))
        if (!kept.has(`${channel} ${user}`)) leave(process, channel, user)
      for (const [channel, user, info] of now) enter(process, channel, user, info)
    },
    membersOf: (channel) => channels.get(channel) ?? new Map(),
  }
}
