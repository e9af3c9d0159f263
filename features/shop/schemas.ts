import * as v from 'valibot'
import { endpoint, idInputSchema, idOrEmpty, idSchema, noInputSchema } from '#core/schemas.ts'

const LocalizedText = v.object({ en: v.string(), ja: v.string() })

/** The price is in whole yen, tax included. */
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

/** A whole number, or a text with one; empty means 1. */
const quantity = v.optional(
  v.pipe(
    idOrEmpty,
    v.transform((given) => given ?? 1),
  ),
  1,
)

export const shopSchemas = {
  product: endpoint('reader', idInputSchema, v.object({ product: productSchema }), {
    errorStatuses: [404],
  }),
  add: endpoint(
    'member',
    v.object({ productId: idSchema, quantity }),
    v.object({ message: v.string(), ...Cart.entries }),
    { errorStatuses: [404] },
  ),
  /** Adds the product if it is not in the cart. */
  change: endpoint('member', v.object({ productId: idSchema, quantity: idSchema }), Cart, {
    errorStatuses: [404],
  }),
  remove: endpoint('member', v.object({ productId: idSchema }), Cart, {
    errorStatuses: [404],
  }),
  cart: endpoint('member', noInputSchema, Cart, { errorStatuses: [404] }),
}
