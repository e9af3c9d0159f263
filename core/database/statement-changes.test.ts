import { type Kysely, type RawBuilder, sql } from 'kysely'
import { describe, expect, inject, test } from 'vitest'
import { createCascadeFinder } from '#core/database/cascades.ts'
import type { OpenedDatabase, Tx } from '#core/database/database.ts'
import { createChangesFinder } from '#core/database/statement-changes.ts'
import { registerChangeSender, transaction } from '#core/database/transaction.ts'
import { openConnections } from '#tests/databases.ts'
import { createTestApp } from '#tests/harness.ts'

interface Birds {
  birds: { id: number; name: string }
  nests: { id: number; bird_id: number | null }
}
/** Returns the transaction as a query builder that knows the tables of these tests. */
const build = (tx: Tx) => tx as unknown as Kysely<Birds>
const run = (statement: string) => (tx: Tx) => sql.raw(statement).execute(tx)
const newBirds = ['birds', 'insert into birds']
const changedNests = ['nests', 'update nests']

async function openBirds() {
  const [database] = (await openConnections('postgres')) as [OpenedDatabase]
  const write = (work: (tx: Tx) => Promise<unknown>) => transaction(database.db, work)
  await write(async (tx) => {
    for (const statement of [
      'create table named_locks (name text primary key)',
      'create table birds (id bigint primary key, name text)',
      'create table nests (id bigint primary key, bird_id bigint references birds (id) on delete set null)',
      'create table eggs (id bigint primary key, bird_id bigint references birds (id) on delete cascade)',
      'create table shells (egg_id bigint references eggs (id) on delete cascade)',
    ])
      await run(statement)(tx)
  })
  /**
   * Runs `work` in a transaction and returns the changes that are found, without cascades, in alphabetical
   * order.
   */
  async function changesOf(work: (tx: Tx) => Promise<unknown>, canExplain = true) {
    let found: string[] = []
    const sendChanges = async (changes: ReadonlySet<string>) => void (found = [...changes].sort())
    registerChangeSender(database.db, {
      findChanges: createChangesFinder(canExplain),
      sendChanges,
    })
    await write(work)
    return found
  }
  return { database, write, changesOf }
}

