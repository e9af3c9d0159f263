import type { Tx } from '#core/database/database.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/**
 * The number of milliseconds between two likes of a post, or between two reactions to a message, in the
 * notifications of the demo.
 */
const LIKE_INTERVAL = 17 * MINUTE
/** The age in milliseconds of all notifications about new followers. */
const FOLLOWS_AGE = 30 * DAY
/** The number of rows that one SQL statement inserts. */
const BATCH = 500

type StoredEvent = Awaited<ReturnType<typeof readEvents>>[number]

const readEvents = (tx: Tx) =>
  tx
    .selectFrom('notification_events as e')
    .innerJoin('notifications as n', 'n.id', 'e.notification_id')
    .select(['e.notification_id', 'e.actor_id', 'e.source_id', 'e.ended_at'])
    .select(['n.kind', 'n.subject_id', 'n.user_id'])
    .orderBy('e.id')
    .execute()

/**
 * Replaces the times of the demo's notifications by the times of the posts, chats and groups that they are
 * about, because the listeners that made them have stored the present time. Stores the events of the
 * notifications again in the order of these times. Marks all notifications as read that are older than a day.
 */
export async function ageNotifications(tx: Tx) {
  const timeOf = await createTimeFinder(tx)
  const events = (await readEvents(tx))
    .map((event) => ({ ...event, time: timeOf(event) }))
    .sort((a, b) => a.time - b.time)
  await tx.deleteFrom('notification_events').execute()
  const newest = new Map<number, { id: number; time: number }>()
  for (let start = 0; start < events.length; start += BATCH) {
    const batch = events.slice(start, start + BATCH)
    const rows = await tx
      .insertInto('notification_events')
      .values(
        batch.map(({ notification_id, actor_id, source_id, ended_at, time }) => ({
          notification_id,
          actor_id,
          source_id,
          ended_at,
          created_at: new Date(time).toISOString(),
        })),
      )
      .returning('id')
      .execute()
    for (const [index, { notification_id, time }] of batch.entries())
      newest.set(notification_id, { id: rows[index]!.id, time })
  }
  for (const [notification, { id, time }] of newest)
    await tx
      .updateTable('notifications')
      .set({ last_event_id: id, read_event_id: time < Date.now() - DAY ? id : 0 })
      .where('id', '=', notification)
      .execute()
}

/**
 * Returns a function that returns the time of an event of a notification, in milliseconds. This time is never
 * in the future.
 */
async function createTimeFinder(tx: Tx) {
  const toTimes = (rows: readonly { id: number; created_at: string }[]) =>
    new Map(rows.map(({ id, created_at }) => [id, Date.parse(created_at)]))
  const posts = toTimes(await tx.selectFrom('posts').select(['id', 'created_at']).execute())
  const messages = toTimes(await tx.selectFrom('messages').select(['id', 'created_at']).execute())
  const replies = toTimes(await tx.selectFrom('replies').select(['id', 'created_at']).execute())
  const firstMessages = toTimes(
    await tx
      .selectFrom('messages')
      .select((query) => ['conversation_id as id', query.fn.min('created_at').as('created_at')])
      .groupBy('conversation_id')
      .execute(),
  )
  const memberships = await tx
    .selectFrom('conversation_members')
    .select(['conversation_id', 'user_id', 'created_at'])
    .execute()
  const added = new Map(
    memberships.map((row) => [`${row.conversation_id} ${row.user_id}`, Date.parse(row.created_at)]),
  )
  const now = Date.now()
  const positions = new Map<number, number>()
  /**
   * Returns the time of the next event of a notification: LIKE_INTERVAL after its previous event, or for the
   * first event LIKE_INTERVAL after `start`, the time of the post or message.
   */
  const toNextTime = (notification: number, start: number) => {
    const position = (positions.get(notification) ?? 0) + 1
    positions.set(notification, position)
    return start + position * LIKE_INTERVAL
  }
  const findTime = ({ kind, subject_id, source_id, user_id, notification_id }: StoredEvent) => {
    if (kind === 'first_message') return firstMessages.get(subject_id)!
    if (kind === 'quote' || kind === 'group_mention') return messages.get(source_id)!
    if (kind === 'group') return added.get(`${subject_id} ${user_id}`)!
    if (kind === 'follow') return now - FOLLOWS_AGE
    if (kind === 'message_reaction') return toNextTime(notification_id, messages.get(subject_id)!)
    if (kind === 'reply') return replies.get(source_id)!
    if (kind === 'reply_reaction') return toNextTime(notification_id, replies.get(subject_id)!)
    return toNextTime(notification_id, posts.get(subject_id)!)
  }
  return (event: StoredEvent) => Math.min(findTime(event), now)
}
