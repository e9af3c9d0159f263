import { type RawBuilder, sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { isoNow, type Tx } from '#core/database/database.ts'
import type { Act } from '#core/feature/contacts.ts'
import { childrenToday } from '#features/people/children.ts'
import { type Attempt, MAX_ATTEMPTS } from './contract.ts'
import * as read from './read.ts'

// A guardian's refusal keeps the child and the person apart: nothing that one of them says or does is brought
// to the other. What they tried is counted for the guardians, without any of its words.

export function apart(member: number): RawBuilder<{ id: number }> {
  const refused = sql`child_contacts where state = 'refused' and child_id in (${childrenToday()})`
  return sql`select person_id as id from ${refused} and child_id = ${member}
    union all select child_id from ${refused} and person_id = ${member}`
}

/** See `ContactRules`. Adds no row where nobody has refused. */
export async function deliver(tx: Tx, { from, to, kind }: Act) {
  const { rows: held } = await sql`
    insert into child_attempts (child_id, person_id, actor_id, kind, count, last_at)
      select child_id, person_id, ${from}, ${kind}, 1, ${isoNow()} from child_contacts
        where child_id in (${from}, ${to}) and person_id in (${from}, ${to}) and state = 'refused'
          and child_id in (${childrenToday()})
        order by child_id
    on conflict (child_id, person_id, actor_id, kind)
      do update set count = child_attempts.count + 1, last_at = excluded.last_at
    returning child_id`.execute(tx)
  return !held.length
}

/** Newest first. */
export async function listAttempts(viewer: MemberContext, child: number): Promise<Attempt[]> {
  await read.requireGuardian(viewer, child)
  const rows = await viewer.db
    .selectFrom('child_attempts')
    .selectAll()
    .where('child_id', '=', child)
    .orderBy('last_at', 'desc')
    .orderBy('person_id')
    .orderBy('kind')
    .limit(MAX_ATTEMPTS)
    .execute()
  const people = await read.peopleById(
    viewer,
    rows.map(({ person_id }) => person_id),
  )
  return rows.flatMap(({ person_id, actor_id, kind, count, last_at }): Attempt[] => {
    const person = people.get(person_id)
    return person ? [{ person, by: actor_id === child ? 'child' : 'person', kind, count, last_at }] : []
  })
}
