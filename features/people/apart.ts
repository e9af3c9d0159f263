import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AppContext, CurrentUser } from '#core/context.ts'

// The functions of this file ask whom a guardian's refusal keeps apart: see `apart` of core/contacts.ts.

/**
 * Builds the SQL condition that no guardian's refusal stands between the viewer and the person. `person` is
 * the name of the column with the person's id. Lists that name muted people too, such as the people who like
 * a post, use it.
 */
export function buildNotApartCondition(
  { me, contacts }: Pick<AppContext, 'contacts'> & { me: CurrentUser | null },
  person: string,
): RawBuilder<SqlBool> {
  const apart = me && contacts.apart(me.id)
  return apart ? sql<SqlBool>`${sql.ref(person)} not in (${apart})` : sql<SqlBool>`true`
}

/** Returns whether a guardian's refusal stands between two members. */
export async function areApart({ db, contacts }: Pick<AppContext, 'db' | 'contacts'>, a: number, b: number) {
  const apart = contacts.apart(a)
  if (!apart) return false
  const { rows } = await sql`select id from (${apart}) apart where id = ${b} limit 1`.execute(db)
  return rows.length > 0
}
