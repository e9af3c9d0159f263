import type { PageDefinition } from '#core/contract.ts'

export const pageDefinitions = [
  {
    path: '/products/:id',
    view: 'shop/ProductPage',
    title: { en: 'Product', ja: '商品' },
  },
  {
    path: '/cart',
    view: 'shop/CartPage',
    title: { en: 'Cart', ja: 'カート' },
  },
] as const satisfies readonly PageDefinition[]
