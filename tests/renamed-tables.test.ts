import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { allMigrations } from '#app.ts'
import * as databaseCopy from '#core/backup/database-copy.ts'
import { type Db, isPostgres, type Migrations } from '#core/database/database.ts'
import { listPending, runMigrations } from '#core/database/migrate.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'
import { openConnections, temporaryFolder } from '#tests/databases.ts'
import { databases, readRows } from '#tests/harness.ts'

/**
 * Names of migrations, at most one of each list of migrations: the first one that renames a table, or that
 * reads a table which a migration of another list renames.
 */
const RENAMES = [
  ...['backups 2', 'media 5', 'chat 4', 'chat groups 1'],
  ...['moderation 4', 'people storage 1', 'posts storage 1', 'search 1'],
]
/**
 * For each list of migrations, those before its migration in RENAMES (all if it has none there). They create
 * the tables with their old names.
 */
const earlier = allMigrations.map((list): Migrations => {
  const entries = Object.entries(list)
  const rename = entries.findIndex(([name]) => RENAMES.includes(name))
  return Object.fromEntries(rename < 0 ? entries : entries.slice(0, rename))
})
/** The names of the migrations in RENAMES, and of all migrations after them in the same list. */
const later = allMigrations.flatMap((list, index) =>
  Object.keys(list).filter((name) => !(name in earlier[index]!)),
)

/** SQL statements that insert rows into the tables with their old names. */
const oldRows = [
  `insert into users (id, name, name_key, email, email_key, password_hash, created_at, handle, name_skeleton) values
    (1, 'Ann', 'ann', 'a@x.example', 'a@x.example', 'x', 'x', 'ann', 'ann'),
    (2, 'Ben', 'ben', 'b@x.example', 'b@x.example', 'x', 'x', 'ben', 'ben'),
    (3, 'Eve', 'eve', 'e@x.example', 'e@x.example', 'x', 'x', 'eve', 'eve')`,
  `insert into conversations (id, pair, name, created_at) values (1, '1.2', null, 'x'), (2, null, 'Club', 'x')`,
  `insert into members (conversation_id, user_id, added_by, written_to_at, last_read_id, new_since, created_at) values
    (1, 1, null, 'hello', 7, null, 'x'), (1, 2, null, null, 8, null, 'x'),
    (2, 1, 1, null, 9, null, 'x'), (2, 3, 2, null, 0, 'new', 'x')`,
  `insert into group_changes (conversation_id, kind, actor_id, person_id, created_at) values (2, 'added', 1, 3, 'x')`,
  `insert into media (name, widths, width, height, placeholder, animated, bytes, created_at) values
    ('face', '96', 96, 96, '', 0, 1, 'x'), ('sea', '320', 320, 320, '', 0, 2, 'x'),
    ('cat', '320', 320, 320, '', 0, 3, 'x'), ('none', '320', 320, 320, '', 0, 4, 'x')`,
  `update users set image = 'face' where id = 1`,
  `insert into posts (id, user_id, created_at) values (1, 2, 'x')`,
  `insert into post_images (post_id, position, media) values (1, 0, 'sea')`,
  `insert into messages (id, conversation_id, user_id, body, created_at) values (1, 2, 3, '', 'x')`,
  `insert into message_images (message_id, position, media) values (1, 0, 'cat')`,
  `insert into unshown_media (name) values ('unshown')`,
  `insert into loose_media (name, widths, since, going) values ('young', '320', 'x', 0), ('old', '320,640', 'x', 1)`,
  `insert into backups (night, started_at, until_at, place) values ('2026-11-21', 'a', 'b', '/backups/one')`,
]

async function openEarlierVersion(dialect: 'sqlite' | 'postgres') {
  const [{ db } = expect.unreachable()] = await openConnections(dialect)
  await runMigrations(db, earlier)
  await transaction(db, async (tx) => {
    for (const statement of oldRows) await sql.raw(statement).execute(tx)
    if (isPostgres(tx)) await sql`alter table named_locks rename to turns`.execute(tx)
  })
  return db
}

