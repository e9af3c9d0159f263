import { recordAuditLogEntry } from '#core/audit-log/audit-log.ts'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, type DatabaseTables, type Db, isPostgres, type Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { filterMemberIdsWithAuthenticatorAppOrPasskey } from '#features/account/second-step-rule.ts'
import { listModeratorAndAdminIds, requireModeratorOrAdmin } from '#features/people/moderators.ts'
import type { ModerationCase } from './contract.ts'

// This file decides who may read the evidence of a moderation case: copies of the reported post, profile or
// message, and of the messages around a reported message. Evidence from a private chat needs two moderators:
// both must open it before either can read it. If only one moderator can open it, that one reads it alone.
// The two people of the chat and the reported member may not open it. Admins appoint moderators, so an admin
// could get round this rule. Therefore the case and the log show who opened the evidence, and whether alone.

export const createNoSuchModerationCaseError = () =>
  new HttpError(404, { en: 'There is no such case.', ja: 'その報告は見つかりません。' })

/**
 * A copy of a reported text (or of a message near it) in the evidence of a case. The column `evidence`
 * contains a JSON array of such copies.
 */
export interface StoredModerationEvidenceItem {
  user_id: number
  text: string
  images_count: number
  /** The names of the files that are attached to the message, except pictures; absent if there are none. */
  file_names?: string[]
  created_at: string
  is_reported: boolean
}

/** The columns of a moderation case that decide who may read its evidence. */
interface CaseRow {
  id: number
  kind: string
  subject_id: number
  author_id: number
  chat: string | null
}

/**
 * Returns the ids of the moderators and admins who can open the evidence: they are not in the chat, and have
 * a second step if the community requires it. A moderator without a second step could never open the
 * evidence, and the case would wait for that moderator for ever. The viewer, whose session was checked, and
 * the moderators who have opened the evidence already are listed even if they have no second step now.
 */
async function listEligibleModerators(
  { db, me, settings }: Pick<MemberContext, 'db' | 'me' | 'settings'>,
  { id: case_id, author_id }: CaseRow,
  openings: readonly Opening[],
) {
  const [moderators, stored] = await Promise.all([
    listModeratorAndAdminIds(db),
    db.selectFrom('case_parties').select('user_id').where('case_id', '=', case_id).execute(),
  ])
  const parties = new Set([...stored.map(({ user_id }) => user_id), author_id])
  const eligible = moderators.filter((id) => !parties.has(id))
  if (!settings.current().admins_need_second_step) return eligible
  const able = await filterMemberIdsWithAuthenticatorAppOrPasskey(db, eligible)
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
  evidence: StoredModerationEvidenceItem[] | null
  /** The moderators who have opened the evidence from a private chat, the first one first. */
  openings: Opening[]
}

/**
 * Returns what the viewer may know of the evidence of a case: the evidence itself if the viewer may read it
 * now, the state `reading` (see `ModerationCase`), which says whether the viewer may read it and if not, why,
 * and the moderators who have opened it.
 */
export async function readModerationEvidenceWithAccessState(
  viewer: MemberContext,
  row: CaseRow,
): Promise<EvidenceState> {
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
  // Counts also the openings of people who are no moderators any more, because they were moderators when they
  // opened the evidence.
  if (own && (own.is_alone || openings.length > 1)) return 'open'
  // The viewer may have opened the evidence while other moderators could open it too. If none of them is left
  // now, the viewer has to open it again, so that the log says that the viewer was alone.
  if (isAlone(me, eligible, openings)) return 'alone'
  return own ? 'waiting' : 'closed'
}

/** Returns whether only the viewer can open the evidence, and nobody else has opened it. */
const isAlone = (me: number, eligible: readonly number[], openings: readonly Opening[]) =>
  eligible.length === 1 && openings.every(({ moderator_id }) => moderator_id === me)

/**
 * Records that the viewer opens the evidence from a private chat. Two moderators must open it before either
 * can read it; an only moderator opens it alone. Does nothing for other cases, and if the viewer has opened
 * it already. Throws 403 for a person of the chat. The audit log says who opened it with whom, or alone.
 */
