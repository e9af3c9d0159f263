/**
 * Lists the peers of a member: the members whose presence the member sees in a large presence channel whose
 * feature has declared it with `showsOnlyPeersWhenLarge`. The number of peers must be bounded, because the
 * server stores them for each subscription.
 */
export type PresencePeerReader = (member: number) => Promise<readonly number[]>

/**
 * A channel that was large counts as small again when its number of members falls below this part of the
 * number from which it is large.
 */
const SMALL_AGAIN = 0.8

/**
 * Tracks which presence channels have so many members that their subscribers see only their peers. A list of
 * all members, and a message to each of them for each join, would cost the more the more members there are.
 */
export class LargePresenceChannels {
  private readonly names = new Set<string>()
  private readonly maxMembers: number
  private readonly showsOnlyPeersWhenLarge: (channel: string) => boolean

  /** A channel with more than `maxMembers` members is large. */
  constructor(maxMembers: number, showsOnlyPeersWhenLarge: (channel: string) => boolean) {
    this.maxMembers = maxMembers
    this.showsOnlyPeersWhenLarge = showsOnlyPeersWhenLarge
  }

  has(channel: string) {
    return this.names.has(channel)
  }

  /** Whether any presence channel is large. */
  get exist() {
    return this.names.size > 0
  }

  /** Updates the number of members of a channel. Returns whether it has become large, or small again. */
  update(channel: string, members: number) {
    if (this.names.has(channel)) return members < this.maxMembers * SMALL_AGAIN && this.names.delete(channel)
    if (members <= this.maxMembers || !this.showsOnlyPeersWhenLarge(channel)) return false
    this.names.add(channel)
    return true
  }
}
