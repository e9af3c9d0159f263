import type { MemberContext } from '#core/context.ts'
import { isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError, httpErrors } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as chatMessages from '#features/messages/moderation.ts'
import { lockFromDeletion } from '#features/people/deletion.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import { lockPost } from '#features/posts/post-locks.ts'
import * as posts from '#features/posts/read.ts'
import * as replies from '#features/replies/read.ts'
import * as cases from './cases.ts'
import {
  type DirectKind,
  MAX_REPORTS,
  type OwnReport,
  type ReportKind,
  type ReportReason,
} from './contract.ts'
import type { StoredEvidence } from './evidence.ts'
import * as mails from './mails.ts'
import * as waiting from './waiting.ts'

interface ReportOf<Kind extends ReportKind> {
  kind: Kind
  id: number
  reason: ReportReason
  note: string | null
}
type NewReport = ReportOf<DirectKind>

interface ReportedSubject {
  author: number
  chat: 'private' | 'group' | null
  /** The two people of a private chat, who may not open the evidence; empty for other reports. */
  parties: readonly number[]
  evidence: StoredEvidence[]
}

/** 404 or 403 if the reporter may not see it. */
async function readSubject(viewer: MemberViewer, { kind, id }: NewReport): Promise<ReportedSubject> {
  if (kind === 'message') {
    const { author, pair, messages } = await chatMessages.getExcerpt(viewer, id)
    const evidence = messages.map(({ id: message, ...row }) => ({ ...row, is_reported: message === id }))
    return { author, chat: pair ? 'private' : 'group', parties: pair ?? [], evidence }
  }
  if (kind === 'post' || kind === 'reply') {
    const subject = await (kind === 'post' ? posts.get(viewer, id) : replies.get(viewer, id))
    const { user, body, images, files, created_at, edited_at } = subject
    const copy = {
      ...{ user_id: user.id, text: body ?? '', images_count: images.length },
      ...(files && { file_names: files.map(({ name }) => name) }),
      ...{ created_at: edited_at ?? created_at, is_reported: true },
    }
    return { author: user.id, chat: null, parties: [], evidence: [copy] }
  }
  const { bio, profile_image, created_at } = await people.getProfile(viewer, id)
  const profile = { user_id: id, text: bio ?? '', images_count: profile_image ? 1 : 0, created_at }
  return { author: id, chat: null, parties: [], evidence: [{ ...profile, is_reported: true }] }
}

/**
 * The locks last until the commit. The reporter and all whose words are copied cannot be deleted meanwhile:
 * their deletion would not find the new copy. The post or the chat's messages cannot be removed for their
 * age: the removal would not find the new report. 401 if the reporter's account is deleted.
 */
async function readAndLockSubject(viewer: MemberViewer, report: NewReport, tx: Tx) {
  const locked = new Set<number>()
  let isContentLocked = false
  for (;;) {
    const subject = await readSubject(viewer, report)
    const people = [viewer.me.id, subject.author, ...subject.evidence.map(({ user_id }) => user_id)]
    const missing = [...new Set(people)].filter((id) => !locked.has(id))
    if (!missing.length && isContentLocked) return subject
    // Read again under the locks: another transaction that held a lock before may have removed content.
    if (missing.length) {
      const found = await lockFromDeletion(tx, missing)
      if (missing.includes(viewer.me.id) && !found.includes(viewer.me.id)) throw httpErrors.unauthenticated()
    }
    for (const id of missing) locked.add(id)
    if (!isContentLocked) await lockContent(tx, report, subject)
    isContentLocked = true
  }
}

async function lockContent(tx: Tx, { kind, id }: NewReport, { chat }: ReportedSubject) {
  if (kind === 'post') await lockPost(tx, id)
  if (chat === 'private') await chatMessages.lockChat(tx, id)
}

/**
 * The first report opens a case and copies the content; later ones add its new text if it was edited.
 * Resolves to false, and changes nothing, if the member has reported the same and the case is open. 409 if
 * moderators have decided about the member's report of the same text. 404 or 403 for content that the member
 * may not see, 422 for the member's own, 429 above `MAX_REPORTS`.
 */
export const createReport = (context: MemberContext, report: NewReport) =>
  transaction(context.db, async (tx) => {
    const subject = await readAndLockSubject({ ...context, db: tx }, report, tx)
    return storeReport(context, tx, report, subject)
  })

/**
 * The text is stored nowhere: the caller has checked that `author` wrote it as message `report.id`. 404 if
 * the author has no account any more, otherwise as `createReport`.
 */
