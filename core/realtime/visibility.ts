import type { ReadPeers } from './presence-peers.ts'

/** A viewer is a user's id, or 0 for a visitor. Null while no rule hides anybody: no delivery has to wait. */
export interface VisibilityRules {
  /** Viewers who may not see the person. */
  hiddenFrom(person: number): Promise<ReadonlySet<number>> | null
  /** People whom the viewer may not see. */
  hiddenPeople(viewer: number): Promise<ReadonlySet<number>> | null
  mutedBy(person: number): Promise<ReadonlySet<number>> | null
  /** Viewers to whom nothing of the person is brought: see `apart` of core/feature/contacts.ts. */
  apartFrom(person: number): Promise<ReadonlySet<number>> | null
  /** Whose presence the viewer sees in a large channel. */
  peers: ReadPeers
}

export interface EventPeople {
  aboutUsers?: readonly number[] | undefined
  unlessMuted?: boolean | undefined
  inGroup?: boolean | undefined
}

/**
 * Viewers who may not see one of the people; with `unlessMuted`, also those who muted one, and, unless
 * `inGroup`, those to whom nothing of one is brought. Null without people, or if no rule hides anybody.
 */
export function findExcluded(
  visibility: VisibilityRules,
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

export type ViewerSet = Pick<ReadonlySet<number>, 'has'>

export type AllowedViewers = 'members' | readonly number[]

/** `excluded`, and with `onlyFor` also everybody who is not in it. */
export function combineExcluded(
  onlyFor: AllowedViewers | undefined,
  excluded: ReadonlySet<number> | null,
): ViewerSet | null {
  if (onlyFor === undefined) return excluded
  const allowed = onlyFor === 'members' ? null : new Set(onlyFor)
  const mayReceive = (viewer: number) => (allowed ? allowed.has(viewer) : viewer !== 0)
  return { has: (viewer) => !mayReceive(viewer) || excluded?.has(viewer) === true }
}

/** Keeps the order of the calls, although some wait for the list of excluded viewers. */
export class OrderedDeliveries {
  private last: Promise<void> | null = null
  private readonly onError: (error: unknown) => void

  constructor(onError: (error: unknown) => void) {
    this.onError = onError
  }

  /** At once if neither this delivery nor an earlier one has to wait. */
  run(hidden: Promise<ReadonlySet<number>> | null, deliver: (hidden: ReadonlySet<number> | null) => void) {
    if (!hidden && !this.last) return deliver(null)
    // A failed delivery must not let the next one overtake earlier ones.
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
