import type { MemberContext } from '#core/context.ts'
import { type Db, hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import { hashToken } from '#core/secrets/crypto.ts'
import { normalizeCode, randomCode } from '#core/secrets/typed-codes.ts'
import { adminSince } from '#features/people/admins.ts'
import { CARD_GROUPS } from '#features/registration/contract.ts'

// A log-in card is a sheet of paper with a code. With it, a member without a password logs in for the first
// time.

const DAY = 24 * 3600 * 1000
const hashCardCode = (code: string) => hashToken(normalizeCode(code))

const messages = {
  used: {
    en: 'This card has been used already. Log in with your handle and your password. If you have lost them, ask an admin for a new code.',
    ja: 'このカードは使用済みです。IDとパスワードでログインしてください。忘れた場合は、管理者に新しいコードをもらってください。',
  },
  notValid: {
    en: 'This card is not valid (any more). Check the code, or ask an admin for a new card.',
    ja: 'このカードは使えません。期限が切れたか、新しいカードに替わったのかもしれません。コードを確かめるか、管理者に新しいカードをもらってください。',
  },
}

const notValidError = () => fieldError('code', messages.notValid)

/** Returns a code of 120 random bits, the columns of `member_cards` that store it, and the URL of the QR code. */
export function createCode({ me, publicSite }: Pick<MemberContext, 'me' | 'publicSite'>, days: number) {
  const code = randomCode(CARD_GROUPS)
  const columns = {
    code_hash: hashCardCode(code),
    made_by: me.id,
    created_at: isoNow(),
    expires_at: new Date(Date.now() + days * DAY).toISOString(),
  }
  return { code, link: `${publicSite.origin}/welcome#${code}`, columns }
}

/** The maker of the card has been an admin ever since: a former admin may have a copy of it. */
export const madeByAdmin = () => adminSince('member_cards.made_by', 'member_cards.created_at')

/**
 * 422 if there is no such card, if it has expired, or if its maker is no longer an admin; 422 with another
 * message if it has been used, which only somebody who has the card can learn, because codes cannot be
 * guessed.
 */
export async function requireUsable(db: Db, code: string) {
  const card = await db
    .selectFrom('member_cards')
    .select(['user_id', 'group_id', 'made_by', 'expires_at', 'used_at', madeByAdmin().as('is_maker_admin')])
    .where('code_hash', '=', hashCardCode(code))
    .executeTakeFirst()
  if (!card) throw notValidError()
  if (card.used_at !== null) throw fieldError('code', messages.used)
  if (!card.is_maker_admin || card.expires_at <= isoNow()) throw notValidError()
  return card
}

/** 422 if the card is not valid any more, for example because another transaction has just used it. */
export async function markUsed(tx: Tx, code: string) {
  const now = isoNow()
  const { numUpdatedRows } = await tx
    .updateTable('member_cards')
    .set({ used_at: now })
    .where('code_hash', '=', hashCardCode(code))
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .where(madeByAdmin())
    .executeTakeFirstOrThrow()
  if (!numUpdatedRows) throw notValidError()
}

/** A member with an unused card has no password. */
export const hasUnused = (db: Db, user_id: number) =>
  hasMatchingRow(
    db
      .selectFrom('member_cards')
      .select('user_id')
      .where('user_id', '=', user_id)
      .where('used_at', 'is', null),
  )

/** The error is a 403. */
export const notUsedYet = () =>
  new HttpError(403, {
    en: 'This member has not come in yet. Make a new card on the page “New members”.',
    ja: 'このメンバーはまだログインしていません。「メンバーの追加」ページで新しいカードを作ってください。',
  })

export async function expire(tx: Tx, user_id: number) {
  const now = isoNow()
  await tx
    .updateTable('member_cards')
    .set({ expires_at: now })
    .where('user_id', '=', user_id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .execute()
}

/** The operator has set a password for the member. */
export const retire = (tx: Tx, user_id: number) =>
  tx
    .updateTable('member_cards')
    .set({ used_at: isoNow() })
    .where('user_id', '=', user_id)
    .where('used_at', 'is', null)
    .execute()
