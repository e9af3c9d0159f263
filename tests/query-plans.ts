import { CompiledQuery, sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Db } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'

/**
 * Calls `call`, which sends a request. Returns the SELECT queries that the app has run meanwhile and whose
 * text matches `tables`.
 */
export async function recordSelects(
  db: Db,
  tables: RegExp,
  call: () => Promise<{ status: number }>,
): Promise<CompiledQuery[]> {
  const spy = vi.spyOn(db.getExecutor(), 'executeQuery')
  expect((await call()).status).toBe(200)
  const queries = spy.mock.calls.map(([query]) => query)
  spy.mockRestore()
  return queries.filter((query) => tables.test(query.sql) && /^\s*(select|with)/.test(query.sql))
}

type Row = Record<string, string>
/**
 * For each kind of database, a function that returns the query plan of an SQL query, one text for each step.
 */
export const planReaders = {
  sqlite: (db: Db, query: CompiledQuery) =>
    transaction(db, async (tx) => {
      const { rows } = await tx
        .getExecutor()
        .executeQuery<Row>(CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]))
      return rows.map(({ detail }) => detail!)
    }),
  /**
   * Disables sequential scans in PostgreSQL. The planner then scans a whole table only if it has no
   * alternative, so such a scan shows a missing index.
   */
  postgres: (db: Db, query: CompiledQuery) =>
    transaction(db, async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const { rows } = await tx
        .getExecutor()
        .executeQuery<Row>(CompiledQuery.raw(`explain (costs off) ${query.sql}`, [...query.parameters]))
      return rows.map((row) => row['QUERY PLAN']!)
    }),
}

/** Returns the number of rows that PostgreSQL reads for a query, including the rows that it filters out. */
export async function countRowsRead(db: Db, query: CompiledQuery) {
  interface Node {
    'Actual Rows': number
    'Actual Loops': number
    'Rows Removed by Filter'?: number
    'Rows Removed by Index Recheck'?: number
    Plans?: Node[]
  }
  const { rows } = await db
    .getExecutor()
    .executeQuery<Record<string, [{ Plan: Node }]>>(
      CompiledQuery.raw(`explain (analyze, format json) ${query.sql}`, [...query.parameters]),
    )
  const total = (node: Node): number => {
    const { 'Actual Rows': shown, 'Actual Loops': loops } = node
    const thrown = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    return (shown + thrown) * loops + (node.Plans ?? []).reduce((sum, one) => sum + total(one), 0)
  }
  return total(rows[0]!['QUERY PLAN']![0].Plan)
}
