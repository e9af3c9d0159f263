import type { AppContext } from '#core/context.ts'
import { currentIsoTime, type Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { repeatWithPauses } from '#core/hourly-cleanup.ts'
import { type RunningJobIdAndAbortSignal, startJobRunner } from '#core/jobs/runner.ts'
import { createJobTurns, JOBS_WITH_TURNS } from '#core/jobs/turns.ts'
import { fetchLinkedPageTitleAndDescription } from './fetch-page.ts'
import {
  deleteWaitingLinkPreview,
  fillOrDeleteWaitingLinkPreview,
  storeLinkPageVisitResult,
} from './model.ts'
import { findUnexpiredLinkPageVisitResult, findWaitingLinkPreviewById } from './read.ts'

/** The limits of the job runner that visits pages, with times in ms. */
const OPTIONS = { concurrency: JOBS_WITH_TURNS, attemptTimeout: 60_000, lease: 120_000 }
/** How many pages one process visits at the same time. The hosts of the pages differ. */
const TURNS = { concurrency: 8, perMember: 2, perHost: 1, keptPerHost: 8 }
/**
 * The delays in ms between the attempts of a job. Only errors of the database make a job fail: a failed visit
 * is stored as a result, like any other visit.
 */
const RETRY_DELAYS = [10, 60, 300].map((seconds) => seconds * 1000)

/**
 * Returns a text for the log that says why a visit failed, without addresses: the code of a system error, or
 * the message of an error of this feature.
 */
function describeError(error: unknown) {
  const { code, message } = error as Partial<NodeJS.ErrnoException>
  return code ?? message
}

/**
 * Starts a separate job runner that visits pages for link previews, so that slow pages do not delay mail.
 * Members take turns, so that the slow pages of one member do not delay the previews of others.
 */
export function startLinkPreviewJobRunner(
  context: AppContext,
  retryDelays: readonly number[] = RETRY_DELAYS,
) {
  const { db, log } = context
  const turns = createJobTurns(TURNS)

  /** Visits a page and stores the result, unless the result of a recent visit is stored. */
  async function visitAndStore(url: string, { signal }: RunningJobIdAndAbortSignal) {
    if (await findUnexpiredLinkPageVisitResult(db, url)) return
    const language = context.settings.current().default_language ?? 'en'
    const content = await fetchLinkedPageTitleAndDescription(url, {
      network: context.publicNetwork,
      language,
      signal,
    }).catch((error: unknown) => {
      // If the job was aborted, rethrows the error instead of storing a failed visit, because the page
      // itself may be fine.
      signal.throwIfAborted()
      log.info({ reason: describeError(error) }, 'A link has no preview')
      return null
    })
    await storeLinkPageVisitResult(context, url, content)
  }

  async function run({ preview }: { preview: number }, job: RunningJobIdAndAbortSignal) {
    const waiting = await findWaitingLinkPreviewById(db, preview)
    if (!waiting) return
    if (!context.settings.current().link_previews) return deleteWaitingLinkPreview(db, waiting)
    const { url, user_id: member } = waiting
    if (!(await findUnexpiredLinkPageVisitResult(db, url)))
      await turns.run({ member, host: new URL(url).hostname }, () => visitAndStore(url, job), job.signal)
    return fillOrDeleteWaitingLinkPreview(context, waiting)
  }

  return startJobRunner({ db, log, handlers: { link_preview: run }, retryDelays, ...OPTIONS })
}

/** The maximum number of rows that a clean-up leaves in the table `link_pages`. */
const MAX_PAGES = 10_000
/**
 * The maximum number of rows that one statement deletes. A statement that takes long would block other
 * writers.
 */
const BATCH = 500
/**
 * The maximum time in ms for which a preview waits for a visit. After it, the preview is deleted, because its
 * job must have ended without a result.
 */
const MAX_WAIT = 24 * 3600_000

/**
 * Deletes the stored results of visits that have expired or exceed `maxPages`, and the previews that have
 * waited for a visit longer than `MAX_WAIT`.
 */
export async function deleteOldLinkPagesAndForgottenPreviews(
  db: Db,
  { maxPages = MAX_PAGES, signal }: { maxPages?: number; signal?: AbortSignal } = {},
) {
  await repeatWithPauses(async () => (await deletePages(db, maxPages)) === BATCH, signal)
  await repeatWithPauses(async () => (await deleteForgottenPreviews(db)) === BATCH, signal)
}

const deletePages = (db: Db, maxPages: number) =>
  transaction(db, async (tx) => {
    const expired = await tx
      .deleteFrom('link_pages')
      .where('url_hash', 'in', (query) =>
        query
          .selectFrom('link_pages')
          .select('url_hash')
          .where('expires_at', '<=', currentIsoTime())
          .orderBy('expires_at')
          .limit(BATCH),
      )
      .executeTakeFirstOrThrow()
    const { count } = await tx
      .selectFrom('link_pages')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    const surplus = Math.min(Number(count) - maxPages, BATCH)
    if (surplus <= 0) return Number(expired.numDeletedRows)
    await tx
      .deleteFrom('link_pages')
      .where('url_hash', 'in', (query) =>
        query.selectFrom('link_pages').select('url_hash').orderBy('expires_at').limit(surplus),
      )
      .execute()
    return surplus
  })

const deleteForgottenPreviews = (db: Db) =>
  transaction(db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('link_previews')
      .where('id', 'in', (query) =>
        query
          .selectFrom('link_previews')
          .select('id')
          .where('title', 'is', null)
          .where('removed_at', 'is', null)
          .where('created_at', '<', new Date(Date.now() - MAX_WAIT).toISOString())
          .limit(BATCH),
      )
      .executeTakeFirstOrThrow()
    return Number(numDeletedRows)
  })
