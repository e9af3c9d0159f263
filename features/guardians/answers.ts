import { type AppContext, withoutRoles } from '#core/context.ts'
import type { Tx } from '#core/database/database.ts'
import * as notifier from '#features/notifications/model.ts'
import { filterChildren } from '#features/people/children.ts'
import { addFollow } from '#features/people/follows.ts'
import * as visibility from '#features/people/visibility.ts'

// A child that asked for a contact hears of the answer when everybody who has to decide has allowed it.

interface Asked {
  child: number
  person: number
  kind: string
}

/** Does nothing without a row of the two. Somebody who was refused already waits for nothing. */
export const remember = (tx: Tx, { child, person, kind }: Asked) =>
  tx
    .updateTable('child_contacts')
    .set(kind === 'follow' ? { child_wants: 'follow' } : { child_wants: 'contact' })
    .where('child_id', '=', child)
    .where('person_id', '=', person)
    .where('state', '!=', 'refused')
    // A message afterwards does not take the follow back.
    .$if(kind !== 'follow', (query) => query.where('child_wants', 'is', null))
    .execute()

/** A guardian who allows it much later does not follow for the child. */
export const forgetFollow = (tx: Tx, child: number, person: number) =>
  tx
    .updateTable('child_contacts')
    .set({ child_wants: 'contact' })
    .where('child_id', '=', child)
    .where('person_id', '=', person)
    .where('child_wants', '=', 'follow')
    .execute()

/** The two may have contact now, and are locked. Makes the follow, and tells each of the two who asked as a child. */
export async function tell(context: AppContext, tx: Tx, one: number, other: number) {
  const children = await filterChildren(tx, [one, other])
  if (!children.length) return
  const asked = await tx
    .selectFrom('child_contacts')
    .select(['child_id', 'person_id', 'child_wants'])
    .where('child_id', 'in', children)
    .where('person_id', 'in', [one, other])
    .where('child_wants', 'is not', null)
    .orderBy('child_id')
    .execute()
  for (const { child_id: child, person_id: person, child_wants } of asked) {
    await tx
      .updateTable('child_contacts')
      .set({ child_wants: null })
      .where('child_id', '=', child)
      .where('person_id', '=', person)
      .execute()
    const asChild = { ...withoutRoles(context, child), db: tx }
    if (child_wants === 'follow' && !(await isAnySuspended(tx, [child, person])))
      await addFollow(asChild, tx, person)
    await notifier.add(context, tx, { user: child, kind: 'contact_allowed', subject: ALL, actor: person })
  }
}

/** Each child has one notification of the kind, which names all. */
const ALL = 0

async function isAnySuspended(tx: Tx, members: readonly number[]) {
  for (const member of members) if (await visibility.isSuspended(tx, member)) return true
  return false
}
