import type { AppContext } from '#core/context.ts'
import { currentIsoTime, type Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { repeatWithPauses } from '#core/hourly-cleanup.ts'
import { enqueueJob } from '#core/jobs/jobs.ts'
import { type RunningJobIdAndAbortSignal, startJobRunner } from '#core/jobs/runner.ts'
import { fetchLinkedPageTitleAndDescription } from './fetch-page.ts'
import {
  deleteWaitingLinkPreview,
  fillOrDeleteWaitingLinkPreview,
  storeLinkPageVisitResult,
} from './model.ts'
import { findUnexpiredLinkPageVisitResult, findWaitingLinkPreviewById } from './read.ts'

/**
 * The limits of the job runner that visits pages, with times in ms. One process visits at most four pages at
 * once, of different hosts.
 */
const OPTIONS = { concurrency: 4, attemptTimeout: 60_000, lease: 120_000 }
/**
 * The delays in ms between the attempts of a job. Only errors of the database make a job fail: a failed visit
 * is stored as a result, like any other visit.
 */
const RETRY_DELAYS = [10, 60, 300].map((seconds) => seconds * 1000)
/**
 * The delay in ms of a job that finds that another job is visiting the same host. After it, the job tries
 * again.
 */
const BUSY_HOST_DELAY = 1000

/**
 * Returns a text for the log that says why a visit failed, without addresses: the code of a system error, or
 * the message of an error of this feature.
 */
function describeError(error: unknown) {
  const { code, message } = error as Partial<NodeJS.ErrnoException>
  return code ?? message
}

/**
 * Starts a separate job runner that visits pages for link previews, so that slow pages do not delay mail. The
 * job runner also keeps the number of simultaneous visits small.
 */
export function startLinkPreviewJobRunner(
  context: AppContext,
  retryDelays: readonly number[] = RETRY_DELAYS,
) {
  const { db, log } = context
  const busyHosts = new Set<string>()

  /**
   * Visits a page, and stores the result. Returns false, and visits nothing, if another visit of the same
   * host is running.
   */
  async function visitAndStore(url: string, { signal }: RunningJobIdAndAbortSignal) {
    const { hostname } = new URL(url)
    if (busyHosts.has(hostname)) return false
    busyHosts.add(hostname)
    try {
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
      return true
    } finally {
      busyHosts.delete(hostname)
    }
  }

  async function run({ preview }: { preview: number }, job: RunningJobIdAndAbortSignal) {
    const waiting = await findWaitingLinkPreviewById(db, preview)
    if (!waiting) return
    if (!context.settings.current().link_previews) return deleteWaitingLinkPreview(db, waiting)
    if (
      !(await findUnexpiredLinkPageVisitResult(db, waiting.url)) &&
      !(await visitAndStore(waiting.url, job))
    ) {
      const runAt = new Date(Date.now() + BUSY_HOST_DELAY)
      return transaction(db, (tx) => enqueueJob(tx, 'link_preview', { preview }, { runAt }))
    }
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
