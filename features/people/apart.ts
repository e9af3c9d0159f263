import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AppContext, CurrentUser } from '#core/context.ts'

// Asks whom a guardian's refusal keeps apart: see `apart` of core/feature/contacts.ts.

/** `person` is a column. For lists that name muted people too, such as the people who like a post. */
export function notApart(
  { me, contacts }: Pick<AppContext, 'contacts'> & { me: CurrentUser | null },
  person: string,
): RawBuilder<SqlBool> {
  const apart = me && contacts.apart(me.id)
  return apart ? sql<SqlBool>`${sql.ref(person)} not in (${apart})` : sql<SqlBool>`true`
}

/** `person` is a column. Whether the viewer waits for a guardian's answer about the person. */
export function waitsFor(
  { me, contacts }: Pick<AppContext, 'contacts'> & { me: CurrentUser | null },
  person: string,
) {
  const asked = me && contacts.asked(me.id)
  return asked ? sql<SqlBool>`${sql.ref(person)} in (${asked})` : sql<SqlBool>`1 = 0`
}

/** See `asked` of core/feature/contacts.ts. */
export const hasAsked = (
  { db, me, contacts }: Pick<AppContext, 'db' | 'contacts'> & { me: CurrentUser },
  other: number,
) => has(db, contacts.asked(me.id), other)

export const areApart = ({ db, contacts }: Pick<AppContext, 'db' | 'contacts'>, a: number, b: number) =>
  has(db, contacts.apart(a), b)

async function has(db: AppContext['db'], people: RawBuilder<{ id: number }> | null, id: number) {
  if (!people) return false
  const { rows } = await sql`select id from (${people}) people where id = ${id} limit 1`.execute(db)
  return rows.length > 0
}
