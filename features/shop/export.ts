import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldOnePage } from '#core/feature/exports.ts'
import * as read from './read.ts'

const texts = {
  en: { cart: 'Cart', quantity: 'Quantity', price: 'Price' },
  ja: { cart: 'カート', quantity: '数量', price: '価格' },
} satisfies Record<Language, object>

export const shopExport: ExportSection = {
  title: { en: 'Shop', ja: 'ショップ' },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    const readRecords = async () =>
      (await read.cartItems(viewer)).map(
        ({ id, name, price, quantity }): ExportRecord => ({
          data: { product_id: id, name, price, quantity },
          heading: name,
          facts: [
            [t.quantity, String(quantity)],
            [t.price, `¥${price.toLocaleString('en')}`],
          ],
        }),
      )
    yield {
      path: 'cart',
      title: t.cart,
      layout: 'list',
      pages: () => yieldOnePage(readRecords),
    }
  },
}