export const recordOpeningOfPrivateChatEvidence = (context: MemberContext, id: number) =>
  transaction(context.db, async (tx) => {
    const me = context.me.id
    const role = await requireModeratorOrAdmin(tx, context.me)
    const row = await lockCaseForOpening(tx, id, me)
    if (row.chat !== 'private') return
    const openings = await listOpenings(tx, id)
    const eligible = await listEligibleModerators({ ...context, db: tx }, row, openings)
    if (!eligible.includes(me)) throw isPartyError()
    const alone = isAlone(me, eligible, openings)
    if (!(await insertOpening(tx, { case_id: id, moderator_id: me, is_alone: alone ? 1 : 0 }))) return
    const others = openings.map(({ moderator_id }) => moderator_id).filter((other) => other !== me)
    await recordAuditLogEntry(tx, {
      action: alone ? 'evidence_opened_alone' : others.length ? 'evidence_opened' : 'evidence_requested',
      subject: 'message',
      subject_id: row.subject_id,
      actor_id: me,
      role,
      detail: { case: id, ...(others.length && { together_with: others }) },
    })
  })

/**
 * Reads a case and locks its row until the commit. If two moderators open the evidence at the same moment,
 * the second waits, then finds that the first has opened it, and both may read it.
 */
async function lockCaseForOpening(tx: Tx, id: number, me: number) {
  const row = await tx
    .selectFrom('report_cases')
    .select(['id', 'kind', 'subject_id', 'author_id', 'chat'])
    .where('id', '=', id)
    .where('author_id', '!=', me)
    .$if(isPostgres(tx), (query) => query.forUpdate())
    .executeTakeFirst()
  if (!row) throw createNoSuchModerationCaseError()
  return row
}

const isPartyError = () =>
  new HttpError(403, {
    en: 'You are in this chat, so other moderators decide about the report.',
    ja: 'あなたはこのチャットの参加者です。この報告は、ほかのモデレーターが確認します。',
  })

/**
 * Stores that a moderator has opened the evidence, or that a moderator who opened it before now opens it
 * alone. Returns false if this was stored already.
 */
async function insertOpening(tx: Tx, opening: Omit<DatabaseTables['evidence_openings'], 'created_at'>) {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('evidence_openings')
    .values({ ...opening, created_at: currentIsoTime() })
    .onConflict((c) =>
      c
        .columns(['case_id', 'moderator_id'])
        .doUpdateSet({ is_alone: opening.is_alone })
        .where('evidence_openings.is_alone', '<', opening.is_alone),
    )
    .executeTakeFirstOrThrow()
  return Boolean(numInsertedOrUpdatedRows)
}

// The functions below delete evidence.

/** The time in ms after the decision for which the evidence of a case is kept. */
const EVIDENCE_RETENTION = 90 * 24 * 3600_000

/** Deletes the evidence of moderation cases that were closed at least ninety days ago. */
export const deleteEvidenceOfLongClosedCases = (tx: Tx) =>
  tx
    .updateTable('report_cases')
    .set({ evidence: null })
    .where('evidence', 'is not', null)
    .where('closed_at', '<', new Date(Date.now() - EVIDENCE_RETENTION).toISOString())
    .execute()

/**
 * Deletes the messages of a member from the evidence of cases about other members. Such evidence contains the
 * chat messages before and after the reported message.
 */
export async function removeMemberMessagesFromEvidence(tx: Tx, user_id: number) {
  const cases = await tx
    .selectFrom('report_cases')
    .select(['id', 'evidence'])
    .where('evidence', 'like', `%"user_id":${user_id},%`)
    .execute()
  for (const { id, evidence } of cases) {
    const items: StoredModerationEvidenceItem[] = JSON.parse(evidence!)
    const kept = JSON.stringify(items.filter((item) => item.user_id !== user_id))
    await tx.updateTable('report_cases').set({ evidence: kept }).where('id', '=', id).execute()
  }
}
