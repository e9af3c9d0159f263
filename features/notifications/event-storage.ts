import { type QueryResult, type RawBuilder, sql } from 'kysely'
import type { CurrentUser } from '#core/context.ts'
import { isPostgres, type Tx } from '#core/database/database.ts'
import { buildNotMutedCondition } from '#features/people/visibility.ts'
import type { NotificationKind } from './contract.ts'

// The SQL statements that store an action of a person in the notification of a member.

export interface NotifiedAct {
  /** The id of the member who gets the notification. */
  user: number
  kind: NotificationKind
  /** The id of what the notification is about: see `subject_id` of the table `notifications`. */
  subject: number
  /** The id of the person who did what the notification is about. */
  actor: number
  /**
   * The id of the reply or message that caused the notification, if there is one: see `source_id` of the
   * table `notification_events`.
   */
  source?: number
}

export const buildNotificationIdQuery = ({ user, kind, subject }: NotifiedAct) =>
  sql<{ id: number }>`select id from notifications
    where user_id = ${user} and kind = ${kind} and subject_id = ${subject}`

interface StoredEvent {
  id: number
  notification_id: number
  created_at: string
}
/** The stored event. `is_shown` is whether the member may see the person and has not muted the person. */
interface StoredEventOfPerson extends StoredEvent {
  is_shown: boolean
}

/**
 * Sends the statements that store an action as an event in the notification of a member, which they insert if
 * there is none. If the person did the same before and took it back, the event is no longer marked as ended.
 * The `answer` has the stored event as its row; it has no row if the same event is stored already.
 */
export function sendStoreNotificationEventStatements(
  tx: Tx,
  act: NotifiedAct,
  created_at: string,
  person: RawBuilder<unknown>,
) {
  const { actor, source = 0 } = act
  tx.sendStatement(buildNotificationInsertionOrLock(tx, act))
  const insertion = sql<StoredEvent>`insert into notification_events (notification_id, actor_id, source_id, created_at)
    values ((${buildNotificationIdQuery(act)}), ${actor}, ${source}, ${created_at})
    on conflict (notification_id, actor_id, source_id)
      do update set ended_at = null where notification_events.ended_at is not null
    returning id, notification_id, created_at`
  return sendInsertEventAndRaiseLastEventId(tx, act, insertion, person)
}

/**
 * Builds the statement that inserts a notification if there is none. On PostgreSQL, it also locks the
 * notification, so that the ids of its events have the order of the commits, and the clean-up does not delete
 * it meanwhile. The update, which changes nothing, locks a notification that another transaction has just
 * inserted.
 */
function buildNotificationInsertionOrLock(tx: Tx, act: NotifiedAct) {
  const values = sql`${act.user}, ${act.kind}, ${act.subject}, 0, 0`
  const insertion = sql`insert into notifications (user_id, kind, subject_id, last_event_id, read_event_id)`
  return isPostgres(tx)
    ? sql`with known as (${buildNotificationIdQuery(act)} for no key update)
      ${insertion} select ${values} where not exists (select 1 from known)
        on conflict (user_id, kind, subject_id) do update set last_event_id = notifications.last_event_id`
    : sql`${insertion} values (${values}) on conflict (user_id, kind, subject_id) do nothing`
}

/**
 * Sends the SQL statements that store an event; that set `last_event_id` of its notification to the id of this
 * event, unless there is a newer event or the member has muted the person; and that check whether the member is
 * shown the person. PostgreSQL does all in one statement, for which this function does not wait; SQLite cannot.
 * Does not look for the newest of all events, because there may be thousands.
 */
async function sendInsertEventAndRaiseLastEventId(
  tx: Tx,
  { user, kind, subject, actor }: NotifiedAct,
  insertion: RawBuilder<StoredEvent>,
  person: RawBuilder<unknown>,
): Promise<{ answer: Promise<Pick<QueryResult<StoredEventOfPerson>, 'rows'>> }> {
  const raise = (event: RawBuilder<unknown>) => sql`update notifications set last_event_id = ${event}
    where user_id = ${user} and kind = ${kind} and subject_id = ${subject} and last_event_id < ${event}
      and ${buildNotMutedCondition({ me: { id: user } as CurrentUser }, actor)}`
  if (isPostgres(tx)) {
    // The promise itself is returned, because `sendStatement` handles only its own rejection.
    const answer = tx.sendStatement(sql<StoredEventOfPerson>`with stored as (${insertion}),
      raised as (${raise(sql`(select id from stored)`)})
      select id, notification_id, created_at, exists (${person}) as is_shown from stored`)
    return { answer }
  }
  const { rows } = await insertion.execute(tx)
  if (rows[0]) tx.sendStatement(raise(sql.val(rows[0].id)))
  const found = await tx.sendStatement(person)
  const is_shown = found.rows.length > 0
  return { answer: Promise.resolve({ rows: rows.map((row) => ({ ...row, is_shown })) }) }
}
