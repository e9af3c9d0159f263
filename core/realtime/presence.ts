/**
 * A user's id with the type that it has in their `channel_data`, a text or a number. `7` and `'7'` are the
 * same user.
 */
export type PresenceUserId = string | number

/** The users whose connections to one process are subscribed to presence channels, with the channels. */
export type PresenceUsersOfProcessWithChannels = readonly (readonly [
  channel: string,
  user: PresenceUserId,
  info: unknown,
])[]

/**
 * The time in ms between the leave of a user and its announcement. A user who only reloads a page is back by
 * then.
 */
const LEAVE_DELAY = 1500

interface Member {
  id: PresenceUserId
  info: unknown
  /** The ids of the processes in which a connection of the user is subscribed to the channel. */
  processes: Set<string>
  /** The timer that announces the leave of the user after LEAVE_DELAY. */
  timer?: NodeJS.Timeout | undefined
}

/** The functions that are called when a user has joined a channel or left it. */
export interface PresenceHandlers {
  /**
   * Called when a user has joined a channel. `isNew` is false if the user was in the channel before, and this
   * process learns it only now from another process.
   */
  onJoin(channel: string, user: PresenceUserId, info: unknown, isNew: boolean): void
  onLeave(channel: string, user: PresenceUserId): void
}

/**
 * Tracks the users of presence channels in all processes. A user is in a channel while at least one process
 * has a subscription of the user. `onJoin` runs when the first process reports the user. `onLeave` runs
 * LEAVE_DELAY after the last process has lost the user. If the user comes back during the delay with the
 * same `info`, neither function runs, so the other members get no messages. With another `info`, both
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

  /** Announces at once the leaves of users that still wait for LEAVE_DELAY. */
  flush() {
    for (const [channel, members] of this.channels)
      for (const member of members.values()) if (member.timer) this.remove(channel, member)
  }

  /** Returns the users who are in presence channels through connections to one process. */
  usersOf(process: string): PresenceUsersOfProcessWithChannels {
    return [...this.channels].flatMap(([channel, members]) =>
      [...members.values()]
        .filter(({ processes }) => processes.has(process))
        .map(({ id, info }) => [channel, id, info] as const),
    )
  }

  /**
   * Replaces the users of a process by `members`. The users who are missing in `members` leave their
   * channels.
   */
  replace(process: string, members: PresenceUsersOfProcessWithChannels) {
    const current = new Set(members.map(([channel, user]) => `${channel} ${user}`))
    for (const [channel, user] of this.usersOf(process))
      if (!current.has(`${channel} ${user}`)) this.leave(process, channel, user)
    for (const [channel, user, info] of members) this.join(process, channel, user, info, false)
  }

  /** Returns the number of members of a channel that subscribers know. */
  count(channel: string) {
    return this.channels.get(channel)?.size ?? 0
  }

  /** Returns those of the given users who are members of a channel, in the form that `membersOf` returns. */
  findMembers(channel: string, users: Iterable<PresenceUserId>): { id: PresenceUserId; info: unknown }[] {
    const members = this.channels.get(channel)
    if (!members) return []
    const ids = new Set(Array.from(users, String))
    return [...ids].map((id) => members.get(id)).filter((member) => member !== undefined)
  }

  /**
   * Returns the members of a channel that subscribers know, including users whose leave is not announced yet.
   */
  membersOf(channel: string): readonly { id: PresenceUserId; info: unknown }[] {
    return [...(this.channels.get(channel)?.values() ?? [])]
  }

  /** Returns the ids of the users who are present in a channel now. */
  idsOf(channel: string): PresenceUserId[] {
    return [...(this.channels.get(channel)?.values() ?? [])]
      .filter(({ processes }) => processes.size)
      .map(({ id }) => id)
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
