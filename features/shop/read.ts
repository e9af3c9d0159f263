import { HttpError } from '#core/http/errors.ts'
import type { MemberViewer, ViewerContext } from '#features/people/visibility.ts'
import type { CartItem, Product } from './contract.ts'

export async function product({ db }: Pick<ViewerContext, 'db'>, id: number): Promise<Product> {
  const row = await db.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw createNoSuchProductError()
  const { alt_en, alt_ja, about_en, about_ja, ...rest } = row
  return { ...rest, alt: { en: alt_en, ja: alt_ja }, about: { en: about_en, ja: about_ja } }
}

const createNoSuchProductError = () =>
  new HttpError(404, { en: 'There is no such product.', ja: 'その商品は見つかりません。' })

/** Ordered by the time of adding. No pages, because the list is at most as long as the catalogue. */
export const cartItems = ({ db, me }: Pick<MemberViewer, 'db' | 'me'>): Promise<CartItem[]> =>
  db
    .selectFrom('cart_items as c')
    .innerJoin('products as p', 'p.id', 'c.product_id')
    .select(['p.id', 'p.name', 'p.price', 'c.quantity', 'p.picture'])
    .where('c.user_id', '=', me.id)
    .orderBy('c.created_at')
    .orderBy('p.id')
    .execute()
