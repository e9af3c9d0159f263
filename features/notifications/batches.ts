import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { fillChannel } from '#core/contract.ts'
import { type Db, hasMatchingRow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { chatChannels } from '#features/conversations/contract.ts'
import { deleteEmpty } from './cleanup.ts'
import { CHANGED_EVENT, type NotificationKind } from './contract.ts'
import type { NotifiedAction } from './event-storage.ts'

// For jobs that tell all members, or take back what told them.

/** Members whose notifications one transaction stores or deletes. */
export const BATCH = 200
/** In ms, before each batch: who tells them gets the response first, and not all windows reload at once. */
const PAUSE = 50

/** Each run is a transaction. `run` gets its last result, at first 0; undefined ends it. */
export async function runInBatches(
  { db }: AppContext,
  signal: AbortSignal,
  run: (tx: Tx, last: number) => Promise<number | undefined>,
) {
  for (let last: number | undefined = 0; last !== undefined; ) {
    const previous: number = last
    await sleep(PAUSE)
    signal.throwIfAborted()
    last = await transaction(db, (tx) => run(tx, previous))
  }
}

export const removeAll = (
  context: AppContext,
  { kind, subject }: { kind: NotificationKind; subject: number },
  signal: AbortSignal,
) =>
  runInBatches(context, signal, async (tx) => {
    const found = await tx
      .selectFrom('notifications')
      .select(['id', 'user_id'])
      .where('kind', '=', kind)
      .where('subject_id', '=', subject)
      .orderBy('id')
      .limit(BATCH)
      .execute()
    if (!found.length) return undefined
    await tx
      .deleteFrom('notifications')
      .where(
        'id',
        'in',
        found.map(({ id }) => id),
      )
      .execute()
    const users = found.map(({ user_id }) => user_id)
    tx.afterCommit(() => broadcastChange(context, users))
    return found.length
  })

export const hasAny = (db: Db, { kind, subject }: { kind: NotificationKind; subject: number }) =>
  hasMatchingRow(
    db
      .selectFrom('notifications')
      .select('id')
      .where('kind', '=', kind)
      .where('subject_id', '=', subject)
      .limit(1),
  )

/**
 * Deletes the events of one action, and the notifications that have no other. Looks at all of `subject`, whose
 * events are of one person.
 */
export const removeSource = (
  context: AppContext,
  { kind, subject, actor, source }: Required<Omit<NotifiedAction, 'user'>>,
  signal: AbortSignal,
) =>
  runInBatches(context, signal, async (tx, after) => {
    const all = await tx
      .selectFrom('notifications')
      .select(['id', 'user_id'])
      .where('kind', '=', kind)
      .where('subject_id', '=', subject)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .execute()
    if (!all.length) return undefined
    const ids = all.map(({ id }) => id)
    const deleted = await tx
      .deleteFrom('notification_events')
      .where('notification_id', 'in', ids)
      .where('actor_id', '=', actor)
      .where('source_id', '=', source)
      .returning('notification_id')
      .execute()
    const changed = deleted.map(({ notification_id }) => notification_id)
    if (!changed.length) return ids.at(-1)
    await tx
      .updateTable('notifications')
      .set({
        last_event_id: sql`coalesce((select max(id) from notification_events
          where notification_id = notifications.id), 0)`,
      })
      .where('id', 'in', changed)
      .execute()
    await deleteEmpty(tx, changed)
    const users = all.filter(({ id }) => changed.includes(id)).map(({ user_id }) => user_id)
    tx.afterCommit(() => broadcastChange(context, users))
    return ids.at(-1)
  })

export function broadcastChange(
  { realtime }: AppContext,
  users: readonly number[],
  options: Parameters<AppContext['realtime']['broadcast']>[3] = {},
) {
  const channels = users.map((user) => fillChannel(chatChannels.member, { user }))
  const data = { is_only_read: false }
  realtime.broadcast(channels, CHANGED_EVENT, data, { unlessMuted: true, ...options })
}
