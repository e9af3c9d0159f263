import type { Handlers } from '#core/http/endpoints.ts'
import type { shop } from './contract.ts'
import * as model from './model.ts'

const added = { en: 'Added to the cart.', ja: '追加しました' }

export const routes: Handlers<typeof shop> = {
  product: async ({ db, input }) => ({ product: await model.product(db, input.id) }),
  add: async ({ db, me, input, lang }) => ({
    message: added[lang],
    cart: await model.add(db, me.id, input.productId, input.quantity),
  }),
  cart: async ({ db, me }) => ({ cart: await model.cart(db, me.id) }),
}
