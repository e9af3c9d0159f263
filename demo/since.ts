import type { Tx } from '#core/database/database.ts'

/** In ms: so the page of what is new shows something, and the list of posts leads to it. */
const AWAY = 5 * 86_400_000

/** The last visit of everybody ended some days ago. */
export async function ageVisits(tx: Tx) {
  const at = new Date(Date.now() - AWAY).toISOString()
  await tx.updateTable('since_marks').set({ done_until: at, left_at: at, visited_at: at }).execute()
}
