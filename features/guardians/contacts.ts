import { type SqlBool, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { type Db, isoNow, type Tx } from '#core/database/database.ts'
import * as chatBroadcasts from '#features/conversations/broadcasts.ts'
import { partnersQuery } from '#features/conversations/contacts.ts'
import { filterChildren } from '#features/people/children.ts'
import { allMemberIds } from '#features/people/deletion.ts'
import { endFollowsWith, followsQuery } from '#features/people/follows.ts'
import * as visibility from '#features/people/visibility.ts'
import { inCommonGroup } from './common-groups.ts'
import { addRequests } from './requests.ts'

interface Contact {
  child_id: number
  person_id: number
}

/** They have a private chat or a follow, but no common group, and the person is no guardian. */
const undecidedQuery = ({ groups }: AppContext, db: Db, children: readonly number[]) => {
  const [child, person] = [sql.ref<number>('existing.child_id'), sql.ref<number>('existing.person_id')]
  return sql<Contact>`select ${child}, ${person} from (
      select p.member_id as child_id, p.user_id as person_id
        from (${partnersQuery(children)}) p
      union select f.member_id, f.user_id from (${followsQuery(children)}) f) existing
    where ${person} in (${allMemberIds(db)})
      and not exists (select 1 from guardians g where g.child_id = ${child} and g.guardian_id = ${person})
      and not ${inCommonGroup(groups, child, person)}`
}

/**
 * For a new mark, so that existing chats and follows go on. Guardians see these contacts, and can refuse
 * each. Decisions from an earlier mark apply again: contacts that were not allowed then are ended.
 */
export async function allowExisting(context: AppContext, tx: Tx, child: number) {
  await tx.updateTable('child_contacts').set({ unmarked_at: null }).where('child_id', '=', child).execute()
  await tx
    .insertInto('child_contacts')
    .columns(['child_id', 'person_id', 'state', 'asked_at'])
    .expression(
      sql<{ child_id: number; person_id: number; state: 'allowed'; asked_at: string }>`
        select found.child_id, found.person_id, 'allowed', ${isoNow()}
        from (${undecidedQuery(context, tx, [child])}) found where true`,
    )
    .onConflict((c) => c.doNothing())
    .execute()
  await close(context, tx, await listUnallowed(context, tx, [child]))
}

/** Contact with a guardian needs no decision. */
export const removeGuardians = (tx: Tx, child: number) =>
  tx
    .deleteFrom('child_contacts')
    .where('child_id', '=', child)
    .where('person_id', 'in', (q) =>
      q.selectFrom('guardians').select('guardian_id').where('guardians.child_id', '=', child),
    )
    .execute()

/** Neither a common group nor a guardian allows these. With everybody if `people` is null. */
async function listUnallowed(
  context: AppContext,
  tx: Tx,
  children: readonly number[],
  people: readonly number[] | null = null,
) {
  const isWanted = people ? sql<SqlBool>`found.person_id in (${sql.join(people)})` : sql<SqlBool>`true`
  const { rows } = await sql<Contact>`
    select found.child_id, found.person_id
    from (${undecidedQuery(context, tx, children)}) found
    where ${isWanted} and not exists (select 1 from child_contacts k where k.child_id = found.child_id
      and k.person_id = found.person_id and k.state = 'allowed')
    order by found.child_id, found.person_id`.execute(tx)
  return rows
}

/**
 * The last common group has ended, or a guardian was removed. Follows end, and private chats wait for a
 * guardian's decision. The caller has locked the children.
 */
export async function pause(context: AppContext, tx: Tx, ones: readonly number[], others: readonly number[]) {
  const people = [...new Set([...ones, ...others])]
  const children = people.length ? await filterChildren(tx, people) : []
  if (!children.length) return
  const [isOne, isOther] = [new Set(ones), new Set(others)]
  const ended = (await listUnallowed(context, tx, children, people)).filter(
    ({ child_id: child, person_id: person }) =>
      (isOne.has(child) && isOther.has(person)) || (isOther.has(child) && isOne.has(person)),
  )
  await addRequests(context, tx, ended)
  await close(context, tx, ended)
}

export async function close(context: AppContext, tx: Tx, contacts: readonly Contact[]) {
  for (const [child, people] of groupByChild(contacts)) await endFollowsWith(context, tx, child, people)
  await announce(context, tx, contacts)
}

/** After the commit. Not to two members of whom one hides the other: the event would reveal the block. */
export async function announce(context: AppContext, tx: Tx, contacts: readonly Contact[]) {
  const visible: Contact[] = []
  for (const [child_id, people] of groupByChild(contacts)) {
    const viewer = { me: { id: child_id, is_admin: false, is_moderator: false, needs_second_step: false } }
    const rows = await allMemberIds(tx)
      .where('id', 'in', people)
      .where(visibility.canSee(viewer, 'users.id'))
      .execute()
    visible.push(...rows.map(({ id }) => ({ child_id, person_id: id })))
  }
  tx.afterCommit(() => {
    for (const id of new Set(contacts.flatMap((contact) => [contact.child_id, contact.person_id])))
      context.realtime.recheckGuards(id)
    const told = new Set<string>()
    for (const { child_id, person_id } of visible) {
      // A contact of two children is listed twice, once for each.
      if (told.has(`${person_id} ${child_id}`)) continue
      told.add(`${child_id} ${person_id}`)
      chatBroadcasts.accessChanged(context, child_id, person_id)
      chatBroadcasts.accessChanged(context, person_id, child_id)
    }
  })
}

function groupByChild(contacts: readonly Contact[]) {
  const people = new Map<number, number[]>()
  for (const { child_id, person_id } of contacts)
    people.set(child_id, [...(people.get(child_id) ?? []), person_id])
  return people
}
