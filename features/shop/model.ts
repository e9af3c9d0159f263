import { type Db, now } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import { type CartItem, MOST_OF_ONE, type Product } from './contract.ts'

export async function product(db: Db, id: number): Promise<Product> {
  const row = await db.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw noProduct()
  const { alt_en, alt_ja, about_en, about_ja, ...rest } = row
  return { ...rest, alt: { en: alt_en, ja: alt_ja }, about: { en: about_en, ja: about_ja } }
}

/** In the order in which things came into it. It is no longer than the catalogue. */
export const cart = (db: Db, me: number): Promise<CartItem[]> =>
  db
    .selectFrom('cart_items as c')
    .innerJoin('products as p', 'p.id', 'c.product_id')
    .select(['p.id', 'p.name', 'p.price', 'c.quantity', 'p.picture'])
    .where('c.user_id', '=', me)
    .orderBy('c.created_at')
    .orderBy('p.id')
    .execute()

/** Adds to what is there, and is bounded in the same statement: of two at one moment the second sees what the first made. */
export const add = (db: Db, me: number, product_id: number, quantity: number) =>
  transaction(db, async (tx) => {
    await product(tx, product_id)
    if (quantity > MOST_OF_ONE) throw tooMany()
    const added = await tx
      .insertInto('cart_items')
      .values({ user_id: me, product_id, quantity, created_at: now() })
      .onConflict((c) =>
        c
          .columns(['user_id', 'product_id'])
          .doUpdateSet((q) => ({ quantity: q('cart_items.quantity', '+', quantity) }))
          .where('cart_items.quantity', '<=', MOST_OF_ONE - quantity),
      )
      .returning('quantity')
      .executeTakeFirst()
    if (!added) throw tooMany()
    return cart(tx, me)
  })

const noProduct = () =>
  new HttpError(404, { en: 'There is no such product.', ja: 'その商品は見つかりません。' })
const tooMany = () =>
  fieldError('quantity', {
    en: `A cart holds at most ${MOST_OF_ONE} of one product.`,
    ja: `カートに入れられるのは、同じ商品につき${MOST_OF_ONE}個までです。`,
  })
