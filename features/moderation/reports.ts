import type { MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { currentIsoTime, isPostgres, type Tx } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError, HttpError, httpErrorFactories } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { lockConversationOfMessage, readChatExcerptAroundMessage } from '#features/chat/moderation.ts'
import { lockAccountRowsAgainstDeletionAndListIds } from '#features/people/deletion.ts'
import { readProfile } from '#features/people/read.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import { lockPostAgainstChanges } from '#features/posts/post-locks.ts'
import { readPost } from '#features/posts/read.ts'
import { readReply } from '#features/replies/read.ts'
import { countReportsMadeByMemberInLastDay, findOpenModerationCaseIdRow } from './cases.ts'
import {
  type DirectReportSubjectKind,
  MAX_MODERATION_REPORTS_PER_DAY,
  type OwnModerationReport,
  type ReportReason,
  type ReportSubjectKind,
} from './contract.ts'
import type { StoredModerationEvidenceItem } from './evidence.ts'

interface ReportOf<Kind extends ReportSubjectKind> {
  kind: Kind
  id: number
  reason: ReportReason
  note: string | null
}
type NewReport = ReportOf<DirectReportSubjectKind>

/** The subject of a report: the member whom the report concerns, and the content that the report copies. */
interface ReportedSubject {
  author: number
  chat: 'private' | 'group' | null
  /** The ids of the two people of a private chat, who may not open the evidence; empty for other reports. */
  parties: readonly number[]
  evidence: StoredModerationEvidenceItem[]
}

/**
 * Reads the reported message, post, reply or profile as the reporter sees it. Throws 404 or 403 if the
 * reporter may not see it.
 */
async function readSubject(viewer: MemberViewerContext, { kind, id }: NewReport): Promise<ReportedSubject> {
  if (kind === 'message') {
    const { author, pair, messages } = await readChatExcerptAroundMessage(viewer, id)
    const evidence = messages.map(({ id: message, ...row }) => ({ ...row, is_reported: message === id }))
    return { author, chat: pair ? 'private' : 'group', parties: pair ?? [], evidence }
  }
  if (kind === 'post' || kind === 'reply') {
    const subject = await (kind === 'post' ? readPost(viewer, id) : readReply(viewer, id))
    const { user, body, images, created_at, edited_at } = subject
    const copy = {
      ...{ user_id: user.id, text: body ?? '', images_count: images.length },
      ...{ created_at: edited_at ?? created_at, is_reported: true },
    }
    return { author: user.id, chat: null, parties: [], evidence: [copy] }
  }
  const { bio, profile_image, created_at } = await readProfile(viewer, id)
  const profile = { user_id: id, text: bio ?? '', images_count: profile_image ? 1 : 0, created_at }
  return { author: id, chat: null, parties: [], evidence: [{ ...profile, is_reported: true }] }
}

/**
 * Reads the reported content, and takes locks until the commit. The accounts of the reporter and of
 * everybody whose words the report copies cannot be deleted meanwhile: otherwise their deletion would not
 * find the new copy, and the words would stay. A reported post, or the messages of the private chat, cannot
 * be removed because of their age meanwhile: otherwise the removal would not find the new report, and would
 * remove the reported pictures. Throws 401 if the reporter's account is deleted.
 */
async function readAndLockSubject(viewer: MemberViewerContext, report: NewReport, tx: Tx) {
  const locked = new Set<number>()
  let isContentLocked = false
  for (;;) {
    const subject = await readSubject(viewer, report)
    const people = [viewer.me.id, subject.author, ...subject.evidence.map(({ user_id }) => user_id)]
    const missing = [...new Set(people)].filter((id) => !locked.has(id))
    if (!missing.length && isContentLocked) return subject
    // After this transaction has taken the locks, the loop reads the reported content again, because another
    // transaction that held a lock before may have removed content.
    if (missing.length) {
      const found = await lockAccountRowsAgainstDeletionAndListIds(tx, missing)
      if (missing.includes(viewer.me.id) && !found.includes(viewer.me.id))
        throw httpErrorFactories.unauthenticated()
    }
    for (const id of missing) locked.add(id)
    if (!isContentLocked) await lockContent(tx, report, subject)
    isContentLocked = true
  }
}

async function lockContent(tx: Tx, { kind, id }: NewReport, { chat }: ReportedSubject) {
  if (kind === 'post') await lockPostAgainstChanges(tx, id)
  if (chat === 'private') await lockConversationOfMessage(tx, id)
}

/**
 * Stores a report of a post, reply, message or member. The first report opens a case and copies the reported
 * content. Later reports join the open case; if the author has edited the reported post or reply since, its
 * new text is copied too. Does nothing if the member has reported the same already and the case is open.
 * Throws 404 or 403 if the member may not see the reported content, 422 for the member's own content, and
 * 429 above `MAX_MODERATION_REPORTS_PER_DAY`.
 */
export const createModerationReport = (context: MemberContext, report: NewReport) =>
  transaction(context.db, async (tx) => {
    const subject = await readAndLockSubject({ ...context, db: tx }, report, tx)
    await storeReport(tx, context.me.id, report, subject)
  })

