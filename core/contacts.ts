import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'

/**
 * The rules for contacts of two members: private chats and follows. A later feature decides them; earlier
 * features ask before they connect two people. At most one feature has such rules.
 */
export interface ContactRules {
  /** Whether the two members may have contact now. */
  isContactAllowed(db: Db, one: number, other: number): Promise<boolean>
  /**
   * Whether a person may have contact with all these members of a group, apart from this group. Locks all of
   * them. Whoever adds the person without being an admin asks.
   */
  areContactsAllowedOutsideGroup(
    tx: Tx,
    group: number,
    person: number,
    members: readonly number[],
  ): Promise<boolean>
  /**
   * Throws `ContactNotAllowedError` unless the two members may have contact. Locks both members, so that the
   * answer is true until the commit.
   */
  requireContact(tx: Tx, one: number, other: number): Promise<void>
  /**
   * Stores that the member `me` has asked for the contact. Returns the error for the response. `count`
   * counts the attempt for the limits of new members, because the refused transaction has not.
   */
  requestContact(db: Db, me: number, other: number, count: (tx: Tx) => Promise<unknown>): Promise<HttpError>
}

/** Without a feature that has rules: all contacts are allowed. */
export const noContactRules: ContactRules = {
  isContactAllowed: async () => true,
  areContactsAllowedOutsideGroup: async () => true,
  requireContact: async () => {},
  requestContact: async (_, _me, other) => new ContactNotAllowedError(other),
}

/**
 * Undoes a transaction that would connect the current member and `other`. `runWithContactRequest` replaces
 * it.
 */
export class ContactNotAllowedError extends HttpError {
  readonly other: number
  constructor(other: number) {
    super(403, { en: 'This contact is not allowed.', ja: 'この相手とは連絡できません。' })
    this.other = other
  }
}

/**
 * Runs a transaction that may call `requireContact` for the current member. If the contact is not
 * allowed, stores the request in a transaction of its own, because the refused one is undone.
 */
export async function runWithContactRequest<T>(
  { db, me, contacts }: { db: Db; me: { id: number }; contacts: ContactRules },
  work: (tx: Tx) => Promise<T>,
  count: (tx: Tx) => Promise<unknown> = async () => {},
) {
  try {
    return await transaction(db, work)
  } catch (error) {
    if (!(error instanceof ContactNotAllowedError)) throw error
    throw await contacts.requestContact(db, me.id, error.other, count)
  }
}
