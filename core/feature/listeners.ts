import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import type { DomainEvents, Emit, EventName } from './events.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** The job that announces an event for a process without listeners: see `emitByJob`. */
    domain_event: { name: EventName; event: DomainEvents[EventName] }
  }
}

/**
 * A function that runs inside the transaction that announced the event. It uses `tx.afterCommit` for effects
 * outside of the database.
 */
type Listener<E extends EventName> = (
  tx: Tx,
  event: DomainEvents[E],
  context: AppContext,
) => Promise<void> | void
export type Listeners = { readonly [E in EventName]?: Listener<E> }

/**
 * Returns the function that announces events to `listeners`. It calls `context` at each event, because the
 * services do not exist yet when `createEmit` runs.
 */
export const createEmit =
  (listeners: readonly Listeners[], context: () => AppContext): Emit =>
  async (tx, name, event) => {
    for (const { [name]: listener } of listeners) if (listener) await listener(tx, event, context())
  }

/**
 * Announces an event from a process that has no services for the listeners, such as the command line. A job
 * of a server calls the listeners after the commit, in a transaction of its own; so they may find a later
 * state.
 */
export const emitByJob: Emit = async (tx, name, event) =>
  void (await enqueueJob(tx, 'domain_event', { name, event }))
