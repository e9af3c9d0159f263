import pg from 'pg'
import { inject } from 'vitest'
import type { OpenedDatabase } from '#core/database/database.ts'
import { createPool, openPool } from '#core/database/postgres.ts'
import { createDatabase, dropDatabase } from './services.ts'

// The PostgreSQL databases that the tests of one worker use in turn. To empty one takes a fortieth of the
// time of a new copy of the template, and its connections know the tables and statements already.

export interface KeptPostgres {
  url: string
  /** Opens the database on connections that stay open when it is closed. */
  open(): OpenedDatabase
  /** Empties the database for the next test. Drops it if a test has changed its tables or holds a lock. */
  giveBack(): Promise<void>
}

const free: KeptPostgres[] = []

/** Returns a database with all tables, and with no rows but those of the migrations. */
export const takePostgres = async () => free.pop() ?? (await create())

/** Nothing removes the deleted rows from the files of a database, so it is not used for ever. */
const MAX_USES = 100

async function create(): Promise<KeptPostgres> {
  const url = await createDatabase(inject('postgres')!, {
    template: inject('templateDatabases').postgres!,
  })
  const keeper = new pg.Client({ connectionString: url })
  await keeper.connect()
  keeper.on('error', () => {})
  const { rows } = await keeper.query(schema)
  const emptying = await buildEmptying(keeper)
  const pool = await createPool(url)
  /** Empties the database. Returns whether nobody else can write into it, and its tables are the same. */
  const isEmptied = async () => {
    if (pool.idleCount < pool.totalCount || pool.waitingCount > 0) return false
    const [now] = (await keeper.query(`${schema};${emptying}`)) as unknown as pg.QueryResult[]
    const { schema: found, connections } = now!.rows[0]
    return found === rows[0].schema && Number(connections) <= pool.totalCount + 1
  }
  let uses = 0
  const kept: KeptPostgres = {
    url,
    open: () =>
      openPool({
        connect: () => pool.connect(),
        end: async () => {},
        options: pool.options,
        get totalCount() {
          return pool.totalCount
        },
        get waitingCount() {
          return pool.waitingCount
        },
      }),
    async giveBack() {
      if (++uses < MAX_USES && (await isEmptied().catch(() => false))) return void free.push(kept)
      // Ends the connections that wait for a lock, which `pool.end` would wait for.
      await dropDatabase(url)
      await Promise.allSettled([pool.end(), keeper.end()])
    },
  }
  return kept
}

/** Changes with each column, index, rule, trigger, function and statistics. */
const schema = `select concat_ws(' ', ${[
  'pg_attribute where attrelid >= 16384',
  'pg_constraint where oid >= 16384',
  'pg_index where indexrelid >= 16384',
  'pg_trigger where oid >= 16384',
  'pg_proc where oid >= 16384',
  'pg_statistic where starelid >= 16384',
].map((rows) => `(select md5(string_agg(concat(xmin, ctid), '' order by ctid)) from ${rows})`)}) as schema,
  (select count(*) from pg_stat_activity where datname = current_database()) as connections`

/** Returns the SQL that deletes all rows but those of the template, and sets the sequences back. */
async function buildEmptying(client: pg.Client) {
  const list = async (text: string) => (await client.query(text)).rows
  const tables = await list(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const sequences = await list(`select quote_literal(quote_ident(sequencename)) as name,
    coalesce(last_value, start_value) as value, last_value is not null as is_called
    from pg_sequences where schemaname = 'public'`)
  const deleted = tables.map(({ name }) => `delete from ${name}`)
  const inserted: string[] = []
  for (const { name } of tables) {
    const [{ rows }] = await list(`select json_agg(t) as rows from ${name} t`)
    if (!rows) continue
    const json = pg.escapeLiteral(JSON.stringify(rows))
    inserted.push(`insert into ${name} overriding system value
      select * from json_populate_recordset(null::${name}, ${json})`)
  }
  const set = sequences.map(({ name, value, is_called }) => `setval(${name}, ${value}, ${is_called})`)
  return [
    'begin',
    `set local lock_timeout = '2s'`,
    // Keeps foreign keys from being checked and from cascading, so that the order of the tables is free.
    `set local session_replication_role = replica`,
    ...deleted,
    ...inserted,
    `select ${set}`,
    'commit',
  ].join(';')
}
