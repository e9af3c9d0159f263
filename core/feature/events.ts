import type { Tx } from '#core/database/database.ts'

/** All domain events, by name. Each feature's events.ts adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: the features add their events by declaration merging
export interface DomainEvents {}

export type EventName = keyof DomainEvents

/**
 * Announces an event in the transaction of the change. The listeners of the features run in the same
 * transaction, in the order of `featureModules`. An error of a listener undoes the transaction. Resolves
 * when all listeners have run.
 */
export type Emit = <E extends EventName>(tx: Tx, name: E, event: DomainEvents[E]) => Promise<void>
