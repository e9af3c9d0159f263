import type { MemberContext } from '#core/context.ts'
import { now } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError } from '#core/http/errors.ts'
import { MOST_OF_ONE } from './contract.ts'
import { cart, product } from './read.ts'

/**
 * Adds to the quantity in the cart, and returns the cart. The same statement checks the limit, so that two
 * calls at once keep it.
 */
export const add = ({ db, me }: MemberContext, product_id: number, quantity: number) =>
  transaction(db, async (tx) => {
    await product({ db: tx }, product_id)
    if (quantity > MOST_OF_ONE) throw tooMany()
    const added = await tx
      .insertInto('cart_items')
      .values({ user_id: me.id, product_id, quantity, created_at: now() })
      .onConflict((c) =>
        c
          .columns(['user_id', 'product_id'])
          .doUpdateSet((q) => ({ quantity: q('cart_items.quantity', '+', quantity) }))
          .where('cart_items.quantity', '<=', MOST_OF_ONE - quantity),
      )
      .returning('quantity')
      .executeTakeFirst()
    if (!added) throw tooMany()
    return cart({ db: tx, me })
  })

/** Sets the quantity in the cart, and returns the cart. */
export const change = ({ db, me }: MemberContext, product_id: number, quantity: number) =>
  transaction(db, async (tx) => {
    await product({ db: tx }, product_id)
    if (quantity > MOST_OF_ONE) throw tooMany()
    await tx
      .insertInto('cart_items')
      .values({ user_id: me.id, product_id, quantity, created_at: now() })
      .onConflict((c) => c.columns(['user_id', 'product_id']).doUpdateSet({ quantity }))
      .execute()
    return cart({ db: tx, me })
  })

/** Takes a product out of the cart, and returns the cart. Harmless when it is not in it. */
export const remove = ({ db, me }: MemberContext, product_id: number) =>
  transaction(db, async (tx) => {
    await product({ db: tx }, product_id)
    await tx
      .deleteFrom('cart_items')
      .where('user_id', '=', me.id)
      .where('product_id', '=', product_id)
      .execute()
    return cart({ db: tx, me })
  })

const tooMany = () =>
  fieldError('quantity', {
    en: `A cart holds at most ${MOST_OF_ONE} of one product.`,
    ja: `カートに入れられるのは、同じ商品につき${MOST_OF_ONE}個までです。`,
  })
