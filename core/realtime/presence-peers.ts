/**
 * Lists the members whose presence a member sees in a large channel declared with `showsOnlyPeersWhenLarge`.
 * Their number must be bounded, because it is stored for each subscription.
 */
export type ReadPeers = (member: number) => Promise<readonly number[]>

/** A large channel is small again below this part of the maximum. */
const SMALL_AGAIN = 0.8

/** Subscribers of large channels see only their peers: all members and their joins would cost too much. */
export class LargeChannels {
  private readonly names = new Set<string>()
  private readonly maxMembers: number
  private readonly showsOnlyPeersWhenLarge: (channel: string) => boolean

  constructor(maxMembers: number, showsOnlyPeersWhenLarge: (channel: string) => boolean) {
    this.maxMembers = maxMembers
    this.showsOnlyPeersWhenLarge = showsOnlyPeersWhenLarge
  }

  has(channel: string) {
    return this.names.has(channel)
  }

  get exist() {
    return this.names.size > 0
  }

  /** Returns whether the channel has become large, or small again. */
  update(channel: string, members: number) {
    if (this.names.has(channel)) return members < this.maxMembers * SMALL_AGAIN && this.names.delete(channel)
    if (members <= this.maxMembers || !this.showsOnlyPeersWhenLarge(channel)) return false
    this.names.add(channel)
    return true
  }
}
