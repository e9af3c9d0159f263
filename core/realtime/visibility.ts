/**
 * Decides which viewers may receive events about which people. A feature implements it, and the realtime
 * server asks it before it delivers an event. A viewer is a user's id, or 0 for a visitor. The functions
 * return null as long as no rule hides anybody, so that no delivery has to wait.
 */
export interface RealtimeVisibilityRules {
  /** Returns the viewers who may not see the person. */
  hiddenFrom(person: number): Promise<ReadonlySet<number>> | null
  /** Returns the people whom the viewer may not see. */
  hiddenPeople(viewer: number): Promise<ReadonlySet<number>> | null
  /** Returns all viewers who have muted the person. */
  mutedBy(person: number): Promise<ReadonlySet<number>> | null
  /** Returns the viewers to whom nothing of the person is brought: see `apart` of core/contacts.ts. */
  apartFrom(person: number): Promise<ReadonlySet<number>> | null
}

/** Which people an event is about, and whom that keeps from getting it: see `ChannelEventBusMessage`. */
export interface EventPeople {
  aboutUsers?: readonly number[] | undefined
  unlessMuted?: boolean | undefined
  inGroup?: boolean | undefined
}

/**
 * Resolves to the viewers who may not see at least one of the people (the set may be empty); with
 * `unlessMuted`, also to those who have muted one of them, and, unless the event is `inGroup`, to those to
 * whom nothing of one of them is brought. Returns null if there are no people, or no rule hides anybody.
 */
export function findViewersExcludedFromEvent(
  visibility: RealtimeVisibilityRules,
  { aboutUsers = [], unlessMuted = false, inGroup = false }: EventPeople,
) {
  const waiting = aboutUsers
    .flatMap((person) => [
      visibility.hiddenFrom(person),
      unlessMuted ? visibility.mutedBy(person) : null,
      unlessMuted && !inGroup ? visibility.apartFrom(person) : null,
    ])
    .filter((viewers) => viewers !== null)
  if (!waiting.length) return null
  return Promise.all(waiting).then((sets) => new Set(sets.flatMap((viewers) => [...viewers])))
}

/** A set of viewers that can only be asked whether it has a viewer. */
export type ViewerIdSetLike = Pick<ReadonlySet<number>, 'has'>

/** The viewers who may receive an event: the members, or the users with these ids. */
export type AllowedEventViewers = 'members' | readonly number[]

/**
 * Returns the viewers who must not receive an event: those in `excluded`, and everybody who is not in
 * `onlyFor`. Without `onlyFor`, returns `excluded`.
 */
export function combineExcludedEventViewers(
  onlyFor: AllowedEventViewers | undefined,
  excluded: ReadonlySet<number> | null,
): ViewerIdSetLike | null {
  if (onlyFor === undefined) return excluded
  const allowed = onlyFor === 'members' ? null : new Set(onlyFor)
  const mayReceive = (viewer: number) => (allowed ? allowed.has(viewer) : viewer !== 0)
  return { has: (viewer) => !mayReceive(viewer) || excluded?.has(viewer) === true }
}

/** Runs deliveries in the order of the calls, although some of them wait for the list of excluded viewers. */
export class OrderedEventDeliveries {
  private last: Promise<void> | null = null
  private readonly onError: (error: unknown) => void

  /** Creates the queue that delivers live events in order. `onError` gets the error of a failed delivery. */
  constructor(onError: (error: unknown) => void) {
    this.onError = onError
  }

  /** Runs `deliver` at once if neither this delivery nor an earlier one has to wait. */
  run(hidden: Promise<ReadonlySet<number>> | null, deliver: (hidden: ReadonlySet<number> | null) => void) {
    if (!hidden && !this.last) return deliver(null)
    // Waits until the list of viewers and the earlier delivery have both settled. A failed delivery must not
    // let the next one overtake earlier ones.
    const own = Promise.allSettled([hidden, this.last])
      .then(([viewers]) => {
        if (viewers.status === 'rejected') throw viewers.reason
        deliver(viewers.value?.size ? viewers.value : null)
      })
      .catch(this.onError)
      .then(() => {
        if (this.last === own) this.last = null
      })
    this.last = own
  }
}
