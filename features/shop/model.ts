import type { MemberContext } from '#core/context.ts'
import { currentIsoTime } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import { MAX_QUANTITY_PER_CART_ITEM } from './contract.ts'
import { readCartItems, readProduct } from './read.ts'

/**
 * Adds a quantity of a product to the cart of the current member, and returns the cart. Throws if the cart
 * would have too many of the product. The statement that adds also checks this limit, so that two concurrent
 * calls cannot exceed it.
 */
export const addToCartAndReadItems = ({ db, me }: MemberContext, product_id: number, quantity: number) =>
  transaction(db, async (tx) => {
    await readProduct({ db: tx }, product_id)
    if (quantity > MAX_QUANTITY_PER_CART_ITEM) throw createTooManyError()
    const added = await tx
      .insertInto('cart_items')
      .values({ user_id: me.id, product_id, quantity, created_at: currentIsoTime() })
      .onConflict((c) =>
        c
          .columns(['user_id', 'product_id'])
          .doUpdateSet((q) => ({ quantity: q('cart_items.quantity', '+', quantity) }))
          .where('cart_items.quantity', '<=', MAX_QUANTITY_PER_CART_ITEM - quantity),
      )
      .returning('quantity')
      .executeTakeFirst()
    if (!added) throw createTooManyError()
    return readCartItems({ db: tx, me })
  })

/**
 * Sets the quantity of a product in the cart of the current member, and returns the cart. Adds the product if
 * it is not in the cart.
 */
export const setCartQuantityAndReadItems = (
  { db, me }: MemberContext,
  product_id: number,
  quantity: number,
) =>
  transaction(db, async (tx) => {
    await readProduct({ db: tx }, product_id)
    if (quantity > MAX_QUANTITY_PER_CART_ITEM) throw createTooManyError()
    await tx
      .insertInto('cart_items')
      .values({ user_id: me.id, product_id, quantity, created_at: currentIsoTime() })
      .onConflict((c) => c.columns(['user_id', 'product_id']).doUpdateSet({ quantity }))
      .execute()
    return readCartItems({ db: tx, me })
  })

/**
 * Removes a product from the cart of the current member, and returns the cart. Does not change the cart if
 * the product is not in it.
 */
export const removeFromCartAndReadItems = ({ db, me }: MemberContext, product_id: number) =>
  transaction(db, async (tx) => {
    await readProduct({ db: tx }, product_id)
    await tx
      .deleteFrom('cart_items')
      .where('user_id', '=', me.id)
      .where('product_id', '=', product_id)
      .execute()
    return readCartItems({ db: tx, me })
  })

const createTooManyError = () =>
  createInvalidFieldError('quantity', {
    en: `You can have at most ${MAX_QUANTITY_PER_CART_ITEM} of one product in your cart.`,
    ja: `カートに入れられるのは、同じ商品につき${MAX_QUANTITY_PER_CART_ITEM}個までです。`,
  })
