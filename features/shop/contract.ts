import { endpoints } from '#core/contract.ts'
import type { shopSchemas } from './schemas.ts'

export type { CartItem, Product } from './schemas.ts'

export const MAX_QUANTITY = 999

export const shopEndpoints = endpoints<typeof shopSchemas>({
  product: 'GET /api/products/:id',
  add: 'POST /api/cart/add/:productId',
  change: 'PUT /api/cart/:productId',
  remove: 'DELETE /api/cart/:productId',
  cart: 'GET /api/cart',
})
