import type { Handlers } from '#core/http/endpoints.ts'
import type { shopEndpoints } from './contract.ts'
import * as model from './model.ts'
import * as read from './read.ts'

const messages = { added: { en: 'Added to the cart.', ja: '追加しました' } }

export const shopHandlers: Handlers<typeof shopEndpoints> = {
  product: async (context) => ({ product: await read.product(context, context.input.id) }),
  cart: async (context) => ({ cart: await read.cartItems(context) }),
  change: async (context) => {
    const { productId, quantity } = context.input
    return { cart: await model.setQuantity(context, productId, quantity) }
  },
  remove: async (context) => ({
    cart: await model.remove(context, context.input.productId),
  }),
  add: async (context) => {
    const { productId, quantity } = context.input
    const cart = await model.add(context, productId, quantity)
    return { message: messages.added[context.lang], cart }
  },
}
