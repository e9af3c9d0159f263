import type { AppContext, MemberContext } from '#core/context.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { lockMemberRowsShared } from '#features/people/blocks.ts'
import type { ReactionSubjectKind } from '#features/reactions/contract.ts'
import { isVisibleReactionSubject } from '#features/reactions/read.ts'
import {
  type ReactionSubjectWithEventViewers,
  reactionSubjectFunctionsByKind,
} from '#features/reactions/subjects.ts'
import { broadcastLinkPreview, toLinkPreviewLockKey } from './broadcasts.ts'
import { findFirstLinkUrlIfPreviewable } from './first-link.ts'
import type { LinkedPageTitleAndDescription } from './parse-page.ts'
import {
  countWaitingLinkPreviewsOfMember,
  findIdOfAnyMessageByMemberWithLinkPreview,
  findLinkPreviewRowWithoutAccessCheck,
  findUnexpiredLinkPageVisitResult,
  findWaitingLinkPreviewById,
  hashUrlWithoutFragment,
  toLinkPreview,
} from './read.ts'

declare module '#core/jobs/jobs.ts' {
  interface JobPayloads {
    /** The job that loads the page of a preview, unless the result of a recent visit is stored. */
    link_preview: { preview: number }
  }
}

/**
 * The maximum number of links of one member that wait for a visit. Further texts of the member get no preview
 * meanwhile, so that nobody can use the server to send requests to others.
 */
export const MAX_WAITING_LINK_PREVIEWS_PER_MEMBER = 20
/** The delay in ms of the job that visits the page, so that viewers get the text before its preview. */
const VISIT_DELAY = 300
/** The maximum number of rows that one statement deletes. */
const BATCH = 500

/** The post, reply or message for whose first link a preview is made, with its author and its text. */
export interface TextForLinkPreview {
  subject: ReactionSubjectKind
  id: number
  author: number
  body: string | null
}

/**
 * Stores the first link of a new or edited text, in the transaction of the change, with the job that visits
 * the page. If an edit keeps the link, the preview stays, also if the author has removed it. If an edit
 * removes or replaces the link, the earlier preview is deleted.
 */
