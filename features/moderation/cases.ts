import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { PaginationParameters } from '#core/contract.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { selectKeysetPage } from '#core/database/keyset.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import type { Person } from '#features/people/contract.ts'
import { buildUnfilteredPersonRowsQuery, toPersonFromRow } from '#features/people/read.ts'
import { readPostImagesForModerators } from '#features/posts/moderation.ts'
import type {
  ListedModerationCase,
  ModerationCase,
  ModerationDecisionAction,
  ModerationEvidenceItem,
} from './contract.ts'
import { createNoSuchModerationCaseError, readModerationEvidenceWithAccessState } from './evidence.ts'

// The cases as moderators read them. Blocks do not hide people here: moderators see whom a report concerns.

/** Query: the cases that the viewer may work on, with the columns of the person concerned. */
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

function toListedCase({ media }: MemberContext, row: CaseRow): ListedModerationCase {
  const { author_id: id, name, image, shared_handle, former_since, reports_count, ...rest } = row
  const author = toPersonFromRow(media, { id, name, image, shared_handle, former_since })
  return { ...rest, author, reports_count: Number(reports_count) }
}

/** Lists the open or the closed cases, newest first, without those about the viewer. */
export async function listModerationCases(
  viewer: MemberContext,
  { state, ...page }: PaginationParameters & { state: 'open' | 'closed' },
) {
  const found = caseRows(viewer).where('c.closed_at', state === 'open' ? 'is' : 'is not', null)
  const rows = await selectKeysetPage(found, 'c.id', page, 'desc').execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) => shown.map((row) => toListedCase(viewer, row)),
  )
}

/** The maximum number of reports, and of decisions, that the response with a case contains. */
const MAX_ROWS = 200

/** Reads a case. Throws 404 if there is none, or if it is about the viewer. */
export async function readModerationCase(viewer: MemberContext, id: number): Promise<ModerationCase> {
  const row = await caseRows(viewer).where('c.id', '=', id).executeTakeFirst()
  if (!row) throw createNoSuchModerationCaseError()
  const hasPictures = row.kind === 'post' && row.closed_at === null
  const [reports, decisions, { reading, evidence, openings }, images] = await Promise.all([
    listReports(viewer, id),
    listDecisions(viewer, id),
    readModerationEvidenceWithAccessState(viewer, row),
    hasPictures ? readPostImagesForModerators(viewer, row.subject_id) : [],
  ])
  const people = await readPeople(viewer, [
    ...reports.map(({ reporter_id }) => reporter_id),
    ...decisions.flatMap(({ moderator_id }) => moderator_id ?? []),
    ...openings.map(({ moderator_id }) => moderator_id),
    ...(evidence ?? []).map(({ user_id }) => user_id),
  ])
  return {
    ...toListedCase(viewer, row),
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

/** Returns the open case of a post, message or member; undefined if there is none. */
export const findOpenModerationCase = (db: Db, kind: ListedModerationCase['kind'], subject_id: number) =>
  db
    .selectFrom('report_cases')
    .select('id')
    .where('kind', '=', kind)
    .where('subject_id', '=', subject_id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()

/** Counts the reports that a member has made in the last 24 hours. */
export async function countReportsOfMemberInLastDay(db: Db, reporter: number) {
  const { rows } = await sql<{ count: number }>`select count(*) as count from reports
    where reporter_id = ${reporter}
      and created_at > ${new Date(Date.now() - 24 * 3600_000).toISOString()}`.execute(db)
  return Number(rows[0]!.count)
}

/** Stores a decision about a case, closes the case, and returns the id of the decision. */
export async function closeModerationCaseWithDecision(
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
