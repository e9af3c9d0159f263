import { closeSync, copyFileSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import * as databaseCopy from '#core/backup/database-copy.ts'
import { runMigrations } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { temporaryFolder } from '#tests/databases.ts'

const birds = {
  'birds 1': () => [
    'create table birds (id integer primary key, name text)',
    'create index names on birds (name)',
  ],
}
const fresh = () => join(temporaryFolder(), 'a.db')
const copyFile = (file: string, copy: string) => databaseCopy.toSqliteFile({ file }, [birds], copy)

/**
 * Makes a SQLite database with some pages of rows for a test, and leaves it open, as a running server does.
 */
async function filled(file: string) {
  const { db, close } = openSqlite(file)
  await runMigrations(db, [birds])
  await close()
  const sqlite = new DatabaseSync(file)
  sqlite.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 2000)
    insert into birds (name) select hex(randomblob(40)) from n`)
  return sqlite
}

test('a snapshot holds all committed rows while others write', async () => {
  const [file, copy] = [fresh(), fresh()]
  const db = await filled(file)
  await copyFile(file, copy)
  db.exec(`insert into birds (name) values ('after')`)
  db.close()
  const kept = new DatabaseSync(copy, { readOnly: true })
  expect(kept.prepare('select count(*) as n, max(name) as last from birds').get()).toMatchObject({
    n: 2000,
    last: expect.not.stringContaining('after'),
  })
  kept.close()
})

// The test damages one page of the file. Some of these pages hold table rows; others hold an index, which
// copying the rows does not read.
test.each([5, 6, 7, 8, 60, 70, 80])(
  'a snapshot of a database with a damaged page %i is refused',
  async (page) => {
    const [file, damaged] = [fresh(), fresh()]
    const db = await filled(file)
    db.close()
    copyFileSync(file, damaged)
    await copyFile(damaged, fresh())
    const handle = openSync(damaged, 'r+')
    writeSync(handle, Buffer.alloc(4096, 0x55), 0, 4096, 4096 * page)
    closeSync(handle)
    await expect(copyFile(damaged, fresh())).rejects.toThrow()
  },
)

test('a snapshot of a missing database is refused', async () => {
  await expect(copyFile(fresh(), fresh())).rejects.toThrow()
})
