/** The users of presence channels that one process has. */
export type Members = readonly (readonly [channel: string, user: string, info: unknown])[]

export interface Presence {
  join(process: string, channel: string, user: string, info: unknown): void
  leave(process: string, channel: string, user: string): void
  /** The users that a process has. */
  usersOf(process: string): Members
  /** Replaces the users that a process has; an empty list removes them. */
  replace(process: string, members: Members): void
  membersOf(channel: string): ReadonlyMap<string, { info: unknown }>
}

/**
 * The users of presence channels in all processes. A user is in a channel while any process has them there.
 * `onJoin` and `onLeave` run when the first process has a user, and when the last one has them no more.
 */
export function createPresence(
  onJoin: (channel: string, user: string, info: unknown) => void,
  onLeave: (channel: string, user: string) => void,
): Presence {
  const channels = new Map<string, Map<string, { info: unknown; processes: Set<string> }>>()

  function join(process: string, channel: string, user: string, info: unknown) {
    const members = channels.get(channel) ?? new Map()
    channels.set(channel, members)
    const member = members.get(user)
    if (member) return member.processes.add(process)
    members.set(user, { info, processes: new Set([process]) })
    onJoin(channel, user, info)
  }

  function leave(process: string, channel: string, user: string) {
    const members = channels.get(channel)
    const member = members?.get(user)
    if (!members || !member?.processes.delete(process) || member.processes.size) return
    members.delete(user)
    if (!members.size) channels.delete(channel)
    onLeave(channel, user)
  }

  const usersOf = (process: string) =>
    [...channels].flatMap(([channel, members]) =>
      [...members]
        .filter(([, { processes }]) => processes.has(process))
        .map(([user, { info }]) => [channel, user, info] as const),
    )

  function replace(process: string, members: Members) {
    const current = new Set(members.map(([channel, user]) => `${channel} ${user}`))
    for (const [channel, user] of usersOf(process))
      if (!current.has(`${channel} ${user}`)) leave(process, channel, user)
    for (const [channel, user, info] of members) join(process, channel, user, info)
  }

  return { join, leave, usersOf, replace, membersOf: (channel) => channels.get(channel) ?? new Map() }
}
