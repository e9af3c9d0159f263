import type { Language } from '#core/contract.ts'
import { type DataExportRecord, type DataExportSection, yieldQueryResultAsSinglePage } from '#core/exports.ts'
import { readCartItems } from './read.ts'

const texts = {
  en: { cart: 'Cart', quantity: 'Quantity', price: 'Price' },
  ja: { cart: 'カート', quantity: '数量', price: '価格' },
} satisfies Record<Language, object>

export const shopExportSection: DataExportSection = {
  title: { en: 'Shop', ja: 'ショップ' },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    const readRecords = async () =>
      (await readCartItems(viewer)).map(
        ({ id, name, price, quantity }): DataExportRecord => ({
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
      pages: () => yieldQueryResultAsSinglePage(readRecords),
    }
  },
}
