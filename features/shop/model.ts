import type { MemberContext } from '#core/context.ts'
import { isoNow } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { fieldError } from '#core/http/errors.ts'
import { MAX_QUANTITY } from './contract.ts'
import * as read from './read.ts'

/**
 * 422 if the cart would have too many. The statement checks it too, so that concurrent calls cannot exceed
 * it.
 */
export const add = ({ db, me }: MemberContext, product_id: number, quantity: number) =>
  transaction(db, async (tx) => {
    await read.product({ db: tx }, product_id)
    if (quantity > MAX_QUANTITY) throw createTooManyError()
    const added = await tx
      .insertInto('cart_items')
      .values({ user_id: me.id, product_id, quantity, created_at: isoNow() })
      .onConflict((c) =>
        c
          .columns(['user_id', 'product_id'])
          .doUpdateSet((q) => ({ quantity: q('cart_items.quantity', '+', quantity) }))
          .where('cart_items.quantity', '<=', MAX_QUANTITY - quantity),
      )
      .returning('quantity')
      .executeTakeFirst()
    if (!added) throw createTooManyError()
    return read.cartItems({ db: tx, me })
  })

/** Adds the product if it is not in the cart. */
export const setQuantity = ({ db, me }: MemberContext, product_id: number, quantity: number) =>
  transaction(db, async (tx) => {
    await read.product({ db: tx }, product_id)
    if (quantity > MAX_QUANTITY) throw createTooManyError()
    await tx
      .insertInto('cart_items')
      .values({ user_id: me.id, product_id, quantity, created_at: isoNow() })
      .onConflict((c) => c.columns(['user_id', 'product_id']).doUpdateSet({ quantity }))
      .execute()
    return read.cartItems({ db: tx, me })
  })

/** Does nothing if the product is not in the cart. */
export const remove = ({ db, me }: MemberContext, product_id: number) =>
  transaction(db, async (tx) => {
    await read.product({ db: tx }, product_id)
    await tx
      .deleteFrom('cart_items')
      .where('user_id', '=', me.id)
      .where('product_id', '=', product_id)
      .execute()
    return read.cartItems({ db: tx, me })
  })

const createTooManyError = () =>
  fieldError('quantity', {
    en: `You can have at most ${MAX_QUANTITY} of one product in your cart.`,
    ja: `カートに入れられるのは、同じ商品につき${MAX_QUANTITY}個までです。`,
  })
