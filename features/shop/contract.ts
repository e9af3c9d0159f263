import * as v from 'valibot'
import { ById, endpoint, id, idOrBlank, noInput } from '#core/contract.ts'

/** The largest quantity of one product in a cart. */
export const MOST_OF_ONE = 999

const Both = v.object({ en: v.string(), ja: v.string() })

/** Prices are whole yen, tax included. */
export const Product = v.object({
  id: v.number(),
  name: v.string(),
  price: v.number(),
  picture: v.string(),
  alt: Both,
  about: Both,
})
export type Product = v.InferOutput<typeof Product>

const CartItem = v.object({
  id: v.number(),
  name: v.string(),
  price: v.number(),
  quantity: v.number(),
  picture: v.string(),
})
export type CartItem = v.InferOutput<typeof CartItem>
const Cart = v.object({ cart: v.array(CartItem) })

/** A whole number is judged as an id is, numeric strings included. */
const quantity = v.optional(
  v.pipe(
    idOrBlank,
    v.transform((given) => given ?? 1),
  ),
  1,
)

export const shop = {
  product: endpoint('GET /api/products/:id', 'anyone', ById, v.object({ product: Product }), {
    refuses: [404],
  }),
  add: endpoint(
    'POST /api/cart/add/:productId',
    'member',
    v.object({ productId: id, quantity }),
    v.object({ message: v.string(), ...Cart.entries }),
    { refuses: [404] },
  ),
  /** Sets the quantity in the cart, whatever it was. */
  change: endpoint('PUT /api/cart/:productId', 'member', v.object({ productId: id, quantity: id }), Cart, {
    refuses: [404],
  }),
  remove: endpoint('DELETE /api/cart/:productId', 'member', v.object({ productId: id }), Cart, {
    refuses: [404],
  }),
  cart: endpoint('GET /api/cart', 'member', noInput, Cart),
}
