import type { Language } from '#core/contract.ts'
import { defineTexts } from '#web/i18n.ts'

/** Quoted in Japanese by the specification: everybody sees them so, readers of English also translated. */
export const shopSpecTexts = {
  added: { children: '追加しました', lang: 'ja', translation: 'Added to the cart.' },
  notAdded: { children: '失敗しました', lang: 'ja', translation: 'The product was not added to the cart.' },
} as const

const formats: Record<Language, Intl.NumberFormat> = {
  en: new Intl.NumberFormat('en', { style: 'currency', currency: 'JPY' }),
  ja: new Intl.NumberFormat('ja', { style: 'currency', currency: 'JPY' }),
}
export const formatYen = (amount: number, lang: Language) => formats[lang].format(amount)

export const shopText = defineTexts({
  en: {
    product: 'Product',
    taxIncluded: 'including tax',
    quantity: 'Quantity',
    oneFewer: 'One fewer',
    oneMore: 'One more',
    add: 'Add to cart',
    openCart: 'View cart',
    noProduct: 'There is no such product.',
    noProductHelp: 'It may no longer be available, or the address is wrong.',
    home: 'Back to Home',
    cart: 'Cart',
    quantityOf: (product: string) => `Quantity of ${product}`,
    remove: (product: string) => `Remove ${product} from the cart`,
    total: 'Total',
    empty: 'Your cart is empty.',
    seeProducts: 'See products',
  },
  ja: {
    product: '商品',
    taxIncluded: '税込',
    quantity: '数量',
    oneFewer: '1つ減らす',
    oneMore: '1つ増やす',
    add: 'カートに入れる',
    openCart: 'カートを見る',
    noProduct: 'この商品は見つかりません。',
    noProductHelp: '販売が終了したか、アドレスが間違っている可能性があります。',
    home: 'ホームへ戻る',
    cart: 'カート',
    quantityOf: (product: string) => `${product}の数量`,
    remove: (product: string) => `${product}をカートから外す`,
    total: '合計',
    empty: 'カートは空です。',
    seeProducts: '商品を見る',
  },
})
