import type { AppContext, MemberContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { lockMembers } from '#features/people/blocks.ts'
import type { SubjectKind } from '#features/reactions/contract.ts'
import * as reactions from '#features/reactions/read.ts'
import { type Subject, subjects } from '#features/reactions/subjects.ts'
import type { LinkPreview, LinkPreviewChanged } from './contract.ts'
import { findFirstLink } from './first-link.ts'
import type { PageContent } from './parse-page.ts'
import * as read from './read.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** Loads the page, unless the result of a recent visit is stored. */
    link_preview: { preview: number }
  }
}

/** Further texts get no preview meanwhile, so that nobody can use the server to send requests to others. */
export const MAX_WAITING = 20
/** In ms, so that viewers get the text before its preview. */
const VISIT_DELAY = 300
/** Rows of one statement. */
const BATCH = 500

/** A post, reply or message. */
export interface LinkedText {
  subject: SubjectKind
  id: number
  author: number
  body: string | null
}

/**
 * Belongs to the transaction of the change. If an edit keeps the link, the preview stays, also if the author
 * has removed it. If an edit removes or replaces the link, the earlier preview is deleted.
 */
export async function storeLink(
  context: AppContext,
  tx: Tx,
  { subject, id, author, body }: LinkedText,
  { isNew }: { isNew: boolean },
) {
  const url = findFirstLink(body ?? '', new URL(context.publicSite.origin).origin)
  const earlier = isNew ? undefined : await read.findRow(tx, subject, id)
  if (earlier && earlier.url === url) return
  if (earlier) {
    await tx.deleteFrom('link_previews').where('id', '=', earlier.id).execute()
    if (earlier.title !== null) await broadcastRemoval(context, tx, subject, id)
  }
  if (url === null || !context.settings.current().link_previews) return
  if ((await read.countWaiting(tx, author)) >= MAX_WAITING) return
  const { id: preview } = await tx
    .insertInto('link_previews')
    .values({
      ...{
        post_id: null,
        reply_id: null,
        message_id: null,
        [subjects[subject].column]: id,
      },
      ...{ user_id: author, url, site_name: null, title: null, description: null },
      ...{ created_at: isoNow(), removed_at: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const runAt = new Date(Date.now() + VISIT_DELAY)
  await enqueueJob(tx, 'link_preview', { preview }, { runAt })
}

async function broadcastRemoval(context: AppContext, tx: Tx, subject: SubjectKind, id: number) {
  const [target] = await subjects[subject].read(context, tx, [id])
  if (target) tx.afterCommit(() => broadcastPreview(context, subject, target, null))
}

/** The database does not do this, because the rows of deleted messages stay. */
export async function deleteOfMessages(tx: Tx, messages: readonly number[]) {
  for (let first = 0; first < messages.length; first += BATCH)
    await tx
      .deleteFrom('link_previews')
      .where('message_id', 'in', messages.slice(first, first + BATCH))
      .execute()
}

/** For a deleted account, whose messages a former member has now. The database deletes the other previews. */
export async function moveToFormer(context: AppContext, tx: Tx, member: number) {
  const message = await read.findMessage(tx, member)
  const [target] = message === null ? [] : await subjects.message.read(context, tx, [message])
  if (!target) return
  await tx
    .updateTable('link_previews')
    .set({ user_id: target.author })
    .where('user_id', '=', member)
    .where('message_id', 'is not', null)
    .execute()
}

const createNotAuthorError = () =>
  new HttpError(403, {
    en: 'Only the author can remove the preview of a link.',
    ja: 'リンクのプレビューを削除できるのは、書いた本人だけです。',
  })

/** 404 if the member may not see the text, 403 if another member wrote it. Does nothing without a preview. */
export const removeOwn = (context: MemberContext, subject: SubjectKind, id: number) =>
  context.withLock(lockKey(subject, id), async () => {
    const target = await transaction(context.db, async (tx): Promise<Subject | null> => {
      const { column, createNotFoundError, lock } = subjects[subject]
      await lockMembers(tx, [context.me.id])
      const found = await lock(context, tx, id)
      // After the lock, because another transaction may have deleted or hidden the text before.
      if (!(await reactions.isVisible({ ...context, db: tx }, subject, id))) throw createNotFoundError()
      if (found.author !== context.me.id) throw createNotAuthorError()
      const { numUpdatedRows } = await tx
        .updateTable('link_previews')
        .set({ removed_at: isoNow(), site_name: null, title: null, description: null })
        .where(column, '=', id)
        .where('removed_at', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows ? found : null
    })
    if (target) broadcastPreview(context, subject, target, null)
  })

/** In ms. The result of a visit is used for other texts with the same link; `failure` without a preview. */
const LIFETIMES = { content: 24 * 3600_000, failure: 3600_000 }

/** `content` is null if the page has no preview or the visit failed. */
export const storeVisit = ({ db }: AppContext, url: string, content: PageContent | null) =>
  transaction(db, async (tx) => {
    const now = Date.now()
    const page = {
      ...{ site_name: null, title: null, description: null },
      ...content,
      fetched_at: new Date(now).toISOString(),
      expires_at: new Date(now + LIFETIMES[content ? 'content' : 'failure']).toISOString(),
    }
    await tx
      .insertInto('link_pages')
      .values({ url_hash: read.hashUrl(url), ...page })
      .onConflict((conflict) => conflict.column('url_hash').doUpdateSet(page))
      .execute()
  })

type WaitingPreview = NonNullable<Awaited<ReturnType<typeof read.findWaiting>>>

/**
 * Broadcasts the preview, or deletes it if the page has no content for it. Does nothing if meanwhile the text
 * was deleted or edited, or the preview was removed.
 */
export const fillOrDelete = (
  context: AppContext,
  { id, subject, subject_id, user_id, url }: WaitingPreview,
) =>
  context.withLock(lockKey(subject, subject_id), async () => {
    const shown = await transaction(context.db, async (tx) => {
      const target = await lockExistingSubject(context, tx, subject, subject_id)
      const page = await read.findVisit(tx, url)
      if (!target || !page || !(await read.findWaiting(tx, id))) return null
      const { title, site_name, description } = page
      if (title === null) {
        await tx.deleteFrom('link_previews').where('id', '=', id).execute()
        return null
      }
      const content = { title, site_name, description }
      await tx.updateTable('link_previews').set(content).where('id', '=', id).execute()
      return { target, preview: read.toPreview({ user_id, url, ...content }) }
    })
    if (shown) broadcastPreview(context, subject, shown.target, shown.preview)
  })

/** For a job while previews are switched off. */
export const deleteWaiting = (db: Db, { id }: Pick<WaitingPreview, 'id'>) =>
  transaction(db, async (tx) => {
    await tx.deleteFrom('link_previews').where('id', '=', id).where('title', 'is', null).execute()
  })

/** Nobody deletes or hides it until the commit. Null if it no longer exists. */
async function lockExistingSubject(context: AppContext, tx: Tx, subject: SubjectKind, id: number) {
  try {
    return await subjects[subject].lock(context, tx, id)
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
}

/**
 * A change and its broadcast hold this lock together, so that events are sent in the order of the commits.
 */
const lockKey = (subject: SubjectKind, id: number) => `link preview ${subject} ${id}`

/** To the viewers who also get the other events about the text. Null: the preview was removed. */
function broadcastPreview(
  { realtime }: Pick<AppContext, 'realtime'>,
  subject: SubjectKind,
  { id, channel, aboutUsers, unlessMuted, inGroup, onlyFor }: Subject,
  preview: LinkPreview | null,
) {
  const data: LinkPreviewChanged = { subject, subject_id: id, preview }
  realtime.broadcast([channel], 'LinkPreviewChanged', data, { aboutUsers, unlessMuted, inGroup, onlyFor })
}
