import type { MemberContext } from '#core/context.ts'
import { currentIsoTime } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError, httpErrorFactories } from '#core/http/errors.ts'
import { announceNotificationsChangedAfterCommit } from '#features/notifications/model.ts'
import { lockMemberRowsExclusively } from '#features/people/blocks.ts'
import { requireRecentIdentityConfirmation } from '#features/people/session-confirmation.ts'
import { endFollowsAndAnnounceClosedChats, notifyContactsOfChatAccessAfterCommit } from './contacts.ts'
import type { ChildContactState } from './contract.ts'
import { requireGuardianOf } from './read.ts'
import { readContactOfChildWithoutGuardianCheck } from './read-contacts.ts'
import { mayMembersHaveContact } from './rules.ts'

interface Decision {
  id: number
  person: number
  state: 'allowed' | 'refused'
  /** The state of the contact that the guardian saw before the decision. */
  known_state: ChildContactState
}

/**
 * Allows or refuses a contact of a child. A refusal ends the follows of the two. Throws 404 unless the member
 * is a guardian of the child and `child_contacts` has a row for the two, 423 if a guardian allows without a
 * recent confirmation, and 409 if the other guardian has decided since the member saw the request.
 */
export const saveGuardianDecisionAndReturnContact = (
  context: MemberContext & { session: { token: string } },
  { id: child, person, state, known_state }: Decision,
) =>
  transaction(context.db, async (tx) => {
    const inTransaction = { ...context, db: tx }
    // The lock lasts until the commit: admins cannot change the guardians of the child, and new follows and
    // messages of the child wait.
    await lockMemberRowsExclusively(tx, [child])
    await requireGuardianOf(inTransaction, child)
    if (state === 'allowed') await requireRecentIdentityConfirmation(tx, context.session.token)
    const row = await tx
      .selectFrom('child_contacts')
      .select('state')
      .where('child_id', '=', child)
      .where('person_id', '=', person)
      .executeTakeFirst()
    if (!row) throw httpErrorFactories.notFound()
    if (row.state !== state) {
      if (row.state !== known_state) throw createAlreadyDecidedError()
      await tx
        .updateTable('child_contacts')
        .set({ state, decided_by: context.me.id, decided_at: currentIsoTime() })
        .where('child_id', '=', child)
        .where('person_id', '=', person)
        .execute()
      const isAllowed = await mayMembersHaveContact(context, tx, child, person)
      const contacts = [{ child_id: child, person_id: person }]
      if (state === 'allowed') await notifyContactsOfChatAccessAfterCommit(context, tx, contacts)
      else if (!isAllowed) await endFollowsAndAnnounceClosedChats(context, tx, contacts)
      // The notifications of the past about the other disappear, or are there again.
      for (const user of [child, person]) announceNotificationsChangedAfterCommit(context, tx, user)
    }
    return readContactOfChildWithoutGuardianCheck(inTransaction, child, person)
  })

const createAlreadyDecidedError = () =>
  new HttpError(409, {
    en: 'There is a decision about this already. The list shows it now.',
    ja: 'すでに決定済みです。一覧を更新しました。',
  })

/** Stores that the current member has seen all requests and notices on the page of guardians. */
export const markGuardianPageAsSeen = ({ db, me }: MemberContext) =>
  transaction(db, (tx) =>
    tx.updateTable('guardians').set({ seen_at: currentIsoTime() }).where('guardian_id', '=', me.id).execute(),
  )
