import type { ReferenceExpression, SelectQueryBuilder } from 'kysely'
import type { PageParams } from '#core/schemas.ts'
/**
 * Orders a query by the unique `column`, and limits it to one page and one row more. The extra row tells
 * `paged` that a next page exists.
 */
export const pageOf = <DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  column: ReferenceExpression<DB, TB>,
  { before, after, limit }: PageParams,
  order: 'asc' | 'desc' = 'asc',
) =>
  query
    .$if(before !== undefined, (rows) => rows.where(column, '<', before as never))
    .$if(after !== undefined, (rows) => rows.where(column, '>', after as never))
    .orderBy(column as never, order)
    .limit(limit + 1)
