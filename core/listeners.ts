import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import type { DomainEvents, Emit, EventName } from '#core/events.ts'

/**
 * Runs inside the transaction that announced the event. Effects outside of the database go into
 * `tx.afterCommit`.
 */
type Listener<E extends EventName> = (
  tx: Tx,
  event: DomainEvents[E],
  context: AppContext,
) => Promise<void> | void
export type Listeners = { readonly [E in EventName]?: Listener<E> }

/**
 * `context` is called at each event: the services are complete by then, and not yet when this function
 * runs.
 */
export const createEmit =
  (listeners: readonly Listeners[], context: () => AppContext): Emit =>
  async (tx, name, event) => {
    for (const { [name]: listener } of listeners) if (listener) await listener(tx, event, context())
  }
