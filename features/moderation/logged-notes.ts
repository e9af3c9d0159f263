import type { MemberContext } from '#core/context.ts'
import { isNoteMatchingSaltedHash } from '#core/salted-notes.ts'

/** The fields of an audit log entry that identify a moderator's decision and the hash of its note. */
interface LoggedDecision {
  decision?: number
  note_hash?: string
}

/**
 * Reads the notes of the decisions that entries of the audit log name. Returns a map by the ids of the
 * decisions. Leaves out notes about the viewer, notes that were deleted with an account, and notes that
 * somebody has changed: their hash differs from the one in the log.
 */
export async function readUnalteredModerationNotesByDecisionId(
  { db, me }: MemberContext,
  logged: readonly LoggedDecision[],
) {
  const hashes = new Map(logged.map(({ decision, note_hash }) => [decision, note_hash]))
  const ids = [...hashes.keys()].filter((id) => id !== undefined)
  if (!ids.length) return new Map<number, string>()
  const rows = await db
    .selectFrom('case_decisions as d')
    .innerJoin('report_cases as c', 'c.id', 'd.case_id')
    .select(['d.id', 'd.note', 'd.salt'])
    .where('d.id', 'in', ids)
    .where('c.author_id', '!=', me.id)
    .execute()
  const intact = rows.filter((row) => isNoteMatchingSaltedHash(row, hashes.get(row.id)))
  return new Map(intact.map(({ id, note }) => [id, note]))
}
