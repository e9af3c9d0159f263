import { type RawBuilder, sql } from 'kysely'
import type { Act } from '#core/contacts.ts'
import type { MemberContext } from '#core/context.ts'
import { currentIsoTime, type Tx } from '#core/database/database.ts'
import { childrenToday } from '#features/people/children.ts'
import { type Attempt, type AttemptKind, MAX_ATTEMPTS } from './contract.ts'
import { readUnfilteredPeopleMapById, requireGuardianOf } from './read.ts'

// A guardian's refusal keeps the child and the person apart: nothing that one of them says or does is brought
// to the other. What they tried is counted for the guardians, without any of its words.

/** Builds the query of `apart` in core/contacts.ts. */
export function apart(member: number): RawBuilder<{ id: number }> {
  const refused = sql`child_contacts where state = 'refused' and child_id in (${childrenToday()})`
  return sql`select person_id as id from ${refused} and child_id = ${member}
    union all select child_id from ${refused} and person_id = ${member}`
}

/** Implements `deliver` of core/contacts.ts. */
export async function deliver(tx: Tx, { from, to, kind }: Act) {
  const { rows } = await sql<{ child_id: number; person_id: number }>`
    select child_id, person_id from child_contacts
    where child_id in (${from}, ${to}) and person_id in (${from}, ${to}) and state = 'refused'
      and child_id in (${childrenToday()}) order by child_id`.execute(tx)
  if (!rows.length) return true
  const at = currentIsoTime()
  const attempt = { actor_id: from, kind: kind as AttemptKind, count: 1, last_at: at }
  await tx
    .insertInto('child_attempts')
    .values(rows.map((pair) => ({ ...pair, ...attempt })))
    .onConflict((c) =>
      c
        .columns(['child_id', 'person_id', 'actor_id', 'kind'])
        .doUpdateSet(({ ref }) => ({ count: sql`${ref('child_attempts.count')} + 1`, last_at: at })),
    )
    .execute()
  return false
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
