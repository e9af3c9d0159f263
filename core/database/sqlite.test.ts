import { stat } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { CacheDependency, Db, OpenedDatabase } from '#core/database/database.ts'
import { transaction } from '#core/database/transaction.ts'
import { openConnections } from '#tests/databases.ts'
import { readRows } from '#tests/harness.ts'

const schema = [
  'create table parents (id integer primary key, name text unique, revision integer not null default 0)',
  'create table children (id integer primary key, parent_id integer references parents (id) on delete cascade)',
  'create table grandchildren (child_id integer references children (id) on delete cascade)',
  'create table notes (id integer primary key, parent_id integer references parents (id) on delete set null)',
  'create table strangers (id integer primary key)',
  'create table log (name text)',
  'create trigger logged after update of name on parents begin insert into log (name) values (new.name); end',
]
const tables = ['parents', 'children', 'grandchildren', 'notes', 'strangers', 'log']
const kinds = ['', 'insert into ', 'update ', 'delete from ']
const dependencies = kinds.flatMap((kind) => tables.map((table) => kind + table)) as CacheDependency[]

const write = (db: Db, ...statements: string[]) =>
  transaction(db, async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })

describe('the changes that SQLite counts', () => {
  /**
   * Runs `work` in a test, and returns the dependencies (tables and kinds of changes) whose change count has
   * grown.
   */
  async function counted({ db, changeCount }: OpenedDatabase, work: (db: Db) => Promise<unknown>) {
    const before = dependencies.map((dependency) => changeCount!([dependency]))
    await work(db)
    return dependencies.filter((dependency, at) => changeCount!([dependency]) > before[at]!)
  }
  /**
   * Returns the expected changes with their tables, because each change counts for its kind and for its
   * table.
   */
  const withTables = (...expected: string[]) =>
    [...new Set(expected.flatMap((kind) => [kind, kind.split(' ').at(-1)!]))].sort()

  const cascade = ['delete from children', 'delete from grandchildren', 'update notes']
  test.each([
    ['insert into strangers default values', ['insert into strangers']],
    ['INSERT INTO STRANGERS DEFAULT VALUES', ['insert into strangers']],
    ['insert or ignore into "strangers" (id) values (1)', ['insert into strangers']],
    ['with n (i) as (select 7) insert into strangers select i from n', ['insert into strangers']],
    ['with n (i) as (select 7) delete from strangers where id in n', ['delete from strangers']],
    [
      'insert into strangers (id) values (1) on conflict do update set id = 2',
      ['insert into strangers', 'update strangers'],
    ],
    ['replace into strangers (id) values (1)', ['insert into strangers', 'delete from strangers']],
    ['update or replace strangers set id = 1', ['update strangers', 'delete from strangers']],
    [
      'INSERT OR REPLACE INTO parents (id) VALUES (1)',
      // `or replace` also applies to the foreign key action that updates `notes`, so this may delete rows of
      // `notes` too.
      ['insert into parents', 'delete from parents', ...cascade, 'delete from notes'],
    ],
    ['delete from parents where id = 1', ['delete from parents', ...cascade]],
    ['delete from children', ['delete from children', 'delete from grandchildren']],
    ['update parents set revision = revision + 1', ['update parents']],
    ["update parents set name = 'x' where id = 0", ['update parents', 'insert into log']],
    ["select 'insert into strangers' from parents", []],
  ])('%s', async (statement, expected) => {
    const [database] = (await openConnections('sqlite')) as [OpenedDatabase]
    await write(database.db, ...schema)
    const found = await counted(database, (db) => write(db, statement))
    expect([...found].sort()).toEqual(withTables(...expected))
  })

  test('are counted as soon as the statement runs, and every time it runs', async () => {
    const [database] = (await openConnections('sqlite')) as [OpenedDatabase]
    await write(database.db, ...schema)
    const number = () => database.changeCount!(['strangers' as CacheDependency])
    const numbers = [number()]
    await transaction(database.db, async (tx) => {
      for (let n = 0; n < 2; n++) {
        await sql`insert into strangers default values`.execute(tx)
        numbers.push(number())
      }
    })
    expect(numbers.map((one) => one - numbers[0]!)).toEqual([0, 1, 2])
  })

  test('include those of a trigger that was created after the statement was prepared', async () => {
    const [database] = (await openConnections('sqlite')) as [OpenedDatabase]
    const insert = 'insert into strangers default values'
    await write(database.db, ...schema, insert)
    await write(database.db, 'create trigger later after insert on strangers begin delete from children; end')
    const found = await counted(database, (db) => write(db, insert))
    expect(found).toEqual(expect.arrayContaining(['delete from children', 'delete from grandchildren']))
  })

  test('include what another process has changed', async () => {
    const [one, other] = (await openConnections('sqlite', 2)) as [OpenedDatabase, OpenedDatabase]
    await write(one.db, ...schema)
    const found = await counted(one, async () => {
      await write(other.db, 'insert into strangers default values')
      await new Promise(setImmediate)
    })
    expect(found).toEqual(dependencies)
  })

  test('include the changes of another process right after a read in setImmediate', async () => {
    const [database] = (await openConnections('sqlite')) as [OpenedDatabase]
    await write(database.db, ...schema)
    const { rows } = await sql<{ file: string }>`pragma database_list`.execute(database.db)
    const { file } = rows[0]!
    const number = () => database.changeCount!(['strangers' as CacheDependency])
    await new Promise(setImmediate)
    const before = number()
    const other = new DatabaseSync(file)
    other.exec('insert into strangers default values')
    other.close()
    const polled = stat(file)
    // Keeps the event loop busy for 50 ms, so that the answer of `stat` is handled before the next
    // setImmediate.
    for (const end = performance.now() + 50; performance.now() < end; );
    await polled
    expect(number()).toBeGreaterThan(before)
  })
})

describe('a statement that writes outside of a transaction', () => {
  test.each([
    'insert into strangers default values',
    'with n (i) as (select 7) insert into strangers select i from n',
    'insert into strangers default values returning id',
    'create table more (id integer)',
    'drop table strangers',
  ])('throws on SQLite: %s', async (statement) => {
    const [{ db }] = (await openConnections('sqlite')) as [OpenedDatabase]
    await write(db, ...schema)
    await expect(sql.raw(statement).execute(db)).rejects.toThrow('writes outside of a transaction')
    expect(await readRows(db, 'strangers')).toEqual([])
  })
})

test('the columns of `select *` follow the table on SQLite', async () => {
  const [{ db }] = (await openConnections('sqlite')) as [OpenedDatabase]
  await write(db, 'create table boats (id integer)', 'insert into boats (id) values (1)')
  expect(await readRows(db, 'boats')).toEqual([{ id: 1 }])
  await write(db, "alter table boats add name text default 'Sora'", 'alter table boats rename id to number')
  expect(await readRows(db, 'boats')).toEqual([{ number: 1, name: 'Sora' }])
})
