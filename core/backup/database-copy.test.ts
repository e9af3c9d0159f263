import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { allMigrations as all } from '#app.ts'
import * as databaseCopy from '#core/backup/database-copy.ts'
import * as schema from '#core/backup/schema.ts'
import * as tableHashes from '#core/backup/table-hashes.ts'
import type { Migrations, OpenedDatabase } from '#core/database/database.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openSnapshot, openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'
import { type Dialect, databases, readRows } from '#tests/harness.ts'
import { createDatabase, dropDatabase } from '#tests/services.ts'

async function empty(dialect: Dialect): Promise<OpenedDatabase> {
  if (dialect === 'sqlite') {
    const database = openSqlite(join(folder(), 'engawa.db'))
    onTestFinished(database.close)
    return database
  }
  const url = await createDatabase(inject('postgres')!)
  const database = await openPostgres(url)
  onTestFinished(async () => {
    await database.close()
    await dropDatabase(url)
  })
  return database
}

function folder() {
  const path = mkdtempSync(join(tmpdir(), 'engawa-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

// Migrations with three tables for the tests. The other tables have foreign keys to `zebras`, so copying in
// alphabetical order would fail.
const birds: Migrations = {
  'birds 1': ({ id }) => [
    `create table zebras (id ${id}, name text not null unique, weight integer, seen_at text)`,
    `create table apples (name text primary key, zebra_id bigint not null references zebras (id) on delete cascade)`,
    `create table bites (zebra_id bigint references zebras (id), apple text references apples (name), primary key (zebra_id, apple))`,
    `insert into zebras (name) values ('first of all')`,
  ],
}
const nothing = async () => {}

async function filled(dialect: Dialect, count = 1203) {
  const database = await empty(dialect)
  const { db } = database
  await runMigrations(db, [birds])
  const odd = [
    '',
    ' ',
    '縁側',
    '👨‍👩‍👧‍👦',
    "'; drop table zebras --",
    '\\n"\n',
    'É',
    'é',
    'e',
    'Z',
    'a',
    '_',
    '~',
    '\u{10ffff}',
  ]
  await transaction(db, async (tx) => {
    for (let n = 0; n < count; n++) {
      const name = `${odd[n % odd.length]}${n}`
      await sql`insert into zebras (name, weight) values (${name}, ${n % 3 ? n : null})`.execute(tx)
      await sql`insert into apples (name, zebra_id) values (${name}, ${n + 2})`.execute(tx)
      await sql`insert into bites (zebra_id, apple) values (${n + 2}, ${name})`.execute(tx)
    }
    await sql`delete from bites where zebra_id > ${count - 1}`.execute(tx)
    await sql`delete from zebras where id > ${count - 1}`.execute(tx)
  })
  return database
}

describe('the tables of a schema', () => {
  test('are read from the migrations, each table after those that it refers to', async () => {
    const tables = await schema.tablesOf([birds], ['birds 1'])
    expect(tables.map(({ name }) => name).toSorted()).toEqual(['apples', 'bites', 'migrations', 'zebras'])
    const order = tables.map(({ name }) => name).filter((name) => name !== 'migrations')
    expect(order).toEqual(['zebras', 'apples', 'bites'])
  })

  // The test compares the tables that are found with those of the database, except named_locks, which has no
  // data to copy, and the search index, which is built again.
  test.each(databases)('of this program on %s are all found, with all of their columns', async (dialect) => {
    const { db } = await empty(dialect)
    await runMigrations(db, all)
    const { tables } = await schema.describe(db, all)
    const { rows } =
      dialect === 'sqlite'
        ? await sql<{ name: string; column: string }>`
            select t.name, c.name as "column" from sqlite_master t, pragma_table_info(t.name) c
            where t.type = 'table' and t.name <> 'sqlite_sequence' and t.name not like 'search\\_%' escape '\\'`.execute(
            db,
          )
        : await sql<{ name: string; column: string }>`
            select table_name as name, column_name as "column" from information_schema.columns
            where table_schema = 'public' and table_name <> 'named_locks'
              and table_name not like 'search\\_%'`.execute(db)
    const known = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`))
    expect(known.toSorted()).toEqual(rows.map(({ name, column }) => `${name}.${column}`).toSorted())
    expect(known).toContain('users.email_key')
  })

  test('without a primary key, or with circular references, are refused with the names of the tables', async () => {
    await expect(
      schema.tablesOf([{ 'x 1': () => ['create table loose (name text)'] }], ['x 1']),
    ).rejects.toThrow('loose')
    const circle: Migrations = {
      'x 1': () => [
        'create table hens (id integer primary key, egg integer references eggs (id))',
        'create table eggs (id integer primary key, hen integer references hens (id))',
      ],
    }
    await expect(schema.tablesOf([circle], ['x 1'])).rejects.toThrow(/circle: (hens, eggs|eggs, hens)/)
  })
})

const dialectPairs = databases.flatMap((from) => databases.map((to) => [from, to] as const))
describe.each(dialectPairs)('copying from %s to %s', (from, to) => {
  test('copies every row with its id, gives equal hashes, and assigns no id twice afterwards', async () => {
    const [source, target] = [await filled(from), await empty(to)]
    await runMigrations(target.db, [birds])
    const copied = await databaseCopy.replaceTables(source.db, target.db, [birds], nothing)
    expect(copied.zebras!.rows).toBe(1202)
    const { tables } = await schema.describe(target.db, [birds])
    expect(await tableHashes.ofTables(target.db, tables)).toEqual(
      await tableHashes.ofTables(source.db, tables),
    )
    for (const { name } of tables) {
      const [there, here] = [await readRows(target.db, name), await readRows(source.db, name)]
      expect(new Set(there.map((row) => JSON.stringify(row)))).toEqual(
        new Set(here.map((row) => JSON.stringify(row))),
      )
    }
    const { rows } = await transaction(target.db, (tx) =>
      sql<{ id: number }>`insert into zebras (name) values ('new') returning id`.execute(tx),
    )
    expect(rows[0]!.id, 'the ids of those that were deleted are not given again').toBe(1205)
  })

  test('drops tables of an older target that the source no longer has', async () => {
    const later: Migrations = {
      'birds 2': () => ['drop table bites', 'create table songs (name text primary key)'],
    }
    const [source, target] = [await filled(from, 20), await filled(to, 3)]
    await runMigrations(source.db, [birds, later])
    await databaseCopy.replaceTables(source.db, target.db, [birds, later], nothing)
    expect((await schema.describe(target.db, [birds, later])).migrations).toEqual(['birds 1', 'birds 2'])
    await expect(readRows(target.db, 'bites')).rejects.toThrow(/bites/)
    expect(await readRows(target.db, 'songs')).toEqual([])
  })

  test('detects a row that was changed in the copy', async () => {
    const [source, target] = [await filled(from, 20), await empty(to)]
    await databaseCopy.replaceTables(source.db, target.db, [birds], nothing)
    const { tables } = await schema.describe(source.db, [birds])
    const before = await tableHashes.ofTables(source.db, tables)
    expect(tableHashes.findDifferent(before, await tableHashes.ofTables(target.db, tables))).toBeNull()
    await transaction(target.db, (tx) => sql`update apples set zebra_id = 3 where zebra_id = 2`.execute(tx))
    expect(tableHashes.findDifferent(before, await tableHashes.ofTables(target.db, tables))).toBe('apples')
  })

  test('leaves the target unchanged when it fails', async () => {
    const [source, target] = [await filled(from, 20), await filled(to, 3)]
    const before = await readRows(target.db, 'zebras')
    await expect(
      databaseCopy.replaceTables(source.db, target.db, [birds], () =>
        Promise.reject(new Error('broken off')),
      ),
    ).rejects.toThrow('broken off')
    expect(await readRows(target.db, 'zebras')).toEqual(before)
  })
})

describe.each(databases)('a database on %s', (dialect) => {
  test('is recognised as empty, as the same community or as another community', async () => {
    const source = await filled(dialect, 20)
    const { tables } = await schema.describe(source.db, [birds])
    const wanted = await tableHashes.ofTables(source.db, tables)
    const target = await empty(dialect)
    expect(await databaseCopy.compare(target.db, [birds], wanted)).toBe('none')
    await runMigrations(target.db, [birds])
    expect(await databaseCopy.compare(target.db, [birds], wanted)).toBe('none')
    await databaseCopy.replaceTables(source.db, target.db, [birds], nothing)
    expect(await databaseCopy.compare(target.db, [birds], wanted)).toBe('same')
    await transaction(target.db, (tx) => sql`insert into zebras (name) values ('one more')`.execute(tx))
    expect(await databaseCopy.compare(target.db, [birds], wanted)).toBe('other')
  })

  test('of a newer version is refused with the name of the unknown migration', async () => {
    const source = await filled(dialect, 1)
    await expect(schema.describe(source.db, [])).rejects.toThrow('birds 1')
  })
})

describe.each(databases.filter((dialect) => dialect === 'postgres'))(
  'a copy of a %s database in a file',
  (dialect) => {
    test('holds the state of one moment although others write meanwhile', async () => {
      const { db } = await filled(dialect)
      const file = join(folder(), 'copy.db')
      const others = AsyncLocalStorage.snapshot()
      const write = async () => {
        await transaction(db, (tx) => sql`insert into zebras (name) values ('meanwhile')`.execute(tx))
        await transaction(db, (tx) => sql`delete from bites`.execute(tx))
      }
      const { tally: copied } = await databaseCopy.withSnapshot({ db }, [birds], async (tx, copyTo) => {
        await sql`select 1 from zebras limit 1`.execute(tx)
        await others(write)
        return copyTo(file)
      })
      expect(copied).toMatchObject({ zebras: { rows: 1202 }, bites: { rows: 1201 } })
      const copy = openSnapshot(file)
      onTestFinished(copy.close)
      expect((await readRows(copy.db, 'zebras')).some(({ name }) => name === 'meanwhile')).toBe(false)
    })
  },
)