export async function storeFirstLinkAndEnqueuePreviewJobIfChanged(
  context: AppContext,
  tx: Tx,
  { subject, id, author, body }: TextForLinkPreview,
  { isNew }: { isNew: boolean },
) {
  const url = findFirstLinkUrlIfPreviewable(body ?? '', new URL(context.publicSite.origin).origin)
  const earlier = isNew ? undefined : await findLinkPreviewRowWithoutAccessCheck(tx, subject, id)
  if (earlier && earlier.url === url) return
  if (earlier) {
    await tx.deleteFrom('link_previews').where('id', '=', earlier.id).execute()
    if (earlier.title !== null) await broadcastRemovalAfterCommit(context, tx, subject, id)
  }
  if (url === null || !context.settings.current().link_previews) return
  if ((await countWaitingLinkPreviewsOfMember(tx, author)) >= MAX_WAITING_LINK_PREVIEWS_PER_MEMBER) return
  const { id: preview } = await tx
    .insertInto('link_previews')
    .values({
      ...{
        post_id: null,
        reply_id: null,
        message_id: null,
        [reactionSubjectFunctionsByKind[subject].column]: id,
      },
      ...{ user_id: author, url, site_name: null, title: null, description: null },
      ...{ created_at: currentIsoTime(), removed_at: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const runAt = new Date(Date.now() + VISIT_DELAY)
  await enqueueJob(tx, 'link_preview', { preview }, { runAt })
}

async function broadcastRemovalAfterCommit(
  context: AppContext,
  tx: Tx,
  subject: ReactionSubjectKind,
  id: number,
) {
  const [target] = await reactionSubjectFunctionsByKind[subject].read(context, tx, [id])
  if (target) tx.afterCommit(() => broadcastLinkPreview(context, subject, target, null))
}

/**
 * Deletes the previews of deleted messages. The database does not do this, because the rows of deleted
 * messages stay.
 */
export async function deleteLinkPreviewsOfMessages(tx: Tx, messages: readonly number[]) {
  for (let first = 0; first < messages.length; first += BATCH)
    await tx
      .deleteFrom('link_previews')
      .where('message_id', 'in', messages.slice(first, first + BATCH))
      .execute()
}

/**
 * Keeps the previews of messages when the account of their author is deleted. The former member who is now
 * the author of these messages becomes the author of the previews too. The database deletes the other
 * previews of the deleted account.
 */
export async function moveMessageLinkPreviewsToFormerMember(context: AppContext, tx: Tx, member: number) {
  const message = await findIdOfAnyMessageByMemberWithLinkPreview(tx, member)
  const [target] =
    message === null ? [] : await reactionSubjectFunctionsByKind.message.read(context, tx, [message])
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

/**
 * Removes the preview of the member's own text. Throws 404 if the member may not see the text, and 403 if
 * another member wrote it. Does nothing if there is no preview.
 */
export const removeLinkPreviewOfOwnText = (
  context: MemberContext,
  subject: ReactionSubjectKind,
  id: number,
) =>
  context.withLock(toLinkPreviewLockKey(subject, id), async () => {
    const target = await transaction(
      context.db,
      async (tx): Promise<ReactionSubjectWithEventViewers | null> => {
        const { column, createNotFoundError, lock } = reactionSubjectFunctionsByKind[subject]
        await lockMemberRowsShared(tx, [context.me.id])
        const found = await lock(context, tx, id)
        // Checks the visibility after the lock, because another transaction may have deleted or hidden the
        // text before.
        if (!(await isVisibleReactionSubject({ ...context, db: tx }, subject, id)))
          throw createNotFoundError()
        if (found.author !== context.me.id) throw createNotAuthorError()
        const { numUpdatedRows } = await tx
          .updateTable('link_previews')
          .set({ removed_at: currentIsoTime(), site_name: null, title: null, description: null })
          .where(column, '=', id)
          .where('removed_at', 'is', null)
          .executeTakeFirstOrThrow()
        return numUpdatedRows ? found : null
      },
    )
    if (target) broadcastLinkPreview(context, subject, target, null)
  })

/**
 * The times in ms for which the result of a visit is used for other texts with the same link: `content` for a
 * page with a preview, `failure` for other results.
 */
const LIFETIMES = { content: 24 * 3600_000, failure: 3600_000 }

/**
 * Stores the result of a visit of a page. `content` is null if the page has no preview or the visit failed.
 */
export const storeLinkPageVisitResult = (
  { db }: AppContext,
  url: string,
  content: LinkedPageTitleAndDescription | null,
) =>
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
      .values({ url_hash: hashUrlWithoutFragment(url), ...page })
      .onConflict((conflict) => conflict.column('url_hash').doUpdateSet(page))
      .execute()
  })

type WaitingPreview = NonNullable<Awaited<ReturnType<typeof findWaitingLinkPreviewById>>>

/**
 * Fills a waiting preview with the stored content of its page, and broadcasts the preview. Deletes the
 * preview if the page has no content for it. Does nothing if meanwhile the text was deleted or edited, or the
 * preview was removed.
 */
export const fillOrDeleteWaitingLinkPreview = (
  context: AppContext,
  { id, subject, subject_id, user_id, url }: WaitingPreview,
) =>
  context.withLock(toLinkPreviewLockKey(subject, subject_id), async () => {
    const shown = await transaction(context.db, async (tx) => {
      const target = await lockExistingSubject(context, tx, subject, subject_id)
      const page = await findUnexpiredLinkPageVisitResult(tx, url)
      if (!target || !page || !(await findWaitingLinkPreviewById(tx, id))) return null
      const { title, site_name, description } = page
      if (title === null) {
        await tx.deleteFrom('link_previews').where('id', '=', id).execute()
        return null
      }
      const content = { title, site_name, description }
      await tx.updateTable('link_previews').set(content).where('id', '=', id).execute()
      return { target, preview: toLinkPreview({ user_id, url, ...content }) }
    })
    if (shown) broadcastLinkPreview(context, subject, shown.target, shown.preview)
  })

/**
 * Deletes a preview that still waits for a visit. Its job calls this function if previews were switched off
 * meanwhile.
 */
export const deleteWaitingLinkPreview = (db: Db, { id }: Pick<WaitingPreview, 'id'>) =>
  transaction(db, async (tx) => {
    await tx.deleteFrom('link_previews').where('id', '=', id).where('title', 'is', null).execute()
  })

/**
 * Locks a post, reply or message until the commit, so that nobody deletes or hides it. Returns null if it no
 * longer exists.
 */
async function lockExistingSubject(context: AppContext, tx: Tx, subject: ReactionSubjectKind, id: number) {
  try {
    return await reactionSubjectFunctionsByKind[subject].lock(context, tx, id)
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return null
    throw error
  }
}
