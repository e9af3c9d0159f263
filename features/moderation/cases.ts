import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import type { Person } from '#features/people/contract.ts'
import * as people from '#features/people/read.ts'
import * as attachments from '#features/posts/attachments.ts'
import * as posts from '#features/posts/moderation.ts'
import * as moderation from '#features/replies/moderation.ts'
import type { DecisionAction, EvidenceItem, ListedCase, ModerationCase } from './contract.ts'
import { getEvidence, noSuchCase } from './evidence.ts'

// Blocks do not hide people here, because moderators must see whom a report concerns.

/** Leaves out cases about the viewer. */
const caseRows = (viewer: MemberContext) =>
  viewer.db
    .selectFrom('report_cases as c')
    .innerJoin(people.unfiltered(viewer).as('u'), 'u.id', 'c.author_id')
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

async function toListedCases(viewer: MemberContext, rows: readonly CaseRow[]) {
  const replies = rows.flatMap(({ kind, subject_id }) => (kind === 'reply' ? [subject_id] : []))
  const postIds = await moderation.postIds(viewer, replies)
  return rows.map((row) =>
    toListedCase(viewer, row, row.kind === 'reply' ? postIds.get(row.subject_id) : undefined),
  )
}

function toListedCase({ media }: MemberContext, row: CaseRow, post_id: number | undefined): ListedCase {
  const { author_id: id, name, image, shared_handle, former_since, reports_count, ...rest } = row
  const author = people.fromRow(media, { id, name, image, shared_handle, former_since })
  return { ...rest, ...(post_id && { post_id }), author, reports_count: Number(reports_count) }
}

/** Newest first, without those about the viewer. */
export async function list(
  viewer: MemberContext,
  { state, ...page }: PageParams & { state: 'open' | 'closed' },
) {
  const found = caseRows(viewer).where('c.closed_at', state === 'open' ? 'is' : 'is not', null)
  const rows = await pageOf(found, 'c.id', page, 'desc').execute()
  const cases = await toListedCases(viewer, rows.slice(0, page.limit))
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    () => cases,
  )
}

/** Reports, and decisions, in the response about one case. */
const MAX_ROWS = 200

/** 404 if there is no such case, or if it is about the viewer. */
export async function get(viewer: MemberContext, id: number): Promise<ModerationCase> {
  const row = await caseRows(viewer).where('c.id', '=', id).executeTakeFirst()
  if (!row) throw noSuchCase()
  const [listed, reports, decisions, { reading, evidence, openings }, attached] = await Promise.all([
    toListedCases(viewer, [row]),
    listReports(viewer, id),
    listDecisions(viewer, id),
    getEvidence(viewer, row),
    row.closed_at === null ? readSubjectAttachments(viewer, row) : { images: [] },
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
        ({ user_id, ...item }): EvidenceItem => ({ user: people.get(user_id) ?? null, ...item }),
      ) ?? null,
    ...attached,
    reading,
    openings: openings.map(({ moderator_id, is_alone, created_at }) => ({
      moderator: people.get(moderator_id) ?? null,
      is_alone: Boolean(is_alone),
      created_at,
    })),
  }
}

async function readSubjectAttachments(viewer: MemberContext, { kind, subject_id }: CaseRow) {
  if (kind === 'post') return attachments.fields(await posts.getAttachments(viewer, subject_id))
  if (kind === 'reply') return attachments.fields(await moderation.getAttachments(viewer, subject_id))
  return { images: [] }
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
  const rows = await people
    .unfiltered(viewer)
    .where('users.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, people.fromRow(viewer.media, row)]))
}

export const findOpen = (db: Db, kind: ListedCase['kind'], subject_id: number) =>
  db
    .selectFrom('report_cases')
    .select('id')
    .where('kind', '=', kind)
    .where('subject_id', '=', subject_id)
    .where('closed_at', 'is', null)
    .executeTakeFirst()

export async function countReports(db: Db, reporter: number) {
  const { rows } = await sql<{ count: number }>`select count(*) as count from reports
    where reporter_id = ${reporter}
      and created_at > ${new Date(Date.now() - 24 * 3600_000).toISOString()}`.execute(db)
  return Number(rows[0]!.count)
}

/** Returns the id of the decision. */
export async function close(
  tx: Tx,
  case_id: number,
  decision: { moderator_id: number; action: DecisionAction; note: string; salt: string },
) {
  const created_at = isoNow()
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