describe.runIf(inject('postgres'))('the changes of statements on PostgreSQL', () => {
  test('of the query builder come from its nodes, without asking for a plan', async () => {
    const { changesOf } = await openBirds()
    const bird = { id: 1, name: 'crane' }
    const cases: [(tx: Tx) => Promise<unknown>, string[]][] = [
      [(tx) => build(tx).insertInto('birds').values(bird).execute(), newBirds],
      [
        (tx) =>
          build(tx)
            .insertInto('birds')
            .values(bird)
            .onConflict((c) => c.doNothing())
            .execute(),
        newBirds,
      ],
      [
        (tx) =>
          build(tx)
            .insertInto('birds')
            .values(bird)
            .onConflict((c) => c.column('id').doUpdateSet(bird))
            .execute(),
        ['birds', 'insert into birds', 'update birds'],
      ],
      [
        (tx) => build(tx).updateTable('birds as b').set({ name: 'update nests' }).execute(),
        ['birds', 'update birds'],
      ],
      [(tx) => build(tx).deleteFrom('nests').where('id', '=', 1).execute(), ['delete from nests', 'nests']],
      [
        (tx) =>
          build(tx)
            .with('gone', (query) => query.deleteFrom('nests').returning('id'))
            .selectFrom('gone')
            .select('id')
            .execute(),
        ['delete from nests', 'nests'],
      ],
      [(tx) => build(tx).selectFrom('birds').select('id').forUpdate().execute(), []],
    ]
    for (const [work, expected] of cases) expect(await changesOf(work, false), String(work)).toEqual(expected)
  })

  test('of raw SQL that locks rows are none, without asking for a plan', async () => {
    const { changesOf } = await openBirds()
    for (const lock of ['update', 'no key update', 'share', 'key share']) {
      const statement = sql`select id from birds ${sql.raw(`for ${lock}`)}`
      expect(await changesOf((tx) => statement.execute(tx), false), lock).toEqual([])
    }
    const other = sql`with found as (select id from birds for update) update birds set name = 'crane'`
    expect(await changesOf((tx) => other.execute(tx), false)).toEqual(['*'])
  })

  test('of raw SQL come from the plan, also of nested statements', async () => {
    const { changesOf } = await openBirds()
    const cases: [RawBuilder<unknown>, string[]][] = [
      [sql`insert into birds (id, name) values (${1}, ${'update nests'})`, newBirds],
      [
        sql`insert into birds (id) values (1) on conflict (id) do update set name = excluded.name`,
        ['birds', 'insert into birds', 'update birds'],
      ],
      [sql`insert into birds (id) values (1) on conflict do nothing`, newBirds],
      [sql`update nests n set bird_id = null from birds where birds.id = n.bird_id`, changedNests],
      [
        sql`with gone as (delete from nests where id = ${1} returning id) select * from gone`,
        ['delete from nests', 'nests'],
      ],
      [
        sql`with gone as (delete from nests returning id) insert into birds (id) select id from gone`,
        ['birds', 'delete from nests', 'insert into birds', 'nests'],
      ],
      [sql`update birds set name = '' where ${1} = 2 and false`, ['birds', 'update birds']],
      [sql`select id from birds for update`, []],
      [sql`select 'insert into birds; delete from nests'`, ['*']],
    ]
    for (const [statement, expected] of cases)
      expect(await changesOf((tx) => statement.execute(tx))).toEqual(expected)
  })

  test('of raw SQL inside a built statement come from the plan too', async () => {
    const { changesOf } = await openBirds()
    const nested = (tx: Tx) =>
      build(tx)
        .with('gone', () => sql<{ id: number }>`(delete from nests returning id)`)
        .selectFrom('gone')
        .selectAll()
        .execute()
    expect(await changesOf(nested)).toEqual(['delete from nests', 'nests'])
    expect(await changesOf(nested, false)).toEqual(['*'])
  })

  test('are unknown for changes of the schema, several statements in one text, and without plans', async () => {
    const { changesOf } = await openBirds()
    for (const text of [
      'create table fish ()',
      'truncate birds cascade',
      'delete from eggs; delete from nests',
    ])
      expect(await changesOf(run(text)), text).toEqual(['*'])
    expect(await changesOf(run('delete from eggs'), false)).toEqual(['*'])
    expect(await changesOf(run('/* a comment */ delete from eggs'))).toEqual(['*'])
  })

  test('are not sent for a transaction that only reads or is rolled back', async () => {
    const { changesOf } = await openBirds()
    expect(await changesOf(run('select * from birds'))).toEqual([])
    let sent = false
    const failing = changesOf(async (tx) => {
      await run('delete from birds')(tx)
      throw new Error('no')
    }).then(() => (sent = true))
    await expect(failing).rejects.toThrow('no')
    expect(sent).toBe(false)
  })
})

describe.runIf(inject('postgres'))('cascades on PostgreSQL', () => {
  test('include no unknown changes in the tables of the app, so that a write empties only the caches that it concerns', async () => {
    const { db } = await createTestApp({ dialect: 'postgres' })
    const { addTo, hasUnknownChanges } = await createCascadeFinder(db)
    expect(hasUnknownChanges).toBe(false)
    const changes = ['posts', 'insert into posts']
    expect([...addTo(changes)]).toEqual(changes)
  })

  test('follow foreign keys that delete or change rows', async () => {
    const { database } = await openBirds()
    const { addTo, canExplain, hasUnknownChanges } = await createCascadeFinder(database.db)
    expect([canExplain, hasUnknownChanges]).toEqual([true, false])
    expect([...addTo(['birds', 'insert into birds', 'update birds'])]).toHaveLength(3)
    expect([...addTo(['birds', 'delete from birds'])].sort()).toEqual([
      'birds',
      'delete from birds',
      'delete from eggs',
      'delete from shells',
      'eggs',
      'nests',
      'shells',
      'update nests',
    ])
  })

  test.each([
    'create rule log as on insert to birds do also insert into nests values (1)',
    `create function log() returns trigger language plpgsql as $$ begin return new; end $$;
      create trigger log after insert on birds for each row execute function log()`,
    'create table owls () inherits (birds)',
  ])('count as a change of everything after: %s', async (statement) => {
    const { database, write } = await openBirds()
    await write(run(statement))
    const { addTo } = await createCascadeFinder(database.db)
    expect([...addTo(['eggs'])]).toEqual(['eggs', '*'])
  })
})
