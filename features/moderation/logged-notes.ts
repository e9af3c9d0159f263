import type { MemberContext } from '#core/context.ts'
import { matchesNote } from '#core/secrets/salted-notes.ts'

interface LoggedDecision {
  decision?: number
  note_hash?: string
}

/**
 * By decision. Leaves out notes about the viewer, notes that were deleted with an account, and notes that
 * somebody has changed: their hash differs from the one in the log.
 */
export async function getLoggedNotes({ db, me }: MemberContext, logged: readonly LoggedDecision[]) {
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
  const intact = rows.filter((row) => matchesNote(row, hashes.get(row.id)))
  return new Map(intact.map(({ id, note }) => [id, note]))
}
