import type { WebModule } from '#web/web-modules.ts'

export default {
  name: 'shop',
  samples: [
    { to: '/products/1', label: { en: 'Product', ja: '商品' } },
    { to: '/cart', label: { en: 'Cart', ja: 'カート' } },
  ],
} satisfies WebModule
