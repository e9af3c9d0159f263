import type { PageDefinition } from '#core/contract.ts'
import { type Product, shopEndpoints } from './contract.ts'

export const pageDefinitions: readonly PageDefinition[] = [
  {
    path: '/products/:id',
    view: 'shop/ProductPage',
    title: { en: 'Product', ja: '商品' },
    initialData: [shopEndpoints.product],
    description: ({ product }: { product: Product }, lang) => product.about[lang],
  },
  {
    path: '/cart',
    view: 'shop/CartPage',
    title: { en: 'Cart', ja: 'カート' },
    initialData: [shopEndpoints.cart],
  },
]
