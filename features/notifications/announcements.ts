import './events.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SqlBool, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { fillChannelNameParameters } from '#core/contract.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { DomainEvents } from '#core/domain-events.ts'
import { enqueueJob, enqueueJobIfSqlConditionWithoutWaiting } from '#core/jobs/jobs.ts'
import { startJobRunner } from '#core/jobs/runner.ts'
import { chatChannelDefinitions } from '#features/chat/channel-contract.ts'
import { lockAccountRowsAgainstDeletionAndListIds } from '#features/people/deletion.ts'
import { isPersonShownToMember, listActiveMemberIdsToWhomPersonIsShown } from '#features/people/visibility.ts'
import { readPostForListenersWithoutCheck } from '#features/posts/read-for-listeners.ts'
import { NOTIFICATIONS_CHANGED_EVENT } from './contract.ts'

// This file creates notifications of the kind `announcement`, which tell all members of a post that an admin
// pinned. The transaction that pins the post stores only a job, so its time does not depend on the number of
// members. The job stores the notifications in batches. Each batch is one transaction, and leaves out
// members who have the notification already, so a job that was killed continues where it was. See
// docs/decisions/0076-announcements-in-batches.md.

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** The job that stores the notifications of all members about an announced post. */
    announce_post: { post: number; author: number; actor: number; announced_at: string }
    /** The job that deletes the notifications of all members about an announced post that was deleted. */
    delete_announcement: { post: number }
  }
}
type AnnouncedPost = DomainEvents['post.announced']

/** The maximum number of members whose notifications one transaction stores or deletes. */
const BATCH = 200
/**
 * The pause in ms before each batch, so that the admin gets the response first, other requests run between
 * the batches, and not all windows of members reload at once.
 */
const PAUSE = 50
/**
 * The limits of the job runner in ms. `lease` is short, because nobody continues the job of a killed process
 * before its lease ends. An attempt that takes longer than `attemptTimeout` is followed by another one, which
 * continues.
 */
const JOB_TIMES = { lease: 15_000, attemptTimeout: 300_000 }
/**
 * The times for the announcement of a hidden post, which a moderator may show again: the job is repeated
 * after `delay` ms, until the announcement is `maxAge` ms old.
 */
const HIDDEN_POST = { delay: 3_600_000, maxAge: 30 * 24 * 3_600_000 }
/** The delays in ms between the attempts of a job that fails. */
const JOB_RETRY_DELAYS = [1, 10, 60, 300, 1800, 7200].map((seconds) => seconds * 1000)

/**
 * Adds the job that tells all members of a post, in the transaction that announces the post. The job runs at
 * `runAt`, by default now.
 */
export const enqueueAnnouncePostJob = (
  tx: Tx,
  { id: post, user_id: author, actor_id: actor, created_at: announced_at }: AnnouncedPost,
  runAt = new Date(),
) => enqueueJob(tx, 'announce_post', { post, author, actor, announced_at }, { runAt })

/** Adds the job that deletes the announcements of a deleted post, if there are notifications of this kind. */
export const enqueueDeleteAnnouncementNotificationsJob = (tx: Tx, post: number) =>
  enqueueJobIfSqlConditionWithoutWaiting(
    tx,
    sql<SqlBool>`exists (select 1 from notifications where kind = 'announcement' and subject_id = ${post})`,
    'delete_announcement',
    { post },
  )

/** Starts a separate job runner for announcements, so that their jobs do not wait for slow mail. */
export function startAnnouncementJobRunner(
  context: AppContext,
  retryDelays: readonly number[] = JOB_RETRY_DELAYS,
) {
  const { db, log } = context
  return startJobRunner({
    db,
    log,
    handlers: {
      announce_post: ({ post: id, author: user_id, actor: actor_id, announced_at: created_at }, { signal }) =>
        notifyMembersOfAnnouncedPost(context, { id, user_id, actor_id, created_at }, signal),
      delete_announcement: ({ post }, { signal }) => deleteAnnouncementNotifications(context, post, signal),
    },
    retryDelays,
    ...JOB_TIMES,
  })
}

/**
 * Runs a function again and again, each time in a transaction of its own, until it returns undefined. The
 * function gets its last result as an argument, at first 0.
 */
