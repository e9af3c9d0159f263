import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents, Emit, EventName } from '#core/events.ts'

/** Runs inside the transaction that announced the event. Whatever leaves the database goes into `tx.afterCommit`. */
type Listener<E extends EventName> = (
  tx: Tx,
  event: DomainEvents[E],
  context: AppContext,
) => Promise<void> | void
export type Listeners = { readonly [E in EventName]?: Listener<E> }

/** `context` gives what the listeners need: it is complete before anything is emitted, and not when this is called. */
export const createEmit =
  (listeners: readonly Listeners[], context: () => AppContext): Emit =>
  async (tx, name, event) => {
    for (const each of listeners) await each[name]?.(tx, event, context())
  }
