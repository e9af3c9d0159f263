import * as v from 'valibot'
import {
  defineEndpoint,
  idInputSchema,
  idOrEmptyStringSchema,
  idSchema,
  noInputSchema,
} from '#core/contract.ts'

/** The maximum quantity of one product in a cart. */
export const MAX_QUANTITY_PER_CART_ITEM = 999

const LocalizedText = v.object({ en: v.string(), ja: v.string() })

/** The schema of a product of the shop. The price is in whole yen, tax included. */
export const productSchema = v.object({
  id: v.number(),
  name: v.string(),
  price: v.number(),
  picture: v.string(),
  alt: LocalizedText,
  about: LocalizedText,
})
export type Product = v.InferOutput<typeof productSchema>

const CartItem = v.object({
  id: v.number(),
  name: v.string(),
  price: v.number(),
  quantity: v.number(),
  picture: v.string(),
})
export type CartItem = v.InferOutput<typeof CartItem>
const Cart = v.object({ cart: v.array(CartItem) })

/**
 * The schema of the quantity in a request: a whole number, or a text with a whole number. An empty value
 * means 1.
 */
const quantity = v.optional(
  v.pipe(
    idOrEmptyStringSchema,
    v.transform((given) => given ?? 1),
  ),
  1,
)

export const shopEndpoints = {
  product: defineEndpoint(
    'GET /api/products/:id',
    'reader',
    idInputSchema,
    v.object({ product: productSchema }),
    {
      errorStatuses: [404],
    },
  ),
  add: defineEndpoint(
    'POST /api/cart/add/:productId',
    'member',
    v.object({ productId: idSchema, quantity }),
    v.object({ message: v.string(), ...Cart.entries }),
    { errorStatuses: [404] },
  ),
  /**
   * Sets the quantity of a product in the cart, and returns the cart. Adds the product if it is not in the
   * cart.
   */
  change: defineEndpoint(
    'PUT /api/cart/:productId',
    'member',
    v.object({ productId: idSchema, quantity: idSchema }),
    Cart,
    {
      errorStatuses: [404],
    },
  ),
  remove: defineEndpoint('DELETE /api/cart/:productId', 'member', v.object({ productId: idSchema }), Cart, {
    errorStatuses: [404],
  }),
  cart: defineEndpoint('GET /api/cart', 'member', noInputSchema, Cart, { errorStatuses: [404] }),
}
