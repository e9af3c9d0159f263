import * as auditLog from '#core/audit-log/audit-log.ts'
import type { MemberContext } from '#core/context.ts'
import { type DatabaseTables, type Db, isoNow, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { filterProtected } from '#features/account/second-step-rule.ts'
import { listModeratorIds, requireModerator } from '#features/people/moderators.ts'
import type { ModerationCase } from './contract.ts'

// Evidence from a private chat needs two moderators: both must open it before either can read it. An only
// moderator reads it alone. The two people of the chat and the reported member may not open it. Admins
// appoint moderators, so an admin could get round this rule: the case and the log show who opened it, and
// whether alone.

export const noSuchCase = () =>
  new HttpError(404, { en: 'There is no such case.', ja: 'その報告は見つかりません。' })

/** The column `evidence` contains a JSON array of these. */
export interface StoredEvidence {
  user_id: number
  text: string
  images_count: number
  /** Except pictures; absent if there are none. */
  file_names?: string[]
  created_at: string
  is_reported: boolean
}

interface CaseRow {
  id: number
  kind: string
  subject_id: number
  author_id: number
  chat: string | null
}

/**
 * Not in the chat, and with a second step if the community requires it: otherwise the case would wait for a
 * moderator who can never open it. The viewer, whose session was checked, and those who have opened it are
 * listed even without a second step.
 */
async function listEligibleModerators(
  { db, me, settings }: Pick<MemberContext, 'db' | 'me' | 'settings'>,
  { id: case_id, author_id }: CaseRow,
  openings: readonly Opening[],
) {
  const [moderators, stored] = await Promise.all([
    listModeratorIds(db),
    db.selectFrom('case_parties').select('user_id').where('case_id', '=', case_id).execute(),
  ])
  const parties = new Set([...stored.map(({ user_id }) => user_id), author_id])
  const eligible = moderators.filter((id) => !parties.has(id))
  if (!settings.current().admins_need_second_step) return eligible
  const able = await filterProtected(db, eligible)
  for (const id of [me.id, ...openings.map(({ moderator_id }) => moderator_id)]) able.add(id)
  return eligible.filter((id) => able.has(id))
}

const listOpenings = (db: Db, case_id: number) =>
  db
    .selectFrom('evidence_openings')
    .select(['moderator_id', 'is_alone', 'created_at'])
    .where('case_id', '=', case_id)
    .orderBy('created_at')
    .execute()

type Opening = Awaited<ReturnType<typeof listOpenings>>[number]

interface EvidenceState {
  reading: ModerationCase['reading']
  evidence: StoredEvidence[] | null
  /** Evidence from a private chat only, the first moderator first. */
  openings: Opening[]
}

/** The evidence itself only if the viewer may read it now; otherwise `reading` says why not. */
export async function getEvidence(viewer: MemberContext, row: CaseRow): Promise<EvidenceState> {
  const { db } = viewer
  const { evidence: stored } = await db
    .selectFrom('report_cases')
    .select('evidence')
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow()
  const openings = await listOpenings(db, row.id)
  if (stored === null) return { reading: 'deleted', evidence: null, openings }
  const reading = row.chat === 'private' ? await readPrivateState(viewer, row, openings) : 'open'
  return { reading, evidence: reading === 'open' ? JSON.parse(stored) : null, openings }
}

async function readPrivateState(viewer: MemberContext, row: CaseRow, openings: readonly Opening[]) {
  const me = viewer.me.id
  const eligible = await listEligibleModerators(viewer, row, openings)
  if (!eligible.includes(me)) return 'party'
  const own = openings.find(({ moderator_id }) => moderator_id === me)
  // People who are no moderators any more count: they were when they opened the evidence.
  if (own && (own.is_alone || openings.length > 1)) return 'open'
  // If none of the other moderators is left, the viewer opens it again, so that the log says so.
  if (isAlone(me, eligible, openings)) return 'alone'
  return own ? 'waiting' : 'closed'
}

const isAlone = (me: number, eligible: readonly number[], openings: readonly Opening[]) =>
  eligible.length === 1 && openings.every(({ moderator_id }) => moderator_id === me)

/**
 * Does nothing for other cases, and if the viewer has opened it already. 403 for a person of the chat. The
 * audit log says who opened it with whom, or alone.
 */
export const openEvidence = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const me = context.me.id
    const role = await requireModerator(tx, context.me)
    const row = await lockCaseForOpening(tx, id, me)
    if (row.chat !== 'private') return
    const openings = await listOpenings(tx, id)
    const eligible = await listEligibleModerators({ ...context, db: tx }, row, openings)
    if (!eligible.includes(me)) throw isPartyError()
    const alone = isAlone(me, eligible, openings)
    if (!(await insertOpening(tx, { case_id: id, moderator_id: me, is_alone: alone ? 1 : 0 }))) return
    const others = openings.map(({ moderator_id }) => moderator_id).filter((other) => other !== me)
    await auditLog.record(tx, {
      action: alone ? 'evidence_opened_alone' : others.length ? 'evidence_opened' : 'evidence_requested',
      subject: 'message',
      subject_id: row.subject_id,
      actor_id: me,
      role,
      detail: { case: id, ...(others.length && { together_with: others }) },
    })
  })

/** If two moderators open it at the same moment, the second waits, finds the first, and both may read it. */
async function lockCaseForOpening(tx: Tx, id: number, me: number) {
  const row = await tx
    .selectFrom('report_cases')
    .select(['id', 'kind', 'subject_id', 'author_id', 'chat'])
    .where('id', '=', id)
    .where('author_id', '!=', me)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw noSuchCase()
  return row
}

const isPartyError = () =>
  new HttpError(403, {
    en: 'You are in this chat, so other moderators decide about the report.',
    ja: 'あなたはこのチャットの参加者です。この報告は、ほかのモデレーターが確認します。',
  })

/** Also if a moderator who opened it before now opens it alone. False if this was stored already. */
async function insertOpening(tx: Tx, opening: Omit<DatabaseTables['evidence_openings'], 'created_at'>) {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('evidence_openings')
    .values({ ...opening, created_at: isoNow() })
    .onConflict((c) =>
      c
        .columns(['case_id', 'moderator_id'])
        .doUpdateSet({ is_alone: opening.is_alone })
        .where('evidence_openings.is_alone', '<', opening.is_alone),
    )
    .executeTakeFirstOrThrow()
  return Boolean(numInsertedOrUpdatedRows)
}

/** In ms after the decision. */
const EVIDENCE_RETENTION = 90 * 24 * 3600_000

export const deleteOldEvidence = (tx: Tx) =>
  tx
    .updateTable('report_cases')
    .set({ evidence: null })
    .where('evidence', 'is not', null)
    .where('closed_at', '<', new Date(Date.now() - EVIDENCE_RETENTION).toISOString())
    .execute()

/** From cases about others: their evidence contains the messages before and after the reported one. */
export async function removeMessagesOf(tx: Tx, user_id: number) {
  const cases = await tx
    .selectFrom('report_cases')
    .select(['id', 'evidence'])
    .where('evidence', 'like', `%"user_id":${user_id},%`)
    .execute()
  for (const { id, evidence } of cases) {
    const items: StoredEvidence[] = JSON.parse(evidence!)
    const kept = JSON.stringify(items.filter((item) => item.user_id !== user_id))
    await tx.updateTable('report_cases').set({ evidence: kept }).where('id', '=', id).execute()
  }
}
