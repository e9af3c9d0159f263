import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import type { OpenedDatabase, Tx } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { openConnections } from '#tests/databases.ts'
import { databases, readRows } from '#tests/harness.ts'
import { beforeCommit } from './before-commit.ts'

describe.each(databases)('work before a commit on %s', (dialect) => {
  async function opened(run: (tx: Tx) => Promise<unknown>) {
    const [{ db }] = (await openConnections(dialect, 1)) as [OpenedDatabase]
    for (const name of ['things', 'others', 'notes'])
      await transaction(db, (tx) => sql`create table ${sql.table(name)} (name text)`.execute(tx))
    const spy = vi.fn(run)
    beforeCommit(db, { concerns: (text) => text.includes('things'), run: spy })
    const add = (table: string, name: string) =>
      transaction(db, (tx) => sql`insert into ${sql.table(table)} values (${name})`.execute(tx))
    const names = async (table: string) => (await readRows(db, table)).map(({ name }) => name).sort()
    return { db, spy, add, names }
  }
  const note = (tx: Tx) => sql`insert into notes select 'noted ' || name from things`.execute(tx)

  test('sees what the transaction has changed, and is committed with it', async () => {
    const { spy, add, names } = await opened(note)
    await add('others', 'a')
    expect(spy).not.toHaveBeenCalled()
    await add('things', 'a')
    expect(await names('notes')).toEqual(['noted a'])
  })

  test('does not run for a transaction that fails', async () => {
    const { db, add, names } = await opened(note)
    const failing = transaction(db, async (tx) => {
      await sql`insert into things values ('a')`.execute(tx)
      throw new Error('undo')
    })
    await expect(failing).rejects.toThrow('undo')
    await add('others', 'b')
    expect([await names('things'), await names('notes')]).toEqual([[], []])
  })
})

test('on SQLite, it runs once for a commit, and its failure undoes nothing else', async () => {
  const [{ db }] = (await openConnections('sqlite', 1)) as [OpenedDatabase]
  await transaction(db, (tx) => sql`create table things (name text)`.execute(tx))
  const run = vi.fn(async (tx: Tx) => {
    await sql`delete from things`.execute(tx)
    throw new Error('broken')
  })
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  beforeCommit(db, { concerns: (text) => text.includes('things'), run })
  await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      transaction(db, (tx) => sql`insert into things values (${name})`.execute(tx)),
    ),
  )
  expect(await readRows(db, 'things')).toHaveLength(3)
  expect([run, errors].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
  errors.mockRestore()
})
