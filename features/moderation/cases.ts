import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import type { Person } from '#features/people/contract.ts'
import { buildUnfilteredPersonRowsQuery, toPersonFromRow } from '#features/people/read.ts'
import { readPostImagesForModerators } from '#features/posts/moderation.ts'
import {
  readPostIdsByReplyIdForModerators,
  readReplyImagesForModerators,
} from '#features/replies/moderation.ts'
import type {
  ListedModerationCase,
  ModerationCase,
  ModerationDecisionAction,
  ModerationEvidenceItem,
} from './contract.ts'
import { createNoSuchModerationCaseError, readModerationEvidenceWithAccessState } from './evidence.ts'

// This file reads and closes moderation cases. Blocks between members do not hide people here, because
// moderators must see whom a report concerns.

/**
 * Builds the query for the moderation cases that are not about the viewer, with the columns of the
 * person whom the reports concern.
 */
const caseRows = (viewer: MemberContext) =>
  viewer.db
    .selectFrom('report_cases as c')
    .innerJoin(buildUnfilteredPersonRowsQuery(viewer).as('u'), 'u.id', 'c.author_id')
    .select(['c.id', 'c.kind', 'c.subject_id', 'c.chat', 'c.created_at', 'c.closed_at', 'c.outcome'])
    .select(['c.author_id', 'u.name', 'u.image', 'u.shared_handle', 'u.former_since'])
    .select((query) =>
      query
        .selectFrom('reports as r')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('r.case_id', '=', 'c.id')
        .as('reports_count'),
    )
    .where('c.author_id', '!=', viewer.me.id)

type CaseRow = Awaited<ReturnType<ReturnType<typeof caseRows>['execute']>>[number]

/** Converts rows to the cases of the API. For a case about a reply, adds the id of the reply's post. */
async function toListedCases(viewer: MemberContext, rows: readonly CaseRow[]) {
  const replies = rows.flatMap(({ kind, subject_id }) => (kind === 'reply' ? [subject_id] : []))
  const postIds = await readPostIdsByReplyIdForModerators(viewer, replies)
  return rows.map((row) =>
    toListedCase(viewer, row, row.kind === 'reply' ? postIds.get(row.subject_id) : undefined),
  )
}

function toListedCase(
  { media }: MemberContext,
  row: CaseRow,
  post_id: number | undefined,
): ListedModerationCase {
  const { author_id: id, name, image, shared_handle, former_since, reports_count, ...rest } = row
  const author = toPersonFromRow(media, { id, name, image, shared_handle, former_since })
  return { ...rest, ...(post_id && { post_id }), author, reports_count: Number(reports_count) }
}

/**
 * Lists one page of the open or of the closed moderation cases, newest first, without those about the viewer.
 */
export async function listModerationCases(
  viewer: MemberContext,
  { state, ...page }: PaginationParameters & { state: 'open' | 'closed' },
) {
  const found = caseRows(viewer).where('c.closed_at', state === 'open' ? 'is' : 'is not', null)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'c.id', page, 'desc').execute()
  const cases = await toListedCases(viewer, rows.slice(0, page.limit))
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    () => cases,
  )
}

/** The maximum number of reports, and of decisions, that the response about one case contains. */
const MAX_ROWS = 200

/**
 * Reads a moderation case with its reports, decisions and evidence. Throws 404 if there is no such case, or
 * if it is about the viewer.
 */
export async function readModerationCase(viewer: MemberContext, id: number): Promise<ModerationCase> {
  const row = await caseRows(viewer).where('c.id', '=', id).executeTakeFirst()
  if (!row) throw createNoSuchModerationCaseError()
  const [listed, reports, decisions, { reading, evidence, openings }, images] = await Promise.all([
    toListedCases(viewer, [row]),
    listReports(viewer, id),
    listDecisions(viewer, id),
    readModerationEvidenceWithAccessState(viewer, row),
    row.closed_at === null ? readSubjectImages(viewer, row) : [],
  ])
  const people = await readPeople(viewer, [
    ...reports.map(({ reporter_id }) => reporter_id),
    ...decisions.flatMap(({ moderator_id }) => moderator_id ?? []),
    ...openings.map(({ moderator_id }) => moderator_id),
    ...(evidence ?? []).map(({ user_id }) => user_id),
  ])
  return {
    ...listed[0]!,
    reports: reports.flatMap(({ reporter_id, ...report }) => {
      const reporter = people.get(reporter_id)
      return reporter ? [{ reporter, ...report }] : []
    }),
    decisions: decisions.map(({ moderator_id, ...decision }) => ({
      moderator: people.get(moderator_id ?? 0) ?? null,
      ...decision,
    })),
    evidence:
      evidence?.map(
        ({ user_id, ...item }): ModerationEvidenceItem => ({ user: people.get(user_id) ?? null, ...item }),
      ) ?? null,
    images,
    reading,
    openings: openings.map(({ moderator_id, is_alone, created_at }) => ({
      moderator: people.get(moderator_id) ?? null,
      is_alone: Boolean(is_alone),
      created_at,
    })),
  }
}

function readSubjectImages(viewer: MemberContext, { kind, subject_id }: CaseRow) {
  if (kind === 'post') return readPostImagesForModerators(viewer, subject_id)
  return kind === 'reply' ? readReplyImagesForModerators(viewer, subject_id) : []
}

const listReports = ({ db }: MemberContext, case_id: number) =>
  db
    .selectFrom('reports')
    .select(['reporter_id', 'reason', 'note', 'created_at'])
    .where('case_id', '=', case_id)
    .orderBy('id', 'desc')
    .limit(MAX_ROWS)
    .execute()

const listDecisions = ({ db }: MemberContext, case_id: number) =>
  db
    .selectFrom('case_decisions')
    .select(['moderator_id', 'action', 'note', 'created_at'])
    .where('case_id', '=', case_id)
    .orderBy('id', 'desc')
    .limit(MAX_ROWS)
    .execute()

async function readPeople(viewer: MemberContext, ids: readonly number[]) {
  if (!ids.length) return new Map<number, Person>()
  const rows = await buildUnfilteredPersonRowsQuery(viewer)
    .where('users.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, toPersonFromRow(viewer.media, row)]))
}

/**
 * Returns the id of the open moderation case about a post, reply, message or member; undefined if there is
 * none.
 */
export const findOpenModerationCaseIdRow = (db: Db, kind: ListedModerationCase['kind'], subject_id: number) =>
  db
    .selectFrom('report_cases')
    .select('id')
    .where('kind', '=', kind)
    .where('subject_id', '=', subject_id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()

/** Counts the reports that a member has made in the last 24 hours. */
export async function countReportsMadeByMemberInLastDay(db: Db, reporter: number) {
  const { rows } = await sql<{ count: number }>`select count(*) as count from reports
    where reporter_id = ${reporter}
      and created_at > ${new Date(Date.now() - 24 * 3600_000).toISOString()}`.execute(db)
  return Number(rows[0]!.count)
}

/** Stores a moderator's decision about a case, closes the case, and returns the id of the decision. */
export async function storeDecisionAndCloseModerationCase(
  tx: Tx,
  case_id: number,
  decision: { moderator_id: number; action: ModerationDecisionAction; note: string; salt: string },
) {
  const created_at = currentIsoTime()
  const { id } = await tx
    .insertInto('case_decisions')
    .values({ case_id, ...decision, created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('report_cases')
    .set({ closed_at: created_at, outcome: decision.action })
    .where('id', '=', case_id)
    .execute()
  return id
}
