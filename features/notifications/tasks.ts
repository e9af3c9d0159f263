import './events.ts'
import type { AppContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import type { TaskKind } from './contract.ts'
import { storeMany } from './event-storage.ts'
import * as notifier from './model.ts'

// What waits for a decision of a member. It stays unread until the decision is made, whoever makes it. The
// actor of its events is the member, because a task names nobody; the source is what waits.

interface Task {
  kind: TaskKind
  /** A child; 0 for other kinds, so that each member has one notification about all reports. */
  subject?: number
  source: number
}

/** Does nothing for members who have it already. */
export async function add(
  context: AppContext,
  tx: Tx,
  users: readonly number[],
  { kind, subject = 0, source }: Task,
) {
  for (const user of users) await notifier.add(context, tx, { user, actor: user, kind, subject, source })
}

/**
 * One each, for up to `BATCH` members. Leaves out those who have it already, and returns the others. Windows
 * are told after the commit.
 */
export async function addMany(
  context: AppContext,
  tx: Tx,
  users: readonly number[],
  { kind, subject }: { kind: TaskKind; subject: number },
) {
  const created_at = isoNow()
  const recipients = users.map((user) => ({ user, actor: user }))
  const notifications = await storeMany(tx, { kind, subject_id: subject, created_at, recipients })
  if (!notifications.length) return []
  await context.emit(tx, 'notifications.created', { kind, notifications })
  for (const { id, user_id } of notifications)
    notifier.announce(context, tx, user_id, { trace: { id, at: created_at } })
  return notifications.map(({ user_id }) => user_id)
}

/** The members who have it, and what waits for them. */
export const list = (db: Db, { kind, subject }: Required<Omit<Task, 'source'>>) =>
  db
    .selectFrom('notifications as n')
    .innerJoin('notification_events as e', 'e.notification_id', 'n.id')
    .select(['n.user_id', 'e.source_id'])
    .where('n.kind', '=', kind)
    .where('n.subject_id', '=', subject)
    .execute()

/** Decided, or gone. */
export const end = (context: AppContext, tx: Tx, task: Task) => notifier.deleteSource(context, tx, task)
