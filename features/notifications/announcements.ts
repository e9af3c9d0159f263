import './events.ts'
import type { AppContext } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { startJobRunner } from '#core/jobs/runner.ts'
import type { AllowedViewers } from '#core/realtime/visibility.ts'
import { lockFromDeletion } from '#features/people/deletion.ts'
import * as visibility from '#features/people/visibility.ts'
import { postOfEvent } from '#features/posts/read-for-listeners.ts'
import { BATCH, broadcastChange, hasAny, removeAll, runInBatches } from './batches.ts'
import { storeMany } from './event-storage.ts'

// Tells all who may see a post. The transaction that pins or writes it stores only a job, so its time does not
// depend on the number of members. Each batch is one transaction, and leaves out members who
// have the notification already, so a killed job continues where it was. See
// docs/decisions/0076-announcements-in-batches.md.

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    announce_post: { post: number; author: number; actor: number; announced_at: string }
    delete_announcement: { post: number }
  }
}
type AnnouncedPost = Omit<DomainEvents['post.announced'], 'role'>

/** In ms. A killed process's job waits for the end of `lease`. A timed-out attempt is followed by another. */
const JOB_TIMES = { lease: 15_000, attemptTimeout: 300_000 }
/** In ms. A moderator may show a hidden post again: repeated after `delay`, until `maxAge`. */
const HIDDEN_POST = { delay: 3_600_000, maxAge: 30 * 24 * 3_600_000 }
/** In ms. */
const JOB_RETRY_DELAYS = [1, 10, 60, 300, 1800, 7200].map((seconds) => seconds * 1000)

export const enqueue = (
  tx: Tx,
  { id: post, user_id: author, actor_id: actor, created_at: announced_at }: AnnouncedPost,
  runAt = new Date(),
) => enqueueJob(tx, 'announce_post', { post, author, actor, announced_at }, { runAt })

/** Adds the job only if there are notifications of this kind. */
export async function enqueueDeletion(tx: Tx, post: number) {
  if (await hasAny(tx, { kind: 'announcement', subject: post }))
    await enqueueJob(tx, 'delete_announcement', { post })
}

/** The runner is separate, so that announcements do not wait for slow mail. */
export function startRunner(context: AppContext, retryDelays: readonly number[] = JOB_RETRY_DELAYS) {
  const { db, log } = context
  return startJobRunner({
    db,
    log,
    handlers: {
      announce_post: ({ post: id, author: user_id, actor: actor_id, announced_at: created_at }, { signal }) =>
        notifyAll(context, { id, user_id, actor_id, created_at }, signal),
      delete_announcement: ({ post }, { signal }) =>
        removeAll(context, { kind: 'announcement', subject: post }, signal),
    },
    retryDelays,
    ...JOB_TIMES,
  })
}

/**
 * Tells all who may see the post, except the admin who announced it. If a moderator has hidden the post,
 * enqueues the job for later, which then tells the members who have no notification yet.
 */
async function notifyAll(context: AppContext, post: AnnouncedPost, signal: AbortSignal) {
  let wasHidden = false
  await runInBatches(context, signal, async (tx, after) => {
    const found = await postOfEvent(context, tx, { id: post.id })
    wasHidden = found?.isHidden === true
    if (!found || wasHidden) return undefined
    return notifyNextMembers(context, tx, { ...post, viewers: await found.readViewers() }, after)
  })
  if (wasHidden && Date.now() - Date.parse(post.created_at) < HIDDEN_POST.maxAge)
    await transaction(context.db, (tx) => enqueue(tx, post, new Date(Date.now() + HIDDEN_POST.delay)))
  // The last batch may have been committed while the post was deleted, unseen by the deletion.
  const isDeleted = !(await transaction(context.db, (tx) => postOfEvent(context, tx, { id: post.id })))
  if (isDeleted) await removeAll(context, { kind: 'announcement', subject: post.id }, signal)
}

/** Members with ids above `after`. Returns the highest of these ids; undefined if there are no more. */
async function notifyNextMembers(
  context: AppContext,
  tx: Tx,
  { viewers, ...post }: AnnouncedPost & { viewers: AllowedViewers | undefined },
  after: number,
) {
  const members = await visibility.listShownTo({ ...context, db: tx }, post.user_id, {
    after,
    limit: BATCH,
  })
  const recipients: number[] = []
  const mayRead = Array.isArray(viewers) ? new Set(viewers) : null
  for (const member of members)
    if (!mayRead || mayRead.has(member))
      if (await isRecipient(context, tx, post, member)) recipients.push(member)
  if (recipients.length) await addBatch(context, tx, post, recipients)
  return members.at(-1)
}

/** The author's notification names the admin: none if the admin is muted or was deleted. */
async function isRecipient(
  context: AppContext,
  tx: Tx,
  { user_id: author, actor_id: actor }: AnnouncedPost,
  member: number,
) {
  if (member !== author) return member !== actor
  if (member === actor || !(await lockFromDeletion(tx, [actor])).length) return false
  return visibility.isShownTo({ ...context, db: tx }, actor, author)
}

/** Leaves out members who have one. Tells their windows after the commit. */
async function addBatch(
  context: AppContext,
  tx: Tx,
  { id: subject_id, user_id: author, actor_id: admin, created_at }: AnnouncedPost,
  recipients: readonly number[],
) {
  const notifications = await storeMany(tx, {
    kind: 'announcement',
    subject_id,
    created_at,
    recipients: recipients.map((user) => ({ user, actor: user === author ? admin : author })),
  })
  if (!notifications.length) return
  await context.emit(tx, 'notifications.created', { kind: 'announcement', notifications })
  const users = notifications.map(({ user_id }) => user_id)
  const trace = { kind: 'announcement' as const, id: subject_id, at: created_at }
  tx.afterCommit(() => broadcastChange(context, users, { aboutUsers: [author], trace }))
}
