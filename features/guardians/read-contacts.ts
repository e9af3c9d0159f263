import { type RawBuilder, sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import { httpErrors } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { lastMessageAt, partnersQuery } from '#features/conversations/contacts.ts'
import { allMemberIds } from '#features/people/deletion.ts'
import { followsQuery } from '#features/people/follows.ts'
import { inCommonGroup } from './common-groups.ts'
import type { ChildContact, ContactState } from './contract.ts'
import * as read from './read.ts'

/** People with a chat, a follow, a request or a decision, by id. 404 unless the viewer is a guardian. */
export async function listContacts(viewer: MemberContext, { id, ...page }: PageParams & { id: number }) {
  await read.requireGuardian(viewer, id)
  const rows = await readRows(viewer, id, sql`person.id > ${page.after ?? 0}`, page.limit + 1)
  const contacts = await toContacts(viewer, id, rows.slice(0, page.limit))
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.person_id }),
    () => contacts,
  )
}

/** 404 if there is no contact. The caller has checked that the viewer is a guardian of the child. */
export async function getContact(viewer: MemberContext, child: number, person: number) {
  const rows = await readRows(viewer, child, sql`person.id = ${person}`, 1)
  const [contact] = await toContacts(viewer, child, rows)
  if (!contact) throw httpErrors.notFound()
  return contact
}

interface ContactRow {
  person_id: number
  state: ContactState | null
  asked_by: number | null
  asked_at: string | null
  decided_by: number | null
  decided_at: string | null
  follows: number | null
  followed: number | null
  last_message_at: string | null
  in_group: 0 | 1
}

async function readRows(
  { db, groups }: MemberContext,
  child: number,
  where: RawBuilder<unknown>,
  limit: number,
) {
  const follows = (direction: 0 | 1) => sql`(select user_id from (${followsQuery([child])}) f
    where f.is_follower = ${sql.lit(direction)})`
  const { rows } = await sql<ContactRow>`
    select person.id as person_id, k.state, k.asked_by, k.asked_at, k.decided_by, k.decided_at,
      a.user_id as follows, b.user_id as followed,
      ${lastMessageAt('p.conversation_id')} as last_message_at,
      case when ${inCommonGroup(groups, child, sql.ref('person.id'))} then 1 else 0 end
        as in_group
    from (${allMemberIds(db)}) person
      left join child_contacts k on k.child_id = ${child} and k.person_id = person.id
      left join (${partnersQuery([child])}) p on p.user_id = person.id
      left join ${follows(0)} a on a.user_id = person.id
      left join ${follows(1)} b on b.user_id = person.id
    where ${where} and (k.child_id is not null or p.user_id is not null or a.user_id is not null
      or b.user_id is not null)
    order by person.id limit ${limit}`.execute(db)
  return rows
}

async function toContacts(viewer: MemberContext, child: number, rows: readonly ContactRow[]) {
  const people = await read.peopleById(
    viewer,
    rows.flatMap(({ person_id, decided_by }) => [person_id, decided_by]),
  )
  return rows.flatMap((row): ChildContact[] => {
    const person = people.get(row.person_id)
    if (!person) return []
    return [
      {
        person,
        state: row.state,
        asked_by: read.askerRole(row.asked_by, child),
        asked_at: row.asked_at,
        decided_by: people.get(row.decided_by ?? 0) ?? null,
        decided_at: row.decided_at,
        child_follows: row.follows !== null,
        follows_child: row.followed !== null,
        last_message_at: row.last_message_at,
        in_group: Boolean(row.in_group),
      },
    ]
  })
}
