import { type SqlBool, sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import type { Sentence } from '#core/contract.ts'
import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { type Act, ContactNotAllowed, type ContactRules } from '#core/feature/contacts.ts'
import { HttpError, WaitingError } from '#core/http/errors.ts'
import { lockMembers } from '#features/people/blocks.ts'
import { childAccounts, childrenToday } from '#features/people/children.ts'
import * as answers from './answers.ts'
import { apart, deliver } from './attempts.ts'
import { addRequest } from './requests.ts'

// A child may have contact with members of its groups, with its guardians, and with people whom a guardian
// has allowed, not with those refused. For two children, the guardians of both have to allow it.

type RulesContext = Pick<AppContext, 'groups'>

/**
 * Children of the two whose guardians would have to allow it; none: it is allowed. A refusal counts
 * more than a common group, and `exceptGroup` counts not at all.
 */
async function childrenToAsk({ groups }: RulesContext, db: Db, one: number, other: number, exceptGroup = 0) {
  const { rows } = await sql<{ user_id: number; is_refused: boolean | number }>`
    select c.user_id, exists (select 1 from child_contacts k
        where k.child_id = c.user_id and k.person_id in (${one}, ${other}) and k.state = 'refused') as is_refused
    from (${childAccounts(db)}) c where c.user_id in (${one}, ${other})
      and not exists (select 1 from guardians g
        where g.child_id = c.user_id and g.guardian_id in (${one}, ${other}))
      and not exists (select 1 from child_contacts k
        where k.child_id = c.user_id and k.person_id in (${one}, ${other}) and k.state = 'allowed')
    order by c.user_id`.execute(db)
  if (!rows.length) return []
  const shared = await sql`select 1 from (${groups.groupsOf(one)}) a
    join (${groups.groupsOf(other)}) b on b.id = a.id where a.id <> ${exceptGroup} and not a.has_ended
    limit 1`.execute(db)
  const asked = shared.rows.length ? rows.filter(({ is_refused }) => is_refused) : rows
  return asked.map(({ user_id }) => user_id)
}

/** See `ContactRules`. Queries only pairs with a child, because most groups have none. */
async function allowedOutside(
  context: RulesContext,
  tx: Tx,
  group: number,
  person: number,
  members: readonly number[],
) {
  const all = [person, ...members]
  await lockMembers(tx, all)
  const rows = await childAccounts(tx).where('user_id', 'in', all).execute()
  const children = new Set(rows.map(({ user_id }) => user_id))
  for (const member of members)
    if (children.has(person) || children.has(member))
      if ((await childrenToAsk(context, tx, person, member, group)).length) return false
  return true
}

export const mayHaveContact = async (context: RulesContext, db: Db, one: number, other: number) =>
  (await childrenToAsk(context, db, one, other)).length === 0

const messages = {
  // For the person who asks. The same before and after a refusal, and without the word “child”: the person
  // learns only that the contact has to wait.
  waiting: {
    en: 'New contacts with this person need an OK from somebody who looks after the account, and there is none for you yet. Please try again later.',
    ja: 'この人とは、まだやり取りを始められません（承認が必要です）。しばらくしてから、もう一度お試しください。',
  },
  asked: {
    en: 'Your guardians decide about new contacts outside your groups. They can see now that you asked. Please wait for their answer.',
    ja: '保護者に承認をお願いしました。返事を待ってください。グループの外の人とのやり取りには、保護者の承認が必要です。',
  },
  listed: {
    en: 'Your guardians decide about new contacts outside your groups. This one is in their list already. Please wait for their answer.',
    ja: 'この相手は、もう保護者の承認待ちです。返事を待ってください。',
  },
  refused: {
    en: 'Your guardians have not allowed this contact. You can talk to them about it.',
    ja: 'この人とのやり取りは、保護者に認められていません。保護者に相談してみてください。',
  },
  nobody: {
    en: 'A guardian has to allow new contacts outside your groups, and you have none at the moment. Please ask an admin.',
    ja: 'グループの外の人とのやり取りには保護者の承認が必要ですが、今は保護者が登録されていません。管理者に相談してください。',
  },
} satisfies Record<string, Sentence>

async function requestContact(context: AppContext, db: Db, act: Act, count: (tx: Tx) => Promise<unknown>) {
  const { from: me, to: other } = act
  return transaction(db, async (tx) => {
    await count(tx)
    await lockMembers(tx, [me, other])
    await deliver(tx, act)
    let own: keyof typeof messages | null = null
    for (const child of await childrenToAsk(context, tx, me, other)) {
      const person = child === me ? other : me
      const { state, asked_by, hasGuardian } = await addRequest(context, tx, {
        child,
        person,
        asked_by: me,
      })
      if (child !== me) continue
      if (state === 'refused') own = 'refused'
      else if (!hasGuardian) own = 'nobody'
      else own = asked_by === me ? 'asked' : 'listed'
    }
    await answers.remember(tx, { child: me, person: other, kind: act.kind })
    const message = messages[own ?? 'waiting']
    return own === 'refused' || own === 'nobody' ? new HttpError(403, message) : new WaitingError(message)
  })
}

/** A child hears of a refusal. Others do not: for them the contact still waits, as when they ask again. */
const asked = (member: number) =>
  sql<{ id: number }>`select person_id as id from child_contacts where child_id = ${member}
      and state = 'requested' and child_wants is not null and child_id in (${childrenToday()})
    union select child_id from child_contacts where person_id = ${member}
      and state <> 'allowed' and asked_by = ${member} and child_id in (${childrenToday()})`

const isGuardian = (member: number) =>
  sql<SqlBool>`exists (select 1 from guardians where guardian_id = ${member}
    and child_id in (${childrenToday()}))`

/** A child, or a notice, that the guardian has not seen. Requests have notifications. */
const hasNews = (member: number) =>
  sql<SqlBool>`exists (select 1 from guardians g where g.guardian_id = ${member}
    and g.child_id in (${childrenToday()})
    and (g.seen_at is null or exists (select 1 from child_notices n
      where n.child_id = g.child_id and n.created_at > g.seen_at)))`

/** `context` can be called only after the server has created all services. */
export const createRules = (context: () => AppContext): ContactRules => ({
  areContactsAllowedOutsideGroup: (tx, group, person, members) =>
    allowedOutside(context(), tx, group, person, members),
  isContactAllowed: (db, one, other) => mayHaveContact(context(), db, one, other),
  requireContact: async (tx, one, other) => {
    // Until the commit: a guardian's decision, a new mark or the end of a membership waits, or is visible
    // here.
    await lockMembers(tx, [one, other])
    if (!(await mayHaveContact(context(), tx, one, other))) throw new ContactNotAllowed(other)
  },
  requestContact: (db, act, count) => requestContact(context(), db, act, count),
  apart,
  asked,
  isGuardian,
  hasNews,
  deliver,
})
