import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { type Db, isPostgres } from '#core/database/database.ts'
import { openPostgres } from '#core/database/postgres.ts'
import { openSqlite } from '#core/database/sqlite.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Copy } from './copies.ts'
import { distinctNumbers, pickSkewed, seededRandom } from './random.ts'
import { vocabulary, writer } from './search-texts.ts'

const MEMBERS = 1000
const GROUPS = 200
/** Of the searcher who sees nearly everything. */
const CHATS = 300
/** Of all messages, those of groups. */
const IN_GROUPS = 0.95

/** Members, and about which part of the messages they see. */
export const searchers = [
  { id: 2, sees: 1 },
  { id: 3, sees: 0.1 },
  { id: 4, sees: 0.01 },
] as const

export const sizeAt = (scale: number) => {
  const members = Math.max(30, Math.round(MEMBERS * Math.min(1, scale)))
  return {
    messages: Math.round(1_000_000 * scale),
    posts: Math.round(100_000 * scale),
    groups: Math.max(12, Math.round(GROUPS * Math.min(1, scale) ** 0.5)),
    chats: Math.min(CHATS, members - 10),
    /** Of the members, with few rows of their own. */
    community: {
      members,
      occasional: 1,
      postedOnce: 1,
      neverPosted: 1,
      posts: 10,
      likes: 10,
      messages: 10,
      follows: 10,
      notifications: 0,
    },
  }
}
export type SearchSize = ReturnType<typeof sizeAt>

interface Conversation {
  id: number
  pair: string | null
  name: string | null
  who: readonly number[]
}

const start = Date.UTC(2023, 10, 1)
const YEARS = 3 * 365 * 24 * 3600 * 1000
const timeOf = (n: number, count: number) => new Date(start + Math.floor((YEARS * n) / count)).toISOString()

/** In groups of which the first ones have most messages: see `pickSkewed`. */
const share = (group: number, groups: number) =>
  IN_GROUPS * (((group + 1) / groups) ** (1 / 3) - (group / groups) ** (1 / 3))

function* conversations(
  { groups, chats, community: { members } }: SearchSize,
  first: number,
  known: ReadonlySet<string>,
) {
  const random = seededRandom(21)
  const seen = new Map<number, number>(searchers.map(({ id }) => [id, 0]))
  let id = first
  for (let n = 0; n < groups; n++) {
    const own = searchers.filter(({ id: one, sees }) => seen.get(one)! + share(n, groups) <= sees)
    for (const one of own) seen.set(one.id, seen.get(one.id)! + share(n, groups))
    const count = Math.max(4, Math.floor(members / (n + 1)))
    const others = [...distinctNumbers(random, count, members)]
      .map((one) => one + 1)
      .filter((one) => one === 1 || one > 4)
    const who = [...own.map((one) => one.id), ...others]
    yield { id: id++, pair: null, name: `Circle ${n + 1}`, who } satisfies Conversation
  }
  for (let other = 5, left = chats; left > 0 && other <= members; other++) {
    const pair = `2.${other}`
    if (known.has(pair)) continue
    left--
    yield { id: id++, pair, name: null, who: [2, other] } satisfies Conversation
  }
}

export interface Opened {
  db: Db
  close(): Promise<void>
}
export const openCopy = async ({ folder, url }: Copy): Promise<Opened> =>
  url ? openPostgres(url, { withoutTimeouts: true }) : openSqlite(join(folder, 'engawa.db'))

type Value = string | number | null
interface Table {
  name: string
  columns: readonly string[]
  rows: Iterable<readonly Value[]>
}

/** Adds conversations, messages and posts, without any trigger. */
export async function insertTexts(copy: Copy, size: SearchSize) {
  const [last] = await copy.query('select max(id) as id from conversations')
  const pairs = (await copy.query('select id, pair from conversations where pair is not null')) as {
    id: number
    pair: string
  }[]
  const all = [...conversations(size, Number(last!.id) + 1, new Set(pairs.map(({ pair }) => pair)))]
  const groups = all.filter(({ pair }) => pair === null)
  const chats = [
    ...all.filter(({ pair }) => pair !== null),
    ...pairs.map(({ id, pair }) => ({ id: Number(id), who: pair.split('.').map(Number) })),
  ]
  const insert = copy.url ? insertPostgres : insertSqlite
  await insert(copy, [
    {
      name: 'conversations',
      columns: ['id', 'pair', 'name', 'created_by', 'created_at'],
      rows: all.map(({ id, pair, name, who }) => [id, pair, name, who[0]!, timeOf(0, 1)]),
    },
    {
      name: 'conversation_members',
      columns: ['conversation_id', 'user_id', 'added_by', 'first_received_at', 'created_at'],
      rows: all.flatMap(({ id, pair, who }) =>
        who.map((one) => [id, one, pair ? null : 1, pair ? timeOf(0, 1) : null, timeOf(0, 1)]),
      ),
    },
    {
      name: 'messages',
      columns: ['conversation_id', 'user_id', 'body', 'created_at'],
      rows: messages(size, groups, chats),
    },
    {
      name: 'posts',
      columns: ['user_id', 'audience', 'group_id', 'body', 'created_at'],
      rows: posts(size, groups),
    },
  ])
}

