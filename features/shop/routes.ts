import type { EndpointHandlers } from '#core/http/endpoints.ts'
import type { shopEndpoints } from './contract.ts'
import * as model from './model.ts'
import * as read from './read.ts'

const messages = { added: { en: 'Added to the cart.', ja: '追加しました' } }

export const shopEndpointHandlers: EndpointHandlers<typeof shopEndpoints> = {
  product: async (context) => ({ product: await read.readProduct(context, context.input.id) }),
  cart: async (context) => ({ cart: await read.readCartItems(context) }),
  change: async (context) => {
    const { productId, quantity } = context.input
    return { cart: await model.setCartQuantityAndReadItems(context, productId, quantity) }
  },
  remove: async (context) => ({
    cart: await model.removeFromCartAndReadItems(context, context.input.productId),
  }),
  add: async (context) => {
    const { productId, quantity } = context.input
    const cart = await model.addToCartAndReadItems(context, productId, quantity)
    return { message: messages.added[context.lang], cart }
  },
}
