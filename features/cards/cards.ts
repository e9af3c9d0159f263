import type { MemberContext } from '#core/context.ts'
import { hashToken } from '#core/crypto.ts'
import { currentIsoTime, type Db, hasMatchingRow, type Tx } from '#core/database/database.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'
import { createRandomBase32Code, normalizeTypedCode } from '#core/typed-codes.ts'
import { buildContinuouslyAdminSinceCondition } from '#features/people/admins.ts'

// A log-in card is a sheet of paper with a code, with which a member without a password logs in for the first
// time. The functions of this file create, check and use up log-in cards.

const DAY = 24 * 3600 * 1000
/**
 * The number of groups of four characters in the code of a log-in card. Six groups have 120 random bits, so
 * that nobody can guess a code.
 */
const CODE_GROUPS = 6

const hashCardCode = (code: string) => hashToken(normalizeTypedCode(code))

const messages = {
  used: {
    en: 'This card has been used already. Log in with your handle and your password. If you have lost them, ask an admin for a new code.',
    ja: 'このカードはすでに使われています。ハンドルとパスワードでログインしてください。忘れた場合は、管理者に新しいコードをもらってください。',
  },
  notValid: {
    en: 'This card is not valid (any more). Check the code, or ask an admin for a new card.',
    ja: 'このカードは無効です（期限が切れたか、新しいカードに替わった可能性があります）。コードを確認するか、管理者に新しいカードをもらってください。',
  },
}

const notValidError = () => createInvalidFieldError('code', messages.notValid)

/**
 * Creates a code for a log-in card. Returns the code, the values for the columns of `member_cards` that store
 * the card (made by the current admin, valid for `days` days), and the URL that the QR code of the card
 * contains.
 */
export function createLogInCardCodeLinkAndColumns(
  { me, publicSite }: Pick<MemberContext, 'me' | 'publicSite'>,
  days: number,
) {
  const code = createRandomBase32Code(CODE_GROUPS)
  const columns = {
    code_hash: hashCardCode(code),
    made_by: me.id,
    created_at: currentIsoTime(),
    expires_at: new Date(Date.now() + days * DAY).toISOString(),
  }
  return { code, link: `${publicSite.origin}/welcome#${code}`, columns }
}

/**
 * Builds the SQL condition that the admin who made the card has been an admin ever since. A card of a former
 * admin is not valid, because the former admin may have a copy of it.
 */
export const buildLogInCardMakerStillAdminCondition = () =>
  buildContinuouslyAdminSinceCondition('member_cards.made_by', 'member_cards.created_at')

/**
 * Returns the row of the log-in card with this code. Throws 422 if there is no such card, if it has expired,
 * or if the admin who made it is no longer an admin; and 422 with another message if the card has been used.
 * Codes cannot be guessed, so only somebody who has the card gets that other message.
 */
export async function requireUsableLogInCardByCode(db: Db, code: string) {
  const card = await db
    .selectFrom('member_cards')
    .select([
      'user_id',
      'group_id',
      'expires_at',
      'used_at',
      buildLogInCardMakerStillAdminCondition().as('is_maker_admin'),
    ])
    .where('code_hash', '=', hashCardCode(code))
    .executeTakeFirst()
  if (!card) throw notValidError()
  if (card.used_at !== null) throw createInvalidFieldError('code', messages.used)
  if (!card.is_maker_admin || card.expires_at <= currentIsoTime()) throw notValidError()
  return card
}

/**
 * Marks the log-in card with this code as used. Throws 422 if the card is not valid any more, for example
 * because another transaction has just used it.
 */
export async function markLogInCardWithCodeAsUsed(tx: Tx, code: string) {
  const now = currentIsoTime()
  const { numUpdatedRows } = await tx
    .updateTable('member_cards')
    .set({ used_at: now })
    .where('code_hash', '=', hashCardCode(code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where(buildLogInCardMakerStillAdminCondition())
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) throw notValidError()
}

/**
 * Returns whether a member has a log-in card and has not logged in with it yet. Such a member has no
 * password.
 */
export const hasUnusedLogInCard = (db: Db, user_id: number) =>
  hasMatchingRow(
    db
      .selectFrom('member_cards')
      .select('user_id')
      .where('user_id', '=', user_id)
      .where('used_at', 'is', null),
  )

/**
 * Creates the HTTP error 403 whose message says that the member has not logged in with the card yet, and that
 * the admin can make a new card.
 */
export const createLogInCardNotUsedYetError = () =>
  new HttpError(403, {
    en: 'This member has not come in yet. Make a new card on the page “New members”.',
    ja: 'このメンバーはまだログインしていません。「新しいメンバー」ページで新しいカードを作ってください。',
  })

/** Makes the unused log-in card of a member expire now, so that nobody can log in with it. */
export async function expireUnusedLogInCardOfMember(tx: Tx, user_id: number) {
  const now = currentIsoTime()
  await tx
    .updateTable('member_cards')
    .set({ expires_at: now })
    .where('user_id', '=', user_id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .execute()
}

/**
 * Marks the unused log-in card of a member as used, because the operator has set a password for the member.
 */
export const markLogInCardAsUsedAfterOperatorSetPassword = (tx: Tx, user_id: number) =>
  tx
    .updateTable('member_cards')
    .set({ used_at: currentIsoTime() })
    .where('user_id', '=', user_id)
    .where('used_at', 'is', null)
    .execute()