async function expectRenamedTables(db: Db) {
  const members = await db.selectFrom('conversation_members').selectAll().orderBy('last_read_id').execute()
  expect(members).toMatchObject([
    { conversation_id: 2, user_id: 3, added_by: 2, first_received_at: null, unopened_since: 'new' },
    { conversation_id: 1, user_id: 1, added_by: null, first_received_at: 'hello', last_read_id: 7 },
    { conversation_id: 1, user_id: 2, added_by: null, first_received_at: null, last_read_id: 8 },
    { conversation_id: 2, user_id: 1, added_by: 1, first_received_at: null, unopened_since: null },
  ])
  expect(await readRows(db, 'group_changes')).toMatchObject([{ kind: 'added', actor_id: 1, user_id: 3 }])
  expect(await readRows(db, 'unreferenced_media')).toEqual([{ name: 'unshown', token: '' }])
  expect(await db.selectFrom('pending_media').selectAll().orderBy('name').execute()).toEqual([
    { name: 'old', widths: '320,640', since: 'x', is_deleting: 1 },
    { name: 'young', widths: '320', since: 'x', is_deleting: 0 },
  ])
  expect(await db.selectFrom('media').select(['name', 'owner_id']).orderBy('name').execute()).toEqual([
    { name: 'cat', owner_id: 3 },
    { name: 'face', owner_id: 1 },
    { name: 'none', owner_id: null },
    { name: 'sea', owner_id: 2 },
  ])
  expect(await readRows(db, 'backups')).toMatchObject([
    { id: 1, nightly_date: '2026-11-21', lease_expires_at: 'b', path: '/backups/one' },
  ])
}

/**
 * Returns the names of all tables and indexes of the database, except indexes and tables that the database
 * names itself.
 */
async function schemaNames(db: Db) {
  const { rows } = await (isPostgres(db)
    ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'
        union select indexname from pg_indexes
        where schemaname = 'public' and indexname !~ '_(pkey|key)\\d*$'`
    : sql<{ name: string }>`select name from sqlite_master where name not like 'sqlite_%'`
  ).execute(db)
  return rows.map(({ name }) => name).sort()
}

describe.each(databases)('the renamed tables on %s', (dialect) => {
  test('keep the rows of the version before', async () => {
    const db = await openEarlierVersion(dialect)
    expect(new Set(await runMigrations(db, allMigrations))).toEqual(new Set(later))
    await expectRenamedTables(db)
  })

  test('have the names and indexes of a new database', async () => {
    const db = await openEarlierVersion(dialect)
    await runMigrations(db, allMigrations)
    const [{ db: fresh } = expect.unreachable()] = await openConnections(dialect)
    await runMigrations(fresh, allMigrations)
    const names = await schemaNames(db)
    expect(names).toEqual(await schemaNames(fresh))
    expect(names).toContain('conversation_members_user')
    for (const old of ['members', 'members_user', 'loose_media', 'unshown_media', 'turns'])
      expect(names).not.toContain(old)
  })

  test('keep their keys and foreign keys', async () => {
    const db = await openEarlierVersion(dialect)
    await runMigrations(db, allMigrations)
    const run = (statement: string) => transaction(db, (tx) => sql.raw(statement).execute(tx))
    await expect(
      run(`insert into conversation_members (conversation_id, user_id, created_at) values (2, 3, 'x')`),
    ).rejects.toThrow(/unique/i)
    await expect(
      run(`insert into conversation_members (conversation_id, user_id, created_at) values (9, 3, 'x')`),
    ).rejects.toThrow(/foreign key/i)
    await expect(
      run(`insert into backups (nightly_date, started_at, lease_expires_at) values ('2026-11-21', 'x', 'x')`),
    ).rejects.toThrow(/unique/i)
    await run('delete from users where id = 3')
    await run('delete from conversations where id = 1')
    expect(await readRows(db, 'conversation_members')).toMatchObject([{ conversation_id: 2, user_id: 1 }])
    expect(await readRows(db, 'group_changes')).toMatchObject([{ actor_id: 1, user_id: null }])
  })

  test('are in a community that is restored from a backup of the version before', async () => {
    const earlierDb = await openEarlierVersion(dialect)
    const file = join(temporaryFolder(), 'engawa.db')
    await databaseCopy.toSqliteFile({ db: earlierDb }, allMigrations, file)
    const backup = openSqlite(file)
    const [{ db } = expect.unreachable()] = await openConnections(dialect)
    await runMigrations(db, allMigrations)
    await databaseCopy.replaceTables(backup.db, db, allMigrations, async () => {})
    await backup.close()
    expect((await listPending(db, allMigrations)).toSorted()).toEqual(later.toSorted())
    await runMigrations(db, allMigrations)
    await expectRenamedTables(db)
  })

  test('replace the old tables in a restore', async () => {
    const db = await openEarlierVersion(dialect)
    const [{ db: current } = expect.unreachable()] = await openConnections('sqlite')
    await runMigrations(current, allMigrations)
    await databaseCopy.replaceTables(current, db, allMigrations, async () => {})
    expect(await schemaNames(db)).not.toContain('members')
    expect(await runMigrations(db, allMigrations)).toEqual([])
    expect(await readRows(db, 'conversation_members')).toEqual([])
  })
})