export const reportUnstored = (
  context: MemberContext,
  report: ReportOf<'public_message'>,
  { author, text, created_at }: { author: number; text: string; created_at: string },
) =>
  transaction(context.db, async (tx) => {
    const { me } = context
    const found = await lockFromDeletion(tx, [me.id, author])
    if (!found.includes(me.id)) throw httpErrors.unauthenticated()
    if (!found.includes(author)) throw httpErrors.notFound()
    const copy = { user_id: author, text, images_count: 0, created_at, is_reported: true }
    return storeReport(context, tx, report, { author, chat: null, parties: [], evidence: [copy] })
  })

async function storeReport(
  context: MemberContext,
  tx: Tx,
  report: ReportOf<ReportKind>,
  subject: ReportedSubject,
) {
  const me = context.me.id
  if (subject.author === me)
    throw fieldError('id', {
      en: 'You cannot report yourself.',
      ja: '自分自身を報告することはできません。',
    })
  if ((await cases.countReports(tx, me)) >= MAX_REPORTS)
    throw new HttpError(429, {
      en: `You can make at most ${MAX_REPORTS} reports a day.`,
      ja: `報告できるのは1日${MAX_REPORTS}件までです。`,
    })
  await requireUndecided(tx, me, report, subject)
  const case_id = await findOrOpenCase(context, tx, report, subject)
  const { reason, note } = report
  const added = await tx
    .insertInto('reports')
    .values({ case_id, reporter_id: me, reason, note, created_at: isoNow() })
    .onConflict((c) => c.columns(['case_id', 'reporter_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (added) await mails.enqueue(tx)
  return added !== undefined
}

/** A member can be reported again, because people go on; the same words cannot. */
async function requireUndecided(
  tx: Tx,
  me: number,
  { kind, id }: ReportOf<ReportKind>,
  subject: ReportedSubject,
) {
  if (kind === 'member') return
  const decided = await tx
    .selectFrom('report_cases as c')
    .innerJoin('reports as r', 'r.case_id', 'c.id')
    .select('c.evidence')
    .where('c.kind', '=', kind)
    .where('c.subject_id', '=', id)
    .where('r.reporter_id', '=', me)
    .where('c.closed_at', 'is not', null)
    .limit(MAX_REPORTS)
    .execute()
  const copies = decided.flatMap(({ evidence }): StoredEvidence[] => JSON.parse(evidence ?? '[]'))
  const contentOf = ({ text, images_count, file_names = [] }: StoredEvidence) =>
    JSON.stringify([text, images_count, file_names])
  const isSame = (item: StoredEvidence) =>
    item.is_reported && copies.some((old) => old.is_reported && contentOf(old) === contentOf(item))
  if (subject.evidence.some(isSame))
    throw new HttpError(409, {
      en: 'You have reported this before, and the moderators have decided about it.',
      ja: 'この内容は以前にあなたが報告し、モデレーターが対応を決めています。',
    })
}

/** Locks the case until the commit. */
async function findOrOpenCase(
  context: MemberContext,
  tx: Tx,
  { kind, id }: ReportOf<ReportKind>,
  subject: ReportedSubject,
) {
  const { author, chat, parties, evidence } = subject
  const values = {
    kind,
    subject_id: id,
    author_id: author,
    chat,
    evidence: JSON.stringify(evidence),
    created_at: isoNow(),
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
      await waiting.tell(context, tx, { id: created.id, author })
      return created.id
    }
    // If a moderator closes the case at this moment, the loop opens a new one.
    const open = await cases.findOpen(tx, kind, id)
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

/** Different texts of one post or reply in the evidence of a case. */
const MAX_REPORTED_VERSIONS = 10

/** If it was edited since: moderators would not see the text that the later report is about. */
async function addReportedVersion(
  tx: Tx,
  { id, evidence: stored }: { id: number; evidence: string | null },
  reported: readonly StoredEvidence[],
) {
  const items: StoredEvidence[] = JSON.parse(stored ?? '[]')
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

/** Newest first. */
export async function listOwnReports({ db, me }: MemberViewer, page: PageParams) {
  const found = db
    .selectFrom('reports as r')
    .innerJoin('report_cases as c', 'c.id', 'r.case_id')
    .select(['r.id', 'c.kind', 'r.reason', 'r.note', 'r.created_at', 'c.outcome'])
    .where('r.reporter_id', '=', me.id)
  const rows = await pageOf(found, 'r.id', page, 'desc').execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(
        ({ outcome, ...report }): OwnReport => ({
          ...report,
          state: outcome === null ? 'open' : outcome === 'dismiss' ? 'dismissed' : 'acted',
        }),
      ),
  )
}
