import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { HttpError } from '#core/http/errors.ts'

/** What `from` says or does that the app would bring to `to`. `kind` is a kind of notification. */
export interface Act {
  from: number
  to: number
  kind: string
}

/**
 * The rules for contact between two members: private chats, follows, and adding a member to a group; and the
 * rule of delivery, for all that carries the words or acts of one member to another. A feature late in
 * `featureModules` provides the rules; earlier features call them before they connect two people, or notify
 * one of the other.
 */
export interface ContactRules {
  /** Resolves to whether the two members may have contact now. */
  isContactAllowed(db: Db, one: number, other: number): Promise<boolean>
  /**
   * Resolves to whether `person` may have contact with each of `members` for another reason than that they
   * are together in `group` (otherwise a common group is a reason to allow contact). Locks the person and the
   * members. Code that adds a person to a group calls this function, unless an admin adds the person.
   */
  areContactsAllowedOutsideGroup(
    tx: Tx,
    group: number,
    person: number,
    members: readonly number[],
  ): Promise<boolean>
  /**
   * Throws `ContactNotAllowed` unless the two members may have contact. Locks both members, so that the
   * answer is true until the commit.
   */
  requireContact(tx: Tx, one: number, other: number): Promise<void>
  /**
   * Stores that `act.from` has asked for contact with `act.to`, and returns the error for the response.
   * `count` counts the attempt for the limits of new members: the transaction that was refused has counted it
   * too, but that count was undone with the transaction.
   */
  requestContact(db: Db, act: Act, count: (tx: Tx) => Promise<unknown>): Promise<HttpError>
  /**
   * Returns a query for the members between whom and `member` a refusal stands, whatever groups they share:
   * nothing that one of them says or does is brought to the other. Null if there are none.
   */
  apart(member: number): RawBuilder<{ id: number }> | null
  /** Returns a query for those with whom the member has asked for contact, and waits as far as it may know, or null. */
  asked(member: number): RawBuilder<{ id: number }> | null
  /** Whether the member looks after a child now. */
  isGuardian(member: number): RawBuilder<SqlBool>
  /** Whether something about a child is new to the member, who looks after it. */
  hasNews(member: number): RawBuilder<SqlBool>
  /**
   * Resolves to whether an act may be brought to `act.to`. Counts an act that may not, without its words, for
   * the guardians of the child.
   */
  deliver(tx: Tx, act: Act): Promise<boolean>
}

export const allowAllContactRules: ContactRules = {
  isContactAllowed: async () => true,
  areContactsAllowedOutsideGroup: async () => true,
  requireContact: async () => {},
  requestContact: async (_, { to }) => new ContactNotAllowed(to),
  apart: () => null,
  asked: () => null,
  isGuardian: () => sql<SqlBool>`1 = 0`,
  hasNews: () => sql<SqlBool>`1 = 0`,
  deliver: async () => true,
}

/**
 * The error that undoes a transaction that would connect the current member and `other`.
 * `withContact` catches it, and throws the error that `requestContact` returns instead.
 */
export class ContactNotAllowed extends HttpError {
  readonly other: number
  constructor(other: number) {
    super(403, { en: 'This contact is not allowed.', ja: 'この人とは、やり取りできません。' })
    this.other = other
  }
}

/**
 * Runs `work` in a transaction, in which `requireContact` may be called for the current member. If the
 * contact is not allowed, undoes this transaction, stores the request for the contact in another transaction,
 * and throws the error that `requestContact` returns. `kind` is the kind of notification that the other
 * member would have got.
 */
export async function withContact<T>(
  { db, me, contacts }: { db: Db; me: { id: number }; contacts: ContactRules },
  kind: string,
  work: (tx: Tx) => Promise<T>,
  count: (tx: Tx) => Promise<unknown> = async () => {},
) {
  try {
    return await transaction(db, work)
  } catch (error) {
    if (!(error instanceof ContactNotAllowed)) throw error
    throw await contacts.requestContact(db, { from: me.id, to: error.other, kind }, count)
  }
}