/**
 * Stores a report of a text that is stored nowhere: the caller has checked that `author` wrote it as the
 * message `report.id`. Throws 404 if the author has no account any more, otherwise as
 * `createModerationReport`.
 */
export const reportUnstored = (
  { db, me }: MemberContext,
  report: ReportOf<'public_message'>,
  { author, text, created_at }: { author: number; text: string; created_at: string },
) =>
  transaction(db, async (tx) => {
    const found = await lockAccountRowsAgainstDeletionAndListIds(tx, [me.id, author])
    if (!found.includes(me.id)) throw httpErrorFactories.unauthenticated()
    if (!found.includes(author)) throw httpErrorFactories.notFound()
    const copy = { user_id: author, text, images_count: 0, created_at, is_reported: true }
    await storeReport(tx, me.id, report, { author, chat: null, parties: [], evidence: [copy] })
  })

async function storeReport(
  tx: Tx,
  me: number,
  report: ReportOf<ReportSubjectKind>,
  subject: ReportedSubject,
) {
  if (subject.author === me)
    throw createInvalidFieldError('id', {
      en: 'You cannot report yourself.',
      ja: '自分自身を報告することはできません。',
    })
  if ((await countReportsMadeByMemberInLastDay(tx, me)) >= MAX_MODERATION_REPORTS_PER_DAY)
    throw new HttpError(429, {
      en: `You can make at most ${MAX_MODERATION_REPORTS_PER_DAY} reports a day.`,
      ja: `報告できるのは1日${MAX_MODERATION_REPORTS_PER_DAY}件までです。`,
    })
  await tx
    .insertInto('reports')
    .values({
      case_id: await findOrOpenCase(tx, report, subject),
      reporter_id: me,
      reason: report.reason,
      note: report.note,
      created_at: currentIsoTime(),
    })
    .onConflict((c) => c.columns(['case_id', 'reporter_id']).doNothing())
    .execute()
}

/**
 * Returns the id of the open case of the reported post, reply, message or member, and locks the case until
 * the commit. Creates a case if none is open. Otherwise adds the text of a post or reply that was edited
 * since the earlier reports to the evidence of the open case.
 */
async function findOrOpenCase(tx: Tx, { kind, id }: ReportOf<ReportSubjectKind>, subject: ReportedSubject) {
  const { author, chat, parties, evidence } = subject
  const values = {
    kind,
    subject_id: id,
    author_id: author,
    chat,
    evidence: JSON.stringify(evidence),
    created_at: currentIsoTime(),
    closed_at: null,
    outcome: null,
  }
  for (;;) {
    const created = await tx
      .insertInto('report_cases')
      .values(values)
      .onConflict((c) => c.columns(['kind', 'subject_id']).where('closed_at', 'is', null).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (created) {
      await insertParties(tx, created.id, parties)
      return created.id
    }
    // If a moderator closes the open case at this moment, the loop starts again and opens a new case.
    const open = await findOpenModerationCaseIdRow(tx, kind, id)
    if (!open) continue
    const locked = await tx
      .selectFrom('report_cases')
      .select(['id', 'evidence'])
      .where('id', '=', open.id)
      .where('closed_at', 'is', null)
      .$if(isPostgres(tx), (query) => query.forUpdate())
      .executeTakeFirst()
    if (!locked) continue
    if (kind === 'post' || kind === 'reply') await addReportedVersion(tx, locked, evidence)
    return locked.id
  }
}

/** The maximum number of different texts of one post or reply in the evidence of a case. */
const MAX_REPORTED_VERSIONS = 10

/**
 * Adds the current text of a reported post or reply to the evidence of its case, if the author has edited it
 * since the earlier reports. Without this text, moderators would not see the text that the later report is
 * about.
 */
async function addReportedVersion(
  tx: Tx,
  { id, evidence: stored }: { id: number; evidence: string | null },
  reported: readonly StoredModerationEvidenceItem[],
) {
  const items: StoredModerationEvidenceItem[] = JSON.parse(stored ?? '[]')
  const added = reported.filter(({ text }) => !items.some((item) => item.text === text))
  if (!added.length || items.length >= MAX_REPORTED_VERSIONS) return
  const evidence = JSON.stringify([...items, ...added])
  await tx.updateTable('report_cases').set({ evidence }).where('id', '=', id).execute()
}

async function insertParties(tx: Tx, case_id: number, parties: readonly number[]) {
  if (!parties.length) return
  const rows = parties.map((user_id) => ({ case_id, user_id }))
  await tx.insertInto('case_parties').values(rows).execute()
}

/** Lists one page of the reports that the viewer has made, newest first. */
export async function listOwnModerationReports({ db, me }: MemberViewerContext, page: PaginationParameters) {
  const found = db
    .selectFrom('reports as r')
    .innerJoin('report_cases as c', 'c.id', 'r.case_id')
    .select(['r.id', 'c.kind', 'r.reason', 'r.note', 'r.created_at', 'c.outcome'])
    .where('r.reporter_id', '=', me.id)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'r.id', page, 'desc').execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(
        ({ outcome, ...report }): OwnModerationReport => ({
          ...report,
          state: outcome === null ? 'open' : outcome === 'dismiss' ? 'dismissed' : 'acted',
        }),
      ),
  )
}
