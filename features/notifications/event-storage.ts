import { type QueryResult, type RawBuilder, sql } from 'kysely'
import type { ContactRules } from '#core/contacts.ts'
import type { CurrentUser } from '#core/context.ts'
import { isPostgres, type Tx } from '#core/database/database.ts'
import { buildNotMutedCondition } from '#features/people/visibility.ts'
import type { NotificationKind } from './contract.ts'

// The SQL statements that store an action of a person in the notification of a member.

export interface NotifiedAction {
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

export const buildNotificationIdQuery = ({ user, kind, subject }: NotifiedAction) =>
  sql<{ id: number }>`select id from notifications
    where user_id = ${user} and kind = ${kind} and subject_id = ${subject}`

interface StoredEvent {
  id: number
  notification_id: number
  created_at: string
}
/**
 * The stored event. `is_shown` is whether the member may see the person and has not muted the person. An
 * event that is held back has no other values.
 */
type StoredEventOfPerson = (StoredEvent & { is_shown: boolean; is_held: false }) | { is_held: true }

/** The values of a new event besides those of the action. */
interface EventDetails {
  created_at: string
  /** A query that returns a row if the member may see the person and has not muted the person. */
  person: RawBuilder<unknown>
  /** The rule that may hold the event back. It is then counted instead of stored. */
  delivery: ReturnType<ContactRules['delivery']>
}

/**
 * Sends the statements that store an action as an event in the notification of a member, which they insert if
 * there is none. They set `last_event_id` of the notification to the id of the event, unless there is a newer
 * event or the member has muted the person; they do not look for the newest of all events, because there may
 * be thousands. If the person did the same before and took it back, the event is no longer marked as ended.
 *
 * Two transactions must not store the same event at once. The caller must have locked a row that both need,
 * or inserted a row that only one can insert, such as the like.
 *
 * The `answer` has the stored event as its row; it has no row if the same event is stored already. On
 * PostgreSQL, this function does not wait for the answer.
 */
export async function sendStoreNotificationEventStatements(
  tx: Tx,
  action: NotifiedAction,
  details: EventDetails,
): Promise<{ answer: Promise<Pick<QueryResult<StoredEventOfPerson>, 'rows'>> }> {
  // Puts the promise into an object, so that the caller can wait for this function without waiting for the
  // answer.
  if (isPostgres(tx)) return { answer: tx.sendStatement(buildPostgresStatement(action, details)) }
  return { answer: Promise.resolve({ rows: await storeOnSqlite(tx, action, details) }) }
}

const buildNotMutedByMember = ({ user, actor }: NotifiedAction) =>
  buildNotMutedCondition({ me: { id: user } as CurrentUser }, actor)

async function storeOnSqlite(tx: Tx, action: NotifiedAction, { created_at, person, delivery }: EventDetails) {
  const { user, kind, subject, actor, source = 0 } = action
  if (delivery) {
    const { rows: held } = await sql`select 1 where ${delivery.isHeld}`.execute(tx)
    if (held.length) {
      tx.sendStatement(delivery.attempt)
      return [{ is_held: true } as const]
    }
  }
  tx.sendStatement(sql`insert into notifications (user_id, kind, subject_id, last_event_id, read_event_id)
    values (${user}, ${kind}, ${subject}, 0, 0) on conflict (user_id, kind, subject_id) do nothing`)
  const { rows } = await sql<StoredEvent>`
    insert into notification_events (notification_id, actor_id, source_id, created_at)
      values ((${buildNotificationIdQuery(action)}), ${actor}, ${source}, ${created_at})
    on conflict (notification_id, actor_id, source_id)
      do update set ended_at = null where notification_events.ended_at is not null
    returning id, notification_id, created_at`.execute(tx)
  if (rows[0])
    tx.sendStatement(sql`update notifications set last_event_id = ${rows[0].id}
      where id = ${rows[0].notification_id} and last_event_id < ${rows[0].id}
        and ${buildNotMutedByMember(action)}`)
  const found = await tx.sendStatement(person)
  const is_shown = found.rows.length > 0
  return rows.map((row): StoredEventOfPerson => ({ ...row, is_shown, is_held: false }))
}

/**
 * Builds the statement that does all on PostgreSQL. Its parts:
 *
 * - `held` counts the event if the rule of delivery holds it back. Then no other part does anything.
 * - `mute` reads whether the member has muted the person, as of the beginning of the statement. A mute that
 *   is committed while the statement waits for a lock counts from the next event on.
 * - `known` finds and locks the notification, so that the ids of its events have the order of the commits,
 *   and the clean-up does not delete it meanwhile.
 * - `added` inserts the notification if there is none, and sets `last_event_id` at once to the id that the
 *   event will get, because PostgreSQL does not let `raised` update a row that the same statement has
 *   inserted. If another transaction has just inserted the notification, `added` waits for that transaction,
 *   discards the id, and takes another one, so that the ids have the order of the commits.
 * - `target` is the notification, known or added, with the id that the event must get if `added` took one.
 * - `stored` inserts the event.
 * - `raised` updates `last_event_id` of a known notification, unless the person is muted.
 */
function buildPostgresStatement(action: NotifiedAction, { created_at, person, delivery }: EventDetails) {
  const { user, kind, subject, actor, source = 0 } = action
  const nextId = sql`nextval(pg_get_serial_sequence('notification_events', 'id'))`
  const isUnmuted = sql`(select is_unmuted from mute)`
  const held = delivery ? sql`${delivery.attempt} returning 1` : sql`select 1 where false`
  const isDelivered = sql`not exists (select 1 from held)`
  return sql<StoredEventOfPerson>`with held as (${held}),
    mute as (select ${buildNotMutedByMember(action)} as is_unmuted),
    known as (${buildNotificationIdQuery(action)} and ${isDelivered} for no key update),
    added as (
      insert into notifications (user_id, kind, subject_id, last_event_id, read_event_id)
      select ${user}, ${kind}, ${subject}, case when ${isUnmuted} then ${nextId} else 0 end, 0
        where not exists (select 1 from known) and ${isDelivered}
      on conflict (user_id, kind, subject_id) do update
        set last_event_id = case when ${isUnmuted} then ${nextId} else notifications.last_event_id end
      returning id, last_event_id),
    target as (
      select id, null::bigint as event_id from known
      union all select id, case when ${isUnmuted} then last_event_id end from added),
    stored as (
      insert into notification_events (id, notification_id, actor_id, source_id, created_at)
      select coalesce(event_id, ${nextId}), id, ${actor}, ${source}, ${created_at} from target
      on conflict (notification_id, actor_id, source_id)
        do update set ended_at = null where notification_events.ended_at is not null
      returning id, notification_id, created_at),
    raised as (
      update notifications set last_event_id = stored.id from stored
      where notifications.id = stored.notification_id and last_event_id < stored.id and ${isUnmuted})
    select id, notification_id, created_at, exists (${person}) as is_shown, false as is_held from stored
    union all select null, null, null, null, true where not ${isDelivered}`
}
