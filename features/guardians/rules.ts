import { sql } from 'kysely'
import { type Act, ContactNotAllowedError, type ContactRules } from '#core/contacts.ts'
import type { AppContext } from '#core/context.ts'
import type { BilingualSentence } from '#core/contract.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'
import { lockMemberRowsShared } from '#features/people/blocks.ts'
import { buildChildAccountsQuery } from '#features/people/children.ts'
import { apart, delivery } from './attempts.ts'
import { insertChildContactRequestAndMailGuardians } from './requests.ts'

// A child may have contact with members of its groups, with its guardians, and with the people whom a
// guardian has allowed, but not with those whom a guardian has refused. For two children, the guardians of
// both have to allow the contact.

type RulesContext = Pick<AppContext, 'groups'>

/**
 * Returns the ids of those of the two members who are children and whose guardians would have to allow the
 * contact. An empty array means that the contact is allowed. The group `exceptGroup` does not count as a
 * common group. A refusal counts more than a common group.
 */
async function listChildrenWithoutContact(
  { groups }: RulesContext,
  db: Db,
  one: number,
  other: number,
  exceptGroup = 0,
) {
  const { rows } = await sql<{ user_id: number; is_refused: boolean | number }>`
    select c.user_id, exists (select 1 from child_contacts k
        where k.child_id = c.user_id and k.person_id in (${one}, ${other}) and k.state = 'refused') as is_refused
    from (${buildChildAccountsQuery(db)}) c where c.user_id in (${one}, ${other})
      and not exists (select 1 from guardians g
        where g.child_id = c.user_id and g.guardian_id in (${one}, ${other}))
      and not exists (select 1 from child_contacts k
        where k.child_id = c.user_id and k.person_id in (${one}, ${other}) and k.state = 'allowed')
    order by c.user_id`.execute(db)
  if (!rows.length) return []
  const shared = await sql`select 1 from (${groups.groupsOf(one)}) a
    join (${groups.groupsOf(other)}) b on b.id = a.id where a.id <> ${exceptGroup} limit 1`.execute(db)
  const asked = shared.rows.length ? rows.filter(({ is_refused }) => is_refused) : rows
  return asked.map(({ user_id }) => user_id)
}

/**
 * Returns whether the contacts of `person` with all these members are allowed even without the group: see
 * `ContactRules`. Makes a query only for pairs in which somebody is a child, because most groups have no
 * child.
 */
async function areContactsAllowedOutsideGroup(
  context: RulesContext,
  tx: Tx,
  group: number,
  person: number,
  members: readonly number[],
) {
  const all = [person, ...members]
  await lockMemberRowsShared(tx, all)
  const rows = await buildChildAccountsQuery(tx).where('user_id', 'in', all).execute()
  const children = new Set(rows.map(({ user_id }) => user_id))
  for (const member of members)
    if (children.has(person) || children.has(member))
      if ((await listChildrenWithoutContact(context, tx, person, member, group)).length) return false
  return true
}

/** Returns whether two members may have contact now. */
export const mayMembersHaveContact = async (context: RulesContext, db: Db, one: number, other: number) =>
  (await listChildrenWithoutContact(context, db, one, other)).length === 0

const messages = {
  // The message for the person who asks for contact with a child. It is the same before and after a refusal,
  // and does not say “child”, so that the person learns only that the contact has to wait.
  waiting: {
    en: 'New contacts with this person need an OK from somebody who looks after the account, and there is none for you yet. Please try again later.',
    ja: 'この人と新しくやり取りを始めるには、アカウントを見守る人の承認が必要です。まだ承認されていません。時間をおいて、もう一度お試しください。',
  },
  asked: {
    en: 'Your guardians decide about new contacts outside your groups. They can see now that you asked. Please wait for their answer.',
    ja: 'グループの外の人との新しいやり取りは、保護者が承認します。お願いは保護者に届いています。返事を待ってください。',
  },
  listed: {
    en: 'Your guardians decide about new contacts outside your groups. This one is in their list already. Please wait for their answer.',
    ja: 'グループの外の人との新しいやり取りは、保護者が承認します。この相手は、もう承認待ちの一覧に入っています。返事を待ってください。',
  },
  refused: {
    en: 'Your guardians have not allowed this contact. You can talk to them about it.',
    ja: 'この人とのやり取りは、保護者に認められていません。保護者に相談してみてください。',
  },
  nobody: {
    en: 'A guardian has to allow new contacts outside your groups, and you have none at the moment. Please ask an admin.',
    ja: 'グループの外の人との新しいやり取りには保護者の承認が必要ですが、今は承認できる保護者がいません。管理者に相談してください。',
  },
} satisfies Record<string, BilingualSentence>

async function requestContact(context: RulesContext, db: Db, act: Act, count: (tx: Tx) => Promise<unknown>) {
  const { from: me, to: other } = act
  return transaction(db, async (tx) => {
    await count(tx)
    await lockMemberRowsShared(tx, [me, other])
    await delivery(act).attempt.execute(tx)
    let own: keyof typeof messages | null = null
    for (const child of await listChildrenWithoutContact(context, tx, me, other)) {
      const person = child === me ? other : me
      const { state, asked_by, hasGuardian } = await insertChildContactRequestAndMailGuardians(tx, {
        child,
        person,
        asked_by: me,
      })
      if (child !== me) continue
      if (state === 'refused') own = 'refused'
      else if (!hasGuardian) own = 'nobody'
      else own = asked_by === me ? 'asked' : 'listed'
    }
    return new HttpError(403, messages[own ?? 'waiting'])
  })
}

/**
 * Creates the rules for contacts of children, which other features call. The function `context` returns the
 * services; it can be called only after the server has created all of them.
 */
export const createChildContactRules = (context: () => AppContext): ContactRules => ({
  areContactsAllowedOutsideGroup: (tx, group, person, members) =>
    areContactsAllowedOutsideGroup(context(), tx, group, person, members),
  isContactAllowed: (db, one, other) => mayMembersHaveContact(context(), db, one, other),
  requireContact: async (tx, one, other) => {
    // The lock lasts until the commit. A concurrent transaction with a guardian's decision, a new mark or the
    // end of a membership either waits for this transaction, or has committed and is visible here.
    await lockMemberRowsShared(tx, [one, other])
    if (!(await mayMembersHaveContact(context(), tx, one, other))) throw new ContactNotAllowedError(other)
  },
  requestContact: (db, act, count) => requestContact(context(), db, act, count),
  apart,
  delivery,
})
