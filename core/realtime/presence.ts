/** With the type that it has in `channel_data`. `7` and `'7'` are the same user. */
export type PresenceUserId = string | number

/** With the channels to which their connections to one process are subscribed. */
export type PresenceMembers = readonly (readonly [channel: string, user: PresenceUserId, info: unknown])[]

/** Milliseconds: a user who only reloads a page is back by then. */
const LEAVE_DELAY = 1500

interface Member {
  id: PresenceUserId
  info: unknown
  /** Processes with a subscription of the user. */
  processes: Set<string>
  /** Announces the leave after LEAVE_DELAY. */
  timer?: NodeJS.Timeout | undefined
}

export interface PresenceHandlers {
  /** `isNew` is false if the user was there before and this process learns it only now from another one. */
  onJoin(channel: string, user: PresenceUserId, info: unknown, isNew: boolean): void
  onLeave(channel: string, user: PresenceUserId): void
}

/**
 * A user is in a channel while at least one process has a subscription of theirs. `onLeave` runs LEAVE_DELAY
 * after the last one is lost. If the user comes back in that time, nothing runs; with another `info`, both
 * functions run at once.
 */
export class PresenceTracker {
  private readonly channels = new Map<string, Map<string, Member>>()
  private readonly handlers: PresenceHandlers

  constructor(handlers: PresenceHandlers) {
    this.handlers = handlers
  }

  join(process: string, channel: string, user: PresenceUserId, info: unknown, isNew = true) {
    const members = this.channels.get(channel) ?? new Map<string, Member>()
    this.channels.set(channel, members)
    const member = members.get(String(user))
    if (member?.timer && !isSame(member.info, info)) this.remove(channel, member)
    else if (member) {
      clearTimeout(member.timer)
      member.timer = undefined
      return void member.processes.add(process)
    }
    this.channels.set(channel, members)
    members.set(String(user), { id: user, info, processes: new Set([process]) })
    this.handlers.onJoin(channel, user, info, isNew)
  }

  leave(process: string, channel: string, user: PresenceUserId) {
    const member = this.channels.get(channel)?.get(String(user))
    if (!member?.processes.delete(process) || member.processes.size) return
    member.timer = setTimeout(() => this.remove(channel, member), LEAVE_DELAY).unref()
  }

  private remove(channel: string, member: Member) {
    clearTimeout(member.timer)
    const members = this.channels.get(channel)!
    members.delete(String(member.id))
    if (!members.size) this.channels.delete(channel)
    this.handlers.onLeave(channel, member.id)
  }

  /** Announces at once the leaves that still wait. */
  flush() {
    for (const [channel, members] of this.channels)
      for (const member of members.values()) if (member.timer) this.remove(channel, member)
  }

  usersOf(process: string): PresenceMembers {
    return [...this.channels].flatMap(([channel, members]) =>
      [...members.values()]
        .filter(({ processes }) => processes.has(process))
        .map(({ id, info }) => [channel, id, info] as const),
    )
  }

  /** The process's users who are missing in `members` leave. */
  replace(process: string, members: PresenceMembers) {
    const current = new Set(members.map(([channel, user]) => `${channel} ${user}`))
    for (const [channel, user] of this.usersOf(process))
      if (!current.has(`${channel} ${user}`)) this.leave(process, channel, user)
    for (const [channel, user, info] of members) this.join(process, channel, user, info, false)
  }

  /** Like `membersOf`, with those whose leave is not announced yet. */
  count(channel: string) {
    return this.channels.get(channel)?.size ?? 0
  }

  findMembers(channel: string, users: Iterable<PresenceUserId>): { id: PresenceUserId; info: unknown }[] {
    const members = this.channels.get(channel)
    if (!members) return []
    const ids = new Set(Array.from(users, String))
    return [...ids].map((id) => members.get(id)).filter((member) => member !== undefined)
  }

  /** With users whose leave is not announced yet. */
  membersOf(channel: string): readonly { id: PresenceUserId; info: unknown }[] {
    return [...(this.channels.get(channel)?.values() ?? [])]
  }

  /** Without users whose leave is not announced yet. */
  idsOf(channel: string): PresenceUserId[] {
    return [...(this.channels.get(channel)?.values() ?? [])]
      .filter(({ processes }) => processes.size)
      .map(({ id }) => id)
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
