import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import type { DomainEvents } from '#core/feature/events.ts'
import { enqueueJob, type JobPayloads } from '#core/jobs/jobs.ts'
import { startJobRunner } from '#core/jobs/runner.ts'
import { BATCH, hasAny, removeAll, removeSource, runInBatches } from '#features/notifications/batches.ts'
import { MAX_NEW_POSTS } from '#features/notifications/contract.ts'
import * as many from '#features/notifications/many.ts'
import { allMemberIds } from '#features/people/deletion.ts'
import * as visibility from '#features/people/visibility.ts'
import { isAnnounced } from '#features/posts/announcements.ts'
import { postOfEvent } from '#features/posts/read-for-listeners.ts'
import * as model from './model.ts'

// The transaction that writes the post stores only a job. Each batch asks again who may see the post, and is a
// transaction of its own, so nobody waits for it; a killed job leaves out those who were told.

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    tell_new_post: NewPost
    /** Without `post`, of all posts of the author. */
    forget_new_post: { post?: number; author: number }
  }
}
interface NewPost {
  post: number
  author: number
  /** For whom the post is; null if not for a group. */
  group: number | null
}

/** In ms. */
const JOB_TIMES = { lease: 15_000, attemptTimeout: 300_000 }
const JOB_RETRY_DELAYS = [1, 10, 60, 300, 1800, 7200].map((seconds) => seconds * 1000)

/** In the transaction that stores the post. Nothing if nobody has chosen and the community is large. */
export async function enqueue(
  context: AppContext,
  tx: Tx,
  { id: post, user_id: author, group_id: group }: DomainEvents['post.created'],
) {
  const [chosen, isForAll] = await Promise.all([
    sql`select 1 where exists (${wanting({ author, group })})`.execute(tx),
    model.isEverybodyTold(context, tx),
  ])
  if (chosen.rows.length || isForAll) await enqueueJob(tx, 'tell_new_post', { post, author, group })
}

/**
 * After its deletion, or when all are told of the post in another way. Without `post`, of all posts of the author.
 * A job that tells of the post meanwhile takes back itself what it told.
 */
export async function enqueueRemoval(tx: Tx, removed: JobPayloads['forget_new_post']) {
  if (await hasAny(tx, { kind: 'new_post', subject: removed.author }))
    await enqueueJob(tx, 'forget_new_post', removed)
}

/** Members who have decided to hear of such posts. */
const wanting = ({ author, group }: Pick<NewPost, 'author' | 'group'>) => sql<{ id: number }>`
  select user_id as id from new_post_modes where mode = 'everybody'
  union all select p.user_id from new_post_people p
    join new_post_modes m on m.user_id = p.user_id and m.mode = 'chosen' where p.person_id = ${author}
  union all select g.user_id from new_post_groups g
    join new_post_modes m on m.user_id = g.user_id and m.mode = 'chosen' where g.group_id = ${group ?? 0}`

/** Those, and members who have not decided. */
const wantingByDefault = (db: Db, post: NewPost) => sql<{ id: number }>`${wanting(post)}
  union all select id from (${allMemberIds(db)}) all_members where id not in (select user_id from new_post_modes)`

/** Apart from other jobs, so that new posts do not wait for slow mail. */
export function startRunner(context: AppContext, retryDelays: readonly number[] = JOB_RETRY_DELAYS) {
  const { db, log } = context
  return startJobRunner({
    db,
    log,
    handlers: {
      tell_new_post: (post, { signal }) => tell(context, post, signal),
      forget_new_post: (removed, { signal }) => forget(context, removed, signal),
    },
    retryDelays,
    ...JOB_TIMES,
  })
}

const forget = (
  context: AppContext,
  { post: source, author: subject }: JobPayloads['forget_new_post'],
  signal: AbortSignal,
) =>
  source === undefined
    ? removeAll(context, { kind: 'new_post', subject }, signal)
    : removeSource(context, { kind: 'new_post', subject, actor: subject, source }, signal)

async function tell(context: AppContext, post: NewPost, signal: AbortSignal) {
  const isForAll = await model.isEverybodyTold(context, context.db)
  await runInBatches(context, signal, (tx, after) => tellNext(context, tx, post, { after, isForAll }))
  // The last batch may have been committed while the post was deleted or announced, unseen by the removal.
  const isStillToTell = await transaction(context.db, (tx) => findPost(context, tx, post.post))
  if (!isStillToTell) await forget(context, post, signal)
}

/** Undefined if it is gone or hidden, or if it is announced: then everybody who may see it hears of that. */
async function findPost(context: AppContext, tx: Tx, id: number) {
  const post = await postOfEvent(context, tx, { id })
  return post && !post.isHidden && !(await isAnnounced(tx, id)) ? post : undefined
}

/** Members with ids above `after`. Returns the highest of these ids; undefined if there are no more. */
async function tellNext(
  context: AppContext,
  tx: Tx,
  post: NewPost,
  { after, isForAll }: { after: number; isForAll: boolean },
) {
  const viewer = { ...context, db: tx }
  const found = await findPost(context, tx, post.post)
  if (!found) return undefined
  const viewers = await found.readViewers()
  const members = await visibility.listShownTo(viewer, post.author, {
    ...{ after, limit: BATCH },
    among: isForAll ? wantingByDefault(tx, post) : wanting(post),
  })
  const mayRead = Array.isArray(viewers) ? new Set(viewers) : null
  const readers = members.filter((member) => member !== post.author && (!mayRead || mayRead.has(member)))
  const told = await many.leaveOutTold(tx, readers, post.post)
  const about = { kind: 'new_post', subject: post.author } as const
  await many.addMany(context, tx, told, { ...about, actor: post.author, source: post.post })
  await many.forgetOld(tx, told, { ...about, most: MAX_NEW_POSTS })
  return members.at(-1)
}
