import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'

/** Everything that features announce, by name. Each feature's events.ts adds its own by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features, so that core names none of them
export interface DomainEvents {}

export type EventName = keyof DomainEvents
/** Runs inside the transaction that announced the event; what it throws undoes that transaction. */
export type Listener<E extends EventName> = (
  tx: Tx,
  event: DomainEvents[E],
  context: AppContext,
) => Promise<void> | void
export type Listeners = { readonly [E in EventName]?: Listener<E> }

/** Announces an event to the listeners of all modules, in the order of the modules. Resolves when they have run. */
export type Emit = <E extends EventName>(tx: Tx, name: E, event: DomainEvents[E]) => Promise<void>

/** `context` gives what the listeners need: it is complete before anything is emitted, and not when this is called. */
export const createEmit =
  (listeners: readonly Listeners[], context: () => AppContext): Emit =>
  async (tx, name, event) => {
    for (const each of listeners) await each[name]?.(tx, event, context())
  }
