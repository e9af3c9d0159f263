import { setTimeout as sleep } from 'node:timers/promises'
import type { AppContext } from '#core/context.ts'
import { fillChannel } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { chatChannels } from '#features/conversations/contract.ts'
import { CHANGED_EVENT, type NotificationKind } from './contract.ts'

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

export function broadcastChange(
  { realtime }: AppContext,
  users: readonly number[],
  options: Parameters<AppContext['realtime']['broadcast']>[3] = {},
) {
  const channels = users.map((user) => fillChannel(chatChannels.member, { user }))
  const data = { is_only_read: false }
  realtime.broadcast(channels, CHANGED_EVENT, data, { unlessMuted: true, ...options })
}
