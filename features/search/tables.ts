import type { Dialect, Migrations } from '#core/database/database.ts'
import { type Kind, kinds, sources, watched } from './sources.ts'

// All these tables can be built again from the texts, so backups leave them out (core/backup/schema.ts).

interface IndexTable {
  id: number
  /** PostgreSQL only: words of sources.ts, and a tsvector. */
  author: string
  place: string
  tokens: string
}

export interface SearchTables {
  /** What has changed and is not in the index yet: a trigger adds rows, and the end of the transaction removes them. */
  search_marks: {
    kind: Kind
    id: number
    /** The table that changed. */
    part: string
    /** 1: the post, reply or message is new, so that what has no mark of its own is empty. */
    is_new: number
    /** The id of the transaction on PostgreSQL, else 0. */
    tx: number
  }
  search_states: {
    kind: Kind
    /** All above this id are in the index; null before the first look at them. */
    above: number | null
    /** Since when the tables may hold words that nobody has written any more, or `purging`. SQLite only. */
    stale_since: string | null
    recent_stale_since: string | null
  }
  search_posts: IndexTable
  search_replies: IndexTable
  search_messages: IndexTable
}
declare module '#core/database/database.ts' {
  interface DatabaseTables extends SearchTables {}
}

/** Each row marks its post, reply or message. */
function trigger({ name }: Dialect, kind: Kind, table: string, id: string, columns: readonly string[]) {
  const isOwn = table === sources[kind].table
  const base = `search_${kind}_${table}`
  const mark = (row: string, isNew: boolean) => {
    const value = id.replaceAll('ROW', row)
    const tx = name === 'postgres' ? 'pg_current_xact_id()::text::bigint' : '0'
    return `insert into search_marks (kind, id, part, is_new, tx)
      select '${kind}', ${value}, '${table}', ${isNew ? 1 : 0}, ${tx} where ${value} is not null`
  }
  const events = [
    ['insert', 'new', 'insert'],
    ['delete', 'old', 'delete'],
    ...(columns.length ? [['update', 'new', `update of ${columns.join(', ')}`]] : []),
  ] as const
  return events.flatMap(([verb, row, event]) =>
    name === 'postgres'
      ? [
          `create or replace function ${base}_${verb}() returns trigger language plpgsql
            as $$ begin ${mark(row, isOwn && verb === 'insert')}; return null; end $$`,
          `create trigger ${base}_${verb} after ${event} on ${table}
            for each row execute function ${base}_${verb}()`,
        ]
      : [
          `create trigger ${base}_${verb} after ${event} on ${table} begin ${mark(row, isOwn && verb === 'insert')}; end`,
        ],
  )
}

export const searchMigrations: Migrations = {
  'search 1': (dialect) => {
    const isPostgres = dialect.name === 'postgres'
    return [
      `create table search_marks (
        kind text not null, id bigint not null, part text not null, is_new integer not null, tx bigint not null)`,
      'create index search_marks_tx on search_marks (tx)',
      `create table search_states (
        kind text primary key, above bigint, stale_since text, recent_stale_since text)`,
      `insert into search_states (kind) values ${kinds.map((kind) => `('${kind}')`).join(', ')}`,
      ...kinds.flatMap((kind) =>
        isPostgres
          ? [
              `create table ${tables[kind]} (
                id bigint primary key, author text not null, place text not null, tokens tsvector not null)`,
              `create index ${tables[kind]}_tokens on ${tables[kind]} using gin (tokens)`,
            ]
          : [
              ...[tables[kind], recent(kind)].map(
                (table) =>
                  `create virtual table ${table} using fts5 (words, names, content='', contentless_delete=1,
                    prefix='1 3', tokenize="ascii tokenchars '_'")`,
              ),
              // Each commit writes a part of its own. FTS5 merges parts while somebody waits, so it does it rarely.
              `insert into ${recent(kind)} (${recent(kind)}, rank) values ('automerge', 16)`,
            ],
      ),
      ...watched.flatMap(({ kind, table, id, columns }) => trigger(dialect, kind, table, id, columns)),
    ]
  },
}

export const tables = {
  post: 'search_posts',
  reply: 'search_replies',
  message: 'search_messages',
} as const satisfies Record<Kind, string>

/**
 * SQLite only: the index of the newest texts, into which all changes go. It is small, because its words are
 * rewritten whenever one of its texts is deleted or edited (upkeep.ts).
 */
export const recent = (kind: Kind) => `${tables[kind]}_recent` as const

const writes = /\b(insert\s+into|update|delete\s+from)\s+"?(\w+)"?/gi
/** Their rows take texts with them, by foreign keys. */
const owners = ['users', 'conversations']

/** Whether a statement may change what is found. */
export const concerns = (text: string) =>
  Array.from(text.matchAll(writes)).some(([, verb, table]) =>
    /^update/i.test(verb!)
      ? watched.some((one) => one.table === table && one.columns.some((column) => text.includes(column)))
      : watched.some((one) => one.table === table) || (/^delete/i.test(verb!) && owners.includes(table!)),
  )
