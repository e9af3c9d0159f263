import type { MemberContext } from '#core/context.ts'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError, httpErrors } from '#core/http/errors.ts'
import * as notifier from '#features/notifications/model.ts'
import { lockExclusively } from '#features/people/blocks.ts'
import { requireConfirmation } from '#features/people/session-confirmation.ts'
import * as answers from './answers.ts'
import * as childContacts from './contacts.ts'
import type { ContactState } from './contract.ts'
import * as read from './read.ts'
import { getContact } from './read-contacts.ts'
import { mayHaveContact } from './rules.ts'
import * as waiting from './waiting.ts'

interface Decision {
  id: number
  person: number
  state: 'allowed' | 'refused'
  /** As the guardian saw it before the decision. */
  known_state: ContactState
}

/**
 * A refusal ends the follows of the two. 404 unless the member is a guardian and `child_contacts` has a row,
 * 423 for allowing without a recent confirmation, 409 if the other guardian has decided since `known_state`.
 */
export const decideContact = (
  context: MemberContext & { session: { token: string } },
  { id: child, person, state, known_state }: Decision,
) =>
  transaction(context.db, async (tx) => {
    const inTransaction = { ...context, db: tx }
    // Until the commit: the child's guardians do not change, and its new follows and messages wait.
    await lockExclusively(tx, [child, person])
    await read.requireGuardian(inTransaction, child)
    if (state === 'allowed') await requireConfirmation(tx, context.session.token)
    const row = await tx
      .selectFrom('child_contacts')
      .select('state')
      .where('child_id', '=', child)
      .where('person_id', '=', person)
      .executeTakeFirst()
    if (!row) throw httpErrors.notFound()
    if (row.state !== state) {
      if (row.state !== known_state) throw alreadyDecided()
      await tx
        .updateTable('child_contacts')
        .set({ state, decided_by: context.me.id, decided_at: isoNow() })
        .where('child_id', '=', child)
        .where('person_id', '=', person)
        .execute()
      await waiting.sync(context, tx, child)
      const isAllowed = await mayHaveContact(context, tx, child, person)
      const contacts = [{ child_id: child, person_id: person }]
      if (state === 'allowed') await childContacts.announce(context, tx, contacts)
      else if (!isAllowed) await childContacts.close(context, tx, contacts)
      if (state === 'refused') await answers.forgetFollow(tx, child, person)
      else if (isAllowed) await answers.tell(context, tx, child, person)
      // Past notifications about the other disappear, or are there again.
      for (const user of [child, person]) notifier.announce(context, tx, user)
    }
    return getContact(inTransaction, child, person)
  })

const alreadyDecided = () =>
  new HttpError(409, {
    en: 'There is a decision about this already. The list shows it now.',
    ja: 'すでに返事が済んでいます。一覧を新しくしました。',
  })

export const markPageSeen = ({ db, me }: MemberContext) =>
  transaction(db, (tx) =>
    tx.updateTable('guardians').set({ seen_at: isoNow() }).where('guardian_id', '=', me.id).execute(),
  )
