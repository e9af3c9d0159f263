import { sql } from 'kysely'
import type { Db } from '#core/database/database.ts'
import { idIn } from '#core/database/database.ts'
import type { Watched } from '#features/posts/searched.ts'
import type { SubjectKind } from '#features/reactions/contract.ts'
import { subjectKinds, subjects } from '#features/reactions/subjects.ts'

// What a search index holds of link previews. Checks no rights.

export const watched: readonly (Watched & { of: SubjectKind })[] = subjectKinds.map((of) => ({
  of,
  table: 'link_previews',
  id: `ROW.${subjects[of].column}`,
  columns: ['title', 'removed_at'],
}))

/** The titles by post, reply or message; null while there is only the address. */
export async function titles(db: Db, subject: SubjectKind, ids: readonly number[]) {
  const column = sql.ref(subjects[subject].column)
  const { rows } = await sql<{ id: number; title: string | null }>`select ${column} as id, title
    from link_previews where ${idIn(db, subjects[subject].column, ids)} and removed_at is null`.execute(db)
  return new Map(rows.map(({ id, title }) => [id, title]))
}
