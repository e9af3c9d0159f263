import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Act } from '#core/contacts.ts'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime } from '#core/database/database.ts'
import { childrenToday } from '#features/people/children.ts'
import { type Attempt, MAX_ATTEMPTS } from './contract.ts'
import { readUnfilteredPeopleMapById, requireGuardianOf } from './read.ts'

// A guardian's refusal keeps the child and the person apart: nothing that one of them says or does is brought
// to the other. What they tried is counted for the guardians, without any of its words.

/** Builds the query of `apart` in core/contacts.ts. */
export function apart(member: number): RawBuilder<{ id: number }> {
  const refused = sql`child_contacts where state = 'refused' and child_id in (${childrenToday()})`
  return sql`select person_id as id from ${refused} and child_id = ${member}
    union all select child_id from ${refused} and person_id = ${member}`
}

/** Implements `delivery` of core/contacts.ts. */
export function delivery({ from, to, kind }: Act) {
  const refused = sql`from child_contacts
    where child_id in (${from}, ${to}) and person_id in (${from}, ${to}) and state = 'refused'
      and child_id in (${childrenToday()})`
  return {
    isHeld: sql<SqlBool>`exists (select 1 ${refused})`,
    attempt: sql`insert into child_attempts (child_id, person_id, actor_id, kind, count, last_at)
      select child_id, person_id, ${from}, ${kind}, 1, ${currentIsoTime()} ${refused} order by child_id
      on conflict (child_id, person_id, actor_id, kind)
        do update set count = child_attempts.count + 1, last_at = excluded.last_at`,
  }
}

/** Returns the newest attempts of a child and the people whom a guardian has refused. */
export async function listAttempts(viewer: MemberContext, child: number): Promise<Attempt[]> {
  await requireGuardianOf(viewer, child)
  const rows = await viewer.db
    .selectFrom('child_attempts')
    .selectAll()
    .where('child_id', '=', child)
    .orderBy('last_at', 'desc')
    .orderBy('person_id')
    .orderBy('kind')
    .limit(MAX_ATTEMPTS)
    .execute()
  const people = await readUnfilteredPeopleMapById(
    viewer,
    rows.map(({ person_id }) => person_id),
  )
  return rows.flatMap(({ person_id, actor_id, kind, count, last_at }): Attempt[] => {
    const person = people.get(person_id)
    return person ? [{ person, by: actor_id === child ? 'child' : 'person', kind, count, last_at }] : []
  })
}
