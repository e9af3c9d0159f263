import type { Lang } from '#core/contract.ts'
import { texts } from '#web/i18n.ts'

/** Sentences that are the same in both languages; `QuotedText` shows the other one beneath. */
export const fixed = {
  added: { children: '追加しました', lang: 'ja', also: 'Added to the cart.' },
  notAdded: { children: '失敗しました', lang: 'ja', also: 'It was not added to the cart.' },
} as const

const formats: Record<Lang, Intl.NumberFormat> = {
  en: new Intl.NumberFormat('en', { style: 'currency', currency: 'JPY' }),
  ja: new Intl.NumberFormat('ja', { style: 'currency', currency: 'JPY' }),
}
export const yen = (amount: number, lang: Lang) => formats[lang].format(amount)

export const shopText = texts({
  en: {
    product: 'Product',
    taxIncluded: 'including tax',
    quantity: 'Quantity',
    oneFewer: 'One fewer',
    oneMore: 'One more',
    add: 'Add to cart',
    toCart: 'See your cart',
    noProduct: 'There is no such product.',
    noProductHelp: 'It may no longer be sold, or the address is mistyped.',
    home: 'Back to Home',
    cart: 'Cart',
    quantityOf: (product: string) => `Quantity of ${product}`,
    remove: (product: string) => `Remove ${product} from the cart`,
    total: 'Total',
    empty: 'Your cart is empty.',
    look: 'Look at what there is',
  },
  ja: {
    product: '商品',
    taxIncluded: '税込',
    quantity: '数量',
    oneFewer: '1つ減らす',
    oneMore: '1つ増やす',
    add: 'カートに入れる',
    toCart: 'カートを見る',
    noProduct: 'この商品は見つかりません。',
    noProductHelp: '販売が終了したか、アドレスが間違っている可能性があります。',
    home: 'ホームへ戻る',
    cart: 'カート',
    quantityOf: (product: string) => `${product}の数量`,
    remove: (product: string) => `${product}をカートから出す`,
    total: '合計',
    empty: 'カートは空です。',
    look: '商品を見る',
  },
})