async function runInBatches(
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

/**
 * Stores a notification for each member who may see the post, except the admin who announced it. If a
 * moderator has hidden the post, stops, and enqueues the job again for later. That job then tells the
 * members who have no notification yet.
 */
async function notifyMembersOfAnnouncedPost(context: AppContext, post: AnnouncedPost, signal: AbortSignal) {
  let wasHidden = false
  await runInBatches(context, signal, async (tx, after) => {
    const found = await readPostForListenersWithoutCheck(context, tx, { id: post.id })
    wasHidden = found?.isHidden === true
    return found && !wasHidden ? notifyNextMembers(context, tx, post, after) : undefined
  })
  if (wasHidden && Date.now() - Date.parse(post.created_at) < HIDDEN_POST.maxAge)
    await transaction(context.db, (tx) =>
      enqueueAnnouncePostJob(tx, post, new Date(Date.now() + HIDDEN_POST.delay)),
    )
  // The last batch may have been committed at the same time as the deletion of the post. Then the deletion
  // did not see these notifications, so they are deleted here.
  const isDeleted = !(await transaction(context.db, (tx) =>
    readPostForListenersWithoutCheck(context, tx, { id: post.id }),
  ))
  if (isDeleted) await deleteAnnouncementNotifications(context, post.id, signal)
}

/**
 * Stores the notifications of one batch of members, whose ids are above `after`. Returns the highest of these
 * ids; undefined if there are no more members.
 */
async function notifyNextMembers(context: AppContext, tx: Tx, post: AnnouncedPost, after: number) {
  const members = await listActiveMemberIdsToWhomPersonIsShown({ ...context, db: tx }, post.user_id, {
    after,
    limit: BATCH,
  })
  const recipients: number[] = []
  for (const member of members) if (await isRecipient(context, tx, post, member)) recipients.push(member)
  if (recipients.length) await addAnnouncementNotifications(context, tx, post, recipients)
  return members.at(-1)
}

/**
 * Returns whether a member gets a notification about the announced post. The notification of the author names
 * the admin. So the author gets none if the author has muted the admin, or if the admin's account was deleted
 * meanwhile.
 */
async function isRecipient(
  context: AppContext,
  tx: Tx,
  { user_id: author, actor_id: actor }: AnnouncedPost,
  member: number,
) {
  if (member !== author) return member !== actor
  if (member === actor || !(await lockAccountRowsAgainstDeletionAndListIds(tx, [actor])).length) return false
  return isPersonShownToMember({ ...context, db: tx }, actor, author)
}

/**
 * Stores the notifications of those of the members who do not have one yet, and tells their windows after the
 * commit.
 */
async function addAnnouncementNotifications(
  context: AppContext,
  tx: Tx,
  { id: subject_id, user_id: author, actor_id: admin, created_at }: AnnouncedPost,
  recipients: readonly number[],
) {
  const notifications = await tx
    .insertInto('notifications')
    .values(
      recipients.map((user_id) => ({
        ...{ user_id, kind: 'announcement' as const, subject_id },
        ...{ last_event_id: 0, read_event_id: 0 },
      })),
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'subject_id']).doNothing())
    .returning(['id', 'user_id'])
    .execute()
  if (!notifications.length) return
  await tx
    .insertInto('notification_events')
    .values(
      notifications.map(({ id: notification_id, user_id }) => ({
        ...{ notification_id, actor_id: user_id === author ? admin : author, created_at },
      })),
    )
    .execute()
  await tx
    .updateTable('notifications')
    .set({
      last_event_id: sql`(select max(id) from notification_events where notification_id = notifications.id)`,
    })
    .where(
      'id',
      'in',
      notifications.map(({ id }) => id),
    )
    .execute()
  await context.emit(tx, 'notifications.created', { kind: 'announcement', notifications })
  const users = notifications.map(({ user_id }) => user_id)
  const trace = { kind: 'announcement' as const, id: subject_id, at: created_at }
  tx.afterCommit(() => broadcastNotificationsChanged(context, users, { aboutUsers: [author], trace }))
}

/** Deletes the notifications of all members about an announced post, in batches. */
const deleteAnnouncementNotifications = (context: AppContext, post: number, signal: AbortSignal) =>
  runInBatches(context, signal, async (tx) => {
    const found = await tx
      .selectFrom('notifications')
      .select(['id', 'user_id'])
      .where('kind', '=', 'announcement')
      .where('subject_id', '=', post)
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
    tx.afterCommit(() => broadcastNotificationsChanged(context, users))
    return found.length
  })

/** Sends one event to the windows of all these members that says that their notifications have changed. */
function broadcastNotificationsChanged(
  { realtime }: AppContext,
  users: readonly number[],
  options: Parameters<AppContext['realtime']['broadcast']>[3] = {},
) {
  const channels = users.map((user) => fillChannelNameParameters(chatChannelDefinitions.member, { user }))
  const data = { is_only_read: false }
  realtime.broadcast(channels, NOTIFICATIONS_CHANGED_EVENT, data, { unlessMuted: true, ...options })
}