type Talk = Pick<Conversation, 'id' | 'who'>

function* messages({ messages: count }: SearchSize, groups: readonly Talk[], chats: readonly Talk[]) {
  const random = seededRandom(22)
  const text = writer(vocabulary(), 23, 5)
  for (let n = 0; n < count; n++) {
    const { id, who } =
      random() < IN_GROUPS
        ? groups[pickSkewed(random, groups.length)]!
        : chats[Math.floor(random() * chats.length)]!
    yield [id, who[Math.floor(random() * who.length)]!, text(), timeOf(n, count)]
  }
}

function* posts({ posts: count, community: { members } }: SearchSize, groups: readonly Talk[]) {
  const random = seededRandom(24)
  const text = writer(vocabulary(), 25, 15)
  for (let n = 0; n < count; n++) {
    const [kind, at, body] = [random(), timeOf(n, count), text()]
    const group = groups[pickSkewed(random, groups.length)]!
    const author = 1 + Math.floor(random() * members)
    if (kind < 0.15) yield [group.who[Math.floor(random() * group.who.length)]!, 'group', group.id, body, at]
    else yield [author, kind < 0.7 ? 'everyone' : kind < 0.9 ? 'members' : 'followers', null, body, at]
  }
}

async function insertSqlite({ folder }: Copy, tables: readonly Table[]) {
  const db = new DatabaseSync(join(folder, 'engawa.db'))
  db.exec(
    'pragma journal_mode = off; pragma synchronous = off; pragma foreign_keys = off; pragma cache_size = -200000',
  )
  const triggers = db.prepare(`select name, sql from sqlite_master where type = 'trigger'`).all() as {
    name: string
    sql: string
  }[]
  db.exec('begin; delete from likes; delete from posts; delete from messages')
  for (const { name } of triggers) db.exec(`drop trigger "${name}"`)
  for (const { name, columns, rows } of tables) {
    const row = db.prepare(
      `insert into ${name} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    for (const values of rows) row.run(...values)
  }
  for (const trigger of triggers) db.exec(trigger.sql)
  db.exec('commit; pragma journal_mode = wal')
  db.close()
}

const BATCH = 10_000

async function insertPostgres(copy: Copy, tables: readonly Table[]) {
  const { db, close } = await openCopy(copy)
  for (const table of ['likes', 'posts', 'messages']) await copy.query(`delete from ${table}`)
  for (const { name, columns, rows } of tables) {
    const [into, names] = [sql.raw(`${name} (${columns.join(', ')})`), sql.raw(columns.join(', '))]
    const shape = sql.raw(`null::${name}`)
    const put = (some: readonly (readonly Value[])[]) =>
      transaction(db, async (tx) => {
        const json = JSON.stringify(
          some.map((one) => Object.fromEntries(columns.map((column, n) => [column, one[n]]))),
        )
        await sql`set local session_replication_role = replica`.execute(tx)
        await sql`insert into ${into} select ${names}
          from json_populate_recordset(${shape}, ${json}::json)`.execute(tx)
      })
    const batch: (readonly Value[])[] = []
    for (const row of rows) if (batch.push(row) === BATCH) await put(batch.splice(0))
    if (batch.length) await put(batch)
  }
  await close()
  await copy.query(
    "select setval(pg_get_serial_sequence('conversations', 'id'), (select max(id) from conversations))",
  )
  await copy.query('vacuum analyze')
}

/** All rows of a query by id, in pages. */
export async function* pages<Row extends { id: number }>(db: Db, table: string, columns: string) {
  for (let after = 0; ; ) {
    const { rows } = await sql<Row>`select id, ${sql.raw(columns)} from ${sql.table(table)}
      where id > ${after} order by id limit 20000`.execute(db)
    yield* rows
    if (rows.length < 20_000) return
    after = rows.at(-1)!.id
  }
}

/** In bytes, with their indexes, and the tables of a full-text index. */
export async function sizeOf(db: Db, tables: readonly string[]) {
  const sum = tables.map((table) => `pg_total_relation_size('${table}')`).join(' + ')
  const own = tables.map(
    (table) => `name in (select name from sqlite_master where tbl_name = '${table}')
      or substr(name, 1, ${table.length + 1}) = '${table}_'`,
  )
  const { rows } = isPostgres(db)
    ? await sql<{ bytes: number }>`select ${sql.raw(sum)} as bytes`.execute(db)
    : await sql<{ bytes: number }>`select sum(pgsize) as bytes from dbstat
        where aggregate = true and (${sql.raw(own.join(' or '))})`.execute(db)
  return Number(rows[0]!.bytes)
}
