/**
 * Says who may be told of whom. The realtime server asks it in the process that delivers, and a feature
 * answers. A viewer is a user's id, or 0 for a visitor. Both functions return null while no rule hides
 * anybody: then no delivery waits.
 */
export interface Audience {
  /** The viewers who may not see the person. */
  hiddenFrom(person: number): Promise<ReadonlySet<number>> | null
  /** The people whom the viewer may not see. */
  hiddenTo(viewer: number): Promise<ReadonlySet<number>> | null
}

/** The viewers who may not see one of the people; null where nobody has to be left out. */
export function hiddenFromAny({ hiddenFrom }: Audience, people: readonly number[] = []) {
  const waiting = people.map(hiddenFrom).filter((viewers) => viewers !== null)
  if (!waiting.length) return null
  return Promise.all(waiting).then((sets) => new Set(sets.flatMap((viewers) => [...viewers])))
}

/** Runs deliveries in the order of the calls, although some of them wait for the viewers to leave out. */
export class DeliveryQueue {
  private last: Promise<void> | null = null
  private readonly onError: (error: unknown) => void

  /** `onError` is told why a delivery did not run. */
  constructor(onError: (error: unknown) => void) {
    this.onError = onError
  }

  /** Runs `deliver` at once where neither it nor a delivery before it has to wait. */
  run(hidden: Promise<ReadonlySet<number>> | null, deliver: (hidden: ReadonlySet<number> | null) => void) {
    if (!hidden && !this.last) return deliver(null)
    // All settle: a delivery that fails must not let the next one overtake those before it.
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
