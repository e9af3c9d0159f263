import type { Page } from '#core/contract.ts'
import { type Product, shop } from './contract.ts'

export const pages: readonly Page[] = [
  {
    path: '/products/:id',
    view: 'shop/ProductPage',
    title: { en: 'Product', ja: '商品' },
    first: [shop.product],
    about: ({ product }: { product: Product }, lang) => product.about[lang],
  },
  {
    path: '/cart',
    view: 'shop/CartPage',
    title: { en: 'Cart', ja: 'カート' },
    first: [shop.cart],
  },
]
