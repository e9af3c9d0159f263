import { type SqlBool, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { currentIsoTime, type Db, type Tx } from '#core/database/database.ts'
import { broadcastPrivateChatAccessChangeToMember } from '#features/chat/broadcasts.ts'
import { buildPrivateChatPartnersQuery } from '#features/chat/contacts.ts'
import { filterChildAccountIds } from '#features/people/children.ts'
import { buildAllMemberIdsQuery } from '#features/people/deletion.ts'
import { buildFollowersAndFollowedQuery, endFollowsBetweenMemberAndOthers } from '#features/people/follows.ts'
import { buildVisiblePersonCondition } from '#features/people/visibility.ts'
import { buildCommonGroupCondition } from './common-groups.ts'
import { insertContactRequestsForExistingContacts } from './requests.ts'

interface Contact {
  child_id: number
  person_id: number
}

/**
 * Builds the query for the contacts of these children that only a guardian's decision can allow. The child
 * and the person have a private chat or a follow, they are in no common group, and the person is no
 * guardian of the child.
 */
const buildContactsForDecisionQuery = ({ groups }: AppContext, db: Db, children: readonly number[]) => {
  const [child, person] = [sql.ref<number>('existing.child_id'), sql.ref<number>('existing.person_id')]
  return sql<Contact>`select ${child}, ${person} from (
      select p.member_id as child_id, p.user_id as person_id
        from (${buildPrivateChatPartnersQuery(children)}) p
      union select f.member_id, f.user_id from (${buildFollowersAndFollowedQuery(children)}) f) existing
    where ${person} in (${buildAllMemberIdsQuery(db)})
      and not exists (select 1 from guardians g where g.child_id = ${child} and g.guardian_id = ${person})
      and not ${buildCommonGroupCondition(groups, child, person)}`
}

/**
 * Stores existing contacts of an account as allowed when it becomes a child's, so that existing private chats
 * and follows continue. The guardians see these contacts in their list, and can refuse each. Decisions from
 * an earlier mark of the account apply again: contacts that were not allowed then are ended.
 */
export async function allowExistingContactsOfChild(context: AppContext, tx: Tx, child: number) {
  await tx.updateTable('child_contacts').set({ unmarked_at: null }).where('child_id', '=', child).execute()
  await tx
    .insertInto('child_contacts')
    .columns(['child_id', 'person_id', 'state', 'asked_at'])
    .expression(
      sql<{ child_id: number; person_id: number; state: 'allowed'; asked_at: string }>`
        select found.child_id, found.person_id, 'allowed', ${currentIsoTime()}
        from (${buildContactsForDecisionQuery(context, tx, [child])}) found where true`,
    )
    .onConflict((c) => c.doNothing())
    .execute()
  await endFollowsAndAnnounceClosedChats(context, tx, await listContactsWithoutReason(context, tx, [child]))
}

/**
 * Deletes the rows in `child_contacts` of the child's guardians, because contact with a guardian needs no
 * decision.
 */
export const deleteContactRowsAboutGuardiansOfChild = (tx: Tx, child: number) =>
  tx
    .deleteFrom('child_contacts')
    .where('child_id', '=', child)
    .where('person_id', 'in', (q) =>
      q.selectFrom('guardians').select('guardian_id').where('guardians.child_id', '=', child),
    )
    .execute()

/**
 * Lists the contacts of these children that neither a common group nor a guardian allows: only those with
 * `people`, or those with everybody if `people` is null.
 */
async function listContactsWithoutReason(
  context: AppContext,
  tx: Tx,
  children: readonly number[],
  people: readonly number[] | null = null,
) {
  const isWanted = people ? sql<SqlBool>`found.person_id in (${sql.join(people)})` : sql<SqlBool>`true`
  const { rows } = await sql<Contact>`
    select found.child_id, found.person_id
    from (${buildContactsForDecisionQuery(context, tx, children)}) found
    where ${isWanted} and not exists (select 1 from child_contacts k where k.child_id = found.child_id
      and k.person_id = found.person_id and k.state = 'allowed')
    order by found.child_id, found.person_id`.execute(tx)
  return rows
}

/**
 * Pauses the contacts between the members `ones` and the members `others` that nothing allows any more,
 * because their last common group has ended, or a guardian was removed. Existing private chats and follows
 * become requests: the follows end, and the chat waits for a decision of a guardian. The caller has locked
 * the children.
 */
export async function pauseNoLongerAllowedContactsOfChildren(
  context: AppContext,
  tx: Tx,
  ones: readonly number[],
  others: readonly number[],
) {
  const people = [...new Set([...ones, ...others])]
  const children = people.length ? await filterChildAccountIds(tx, people) : []
  if (!children.length) return
  const [isOne, isOther] = [new Set(ones), new Set(others)]
  const ended = (await listContactsWithoutReason(context, tx, children, people)).filter(
    ({ child_id: child, person_id: person }) =>
      (isOne.has(child) && isOther.has(person)) || (isOther.has(child) && isOne.has(person)),
  )
  await insertContactRequestsForExistingContacts(tx, ended)
  await endFollowsAndAnnounceClosedChats(context, tx, ended)
}

/**
 * Ends the follows between the members of these contacts, and sends events so that the pages of the members
 * show their private chats as closed.
 */
export async function endFollowsAndAnnounceClosedChats(
  context: AppContext,
  tx: Tx,
  contacts: readonly Contact[],
) {
  for (const [child, people] of groupByChild(contacts))
    await endFollowsBetweenMemberAndOthers(context, tx, child, people)
  await notifyContactsOfChatAccessAfterCommit(context, tx, contacts)
}

/**
 * After the commit, checks the realtime subscriptions of these members again, and sends them the event that a
 * private chat was opened or closed. Sends no such event to two members of whom one hides the other, because
 * the event would reveal the block.
 */
export async function notifyContactsOfChatAccessAfterCommit(
  context: AppContext,
  tx: Tx,
  contacts: readonly Contact[],
) {
  const visible: Contact[] = []
  for (const [child_id, people] of groupByChild(contacts)) {
    const viewer = { me: { id: child_id, is_admin: false, is_moderator: false, needs_second_step: false } }
    const rows = await buildAllMemberIdsQuery(tx)
      .where('id', 'in', people)
      .where(buildVisiblePersonCondition(viewer, 'users.id'))
      .execute()
    visible.push(...rows.map(({ id }) => ({ child_id, person_id: id })))
  }
  tx.afterCommit(() => {
    for (const id of new Set(contacts.flatMap((contact) => [contact.child_id, contact.person_id])))
      context.realtime.recheckGuards(id)
    const told = new Set<string>()
    for (const { child_id, person_id } of visible) {
      // A contact between two children is in the list twice, once for each child, but the event is sent only
      // once.
      if (told.has(`${person_id} ${child_id}`)) continue
      told.add(`${child_id} ${person_id}`)
      broadcastPrivateChatAccessChangeToMember(context, child_id, person_id)
      broadcastPrivateChatAccessChangeToMember(context, person_id, child_id)
    }
  })
}

function groupByChild(contacts: readonly Contact[]) {
  const people = new Map<number, number[]>()
  for (const { child_id, person_id } of contacts)
    people.set(child_id, [...(people.get(child_id) ?? []), person_id])
  return people
}
