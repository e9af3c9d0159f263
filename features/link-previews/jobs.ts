import type { AppContext } from '#core/context.ts'
import { type Db, isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { type RunningJob, startJobRunner } from '#core/jobs/runner.ts'
import { createJobTurns, JOBS_WITH_TURNS } from '#core/jobs/turns.ts'
import { repeatWithPauses } from '#core/process/hourly-cleanup.ts'
import { fetchPage } from './fetch-page.ts'
import * as model from './model.ts'
import * as read from './read.ts'

/** Times in ms. */
const OPTIONS = { concurrency: JOBS_WITH_TURNS, attemptTimeout: 60_000, lease: 120_000 }
/** Pages that one process visits at the same time. Their hosts differ. */
const TURNS = { concurrency: 8, perMember: 2, perHost: 1, keptPerHost: 8 }
/** In ms. Only errors of the database make a job fail: a failed visit is stored as a result. */
const RETRY_DELAYS = [10, 60, 300].map((seconds) => seconds * 1000)

/** For the log, without addresses: the code of a system error, or the message of an error of this feature. */
function describeError(error: unknown) {
  const { code, message } = error as Partial<NodeJS.ErrnoException>
  return code ?? message
}

/** A runner of its own, so that slow pages do not delay mail. Members take turns for the same reason. */
export function startJobs(context: AppContext, retryDelays: readonly number[] = RETRY_DELAYS) {
  const { db, log } = context
  const turns = createJobTurns(TURNS)

  /** Unless the result of a recent visit is stored. */
  async function visitAndStore(url: string, { signal }: RunningJob) {
    if (await read.findVisit(db, url)) return
    const language = context.settings.current().default_language ?? 'en'
    const content = await fetchPage(url, {
      network: context.publicNetwork,
      language,
      signal,
    }).catch((error: unknown) => {
      // A job was aborted although the page itself may be fine.
      signal.throwIfAborted()
      log.info({ reason: describeError(error) }, 'A link has no preview')
      return null
    })
    await model.storeVisit(context, url, content)
  }

  async function run({ preview }: { preview: number }, job: RunningJob) {
    const waiting = await read.findWaiting(db, preview)
    if (!waiting) return
    if (!context.settings.current().link_previews) return model.deleteWaiting(db, waiting)
    const { url, user_id: member } = waiting
    if (!(await read.findVisit(db, url)))
      await turns.run({ member, host: new URL(url).hostname }, () => visitAndStore(url, job), job.signal)
    return model.fillOrDelete(context, waiting)
  }

  return startJobRunner({ db, log, handlers: { link_preview: run }, retryDelays, ...OPTIONS })
}

/** Rows that a clean-up leaves in the table `link_pages`. */
const MAX_PAGES = 10_000
/** Rows of one statement. A long statement would block other writers. */
const BATCH = 500
/** In ms. A preview that waits longer is deleted: its job must have ended without a result. */
const MAX_WAIT = 24 * 3600_000

/**
 * Deletes visits that have expired or exceed `maxPages`, and previews that have waited longer than
 * `MAX_WAIT`.
 */
export async function cleanUp(
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
          .where('expires_at', '<=', isoNow())
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
