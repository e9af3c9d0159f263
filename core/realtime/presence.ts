/** A user's id as their `channel_data` has it: a number stays a number. `7` and `'7'` are the same user. */
export type UserId = string | number

/** The users of presence channels that one process has. */
export type Members = readonly (readonly [channel: string, user: UserId, info: unknown])[]

/**
 * Milliseconds after which the others are told that a user has left. A page that is reloaded is back by then.
 */
const LEAVE_DELAY = 1500

interface Member {
  id: UserId
  info: unknown
  /** The processes that have the user in the channel. */
  processes: Set<string>
  /** Runs while the user has left, and the others have not been told. */
  timer?: NodeJS.Timeout | undefined
}

/** Tells subscribers, or others, that a user has joined a channel or left it. */
export interface PresenceHandlers {
  /** `isNew` is false where another process says that it has had the user all along. */
  onJoin(channel: string, user: UserId, info: unknown, isNew: boolean): void
  onLeave(channel: string, user: UserId): void
}

/**
 * The users of presence channels in all processes. A user is in a channel while any process has them there.
 * `onJoin` runs when the first process has a user. `onLeave` runs some time after the last one has lost them.
 * Neither runs for a user who comes back before that, so a user who leaves and joins again and again causes
 * no messages to the others.
 */
export class Presence {
  private readonly channels = new Map<string, Map<string, Member>>()
  private readonly handlers: PresenceHandlers

  constructor(handlers: PresenceHandlers) {
    this.handlers = handlers
  }

  join(process: string, channel: string, user: UserId, info: unknown, isNew = true) {
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

  leave(process: string, channel: string, user: UserId) {
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

  /** Tells at once who has left. */
  flush() {
    for (const [channel, members] of this.channels)
      for (const member of members.values()) if (member.timer) this.remove(channel, member)
  }

  /** The users that a process has. */
  usersOf(process: string): Members {
    return [...this.channels].flatMap(([channel, members]) =>
      [...members.values()]
        .filter(({ processes }) => processes.has(process))
        .map(({ id, info }) => [channel, id, info] as const),
    )
  }

  /** Replaces the users that a process has; an empty list removes them. */
  replace(process: string, members: Members) {
    const current = new Set(members.map(([channel, user]) => `${channel} ${user}`))
    for (const [channel, user] of this.usersOf(process))
      if (!current.has(`${channel} ${user}`)) this.leave(process, channel, user)
    for (const [channel, user, info] of members) this.join(process, channel, user, info, false)
  }

  /** The members as subscribers know them: also those who have left and whose leaving was not told yet. */
  membersOf(channel: string): readonly { id: UserId; info: unknown }[] {
    return [...(this.channels.get(channel)?.values() ?? [])]
  }

  /** The ids of the users who are there now. */
  idsOf(channel: string): UserId[] {
    return [...(this.channels.get(channel)?.values() ?? [])]
      .filter(({ processes }) => processes.size)
      .map(({ id }) => id)
  }
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
