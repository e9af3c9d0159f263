import type { Generated } from 'kysely'
import type { Migrations } from '#core/database/database.ts'
import { initialProducts } from './initial-products.ts'

export interface ShopTables {
  products: {
    id: Generated<number>
    name: string
    /** In whole yen, tax included. */
    price: number
    /** A URL path, a file in web/public. */
    picture: string
    alt_en: string
    alt_ja: string
    about_en: string
    about_ja: string
  }
  cart_items: { user_id: number; product_id: number; quantity: number; created_at: string }
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends ShopTables {}
}

const literal = (value: string | number) =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`

export const shopMigrations: Migrations = {
  'shop 1': ({ id }) => [
    `create table products (
      id ${id}, name text not null, price integer not null, picture text not null,
      alt_en text not null, alt_ja text not null, about_en text not null, about_ja text not null)`,
    `create table cart_items (
      user_id bigint not null references users (id) on delete cascade,
      product_id bigint not null references products (id) on delete cascade,
      quantity integer not null, created_at text not null, primary key (user_id, product_id))`,
    'create index cart_items_product on cart_items (product_id)',
    ...initialProducts.map(
      ({ name, price, picture, alt, about }) =>
        `insert into products (name, price, picture, alt_en, alt_ja, about_en, about_ja)
         values (${[name, price, picture, alt.en, alt.ja, about.en, about.ja].map(literal).join(', ')})`,
    ),
  ],
}
