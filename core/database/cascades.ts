import { sql } from 'kysely'
import type { Db, SqlWriteVerb } from '#core/database/database.ts'
import { ANY } from '#core/database/statement-changes.ts'

/** The changes that PostgreSQL makes by itself after a statement has changed a table. */
export interface FindCascades {
  /**
   * Returns these changes together with those that foreign keys cause. Adds ANY if the tables
   * have rules, or triggers other than those of the search index, whose tables no cache reads.
   */
  addTo(changes: Iterable<string>): ReadonlySet<string>
  /** Whether the tables have triggers, rules or partitions, which may change any table. */
  hasUnknownChanges: boolean
  /** Whether PostgreSQL names the tables that a statement writes. Some compatible databases do not. */
  canExplain: boolean
}

/**
 * A foreign key whose action changes rows of `child` after a change of `parent`. The letters are those of
 * pg_constraint: `c` cascade, `n` set null, `d` set default.
 */
interface ForeignKey {
  parent: string
  child: string
  on_delete: string
  on_update: string
}

export async function createCascadeFinder(db: Db): Promise<FindCascades> {
  const inSchema = sql`(select oid from pg_namespace where nspname = current_schema())`
  const { rows } = await sql<ForeignKey>`
    select parent.relname as parent, child.relname as child,
      confdeltype::text as on_delete, confupdtype::text as on_update
    from pg_constraint
      join pg_class parent on parent.oid = confrelid join pg_class child on child.oid = conrelid
    where contype = 'f' and parent.relnamespace = ${inSchema}`.execute(db)
  const { rows: others } = await sql<{ found: boolean }>`
    select exists (select 1 from pg_trigger join pg_class on pg_class.oid = tgrelid
        where not tgisinternal and tgname not like 'search\\_%' and relnamespace = ${inSchema})
      or exists (select 1 from pg_rewrite join pg_class on pg_class.oid = ev_class
        where rulename <> '_RETURN' and relnamespace = ${inSchema})
      or exists (select 1 from pg_inherits join pg_class on pg_class.oid = inhparent
        where relnamespace = ${inSchema}) as found`.execute(db)
  const next = toNextChanges(rows)
  const hasUnknownChanges = others[0]!.found
  return {
    addTo: (changes) => addReachable(hasUnknownChanges ? [...changes, ANY] : changes, next),
    hasUnknownChanges,
    canExplain: await canExplainWrites(db),
  }
}

/** Lists for each change, such as `delete from users`, the changes that foreign keys make next. */
function toNextChanges(keys: readonly ForeignKey[]) {
  const next = new Map<string, string[]>()
  const add = (from: string, verb: SqlWriteVerb, child: string) => {
    const list = next.get(from) ?? []
    next.set(from, list)
    list.push(child, `${verb} ${child}`)
  }
  for (const { parent, child, on_delete, on_update } of keys) {
    if (on_delete === 'c') add(`delete from ${parent}`, 'delete from', child)
    else if (on_delete === 'n' || on_delete === 'd') add(`delete from ${parent}`, 'update', child)
    if (['c', 'n', 'd'].includes(on_update)) add(`update ${parent}`, 'update', child)
  }
  return next
}

function addReachable(changes: Iterable<string>, next: ReadonlyMap<string, readonly string[]>) {
  const all = new Set(changes)
  // The outer loop also visits the changes that are added to the set while it runs.
  for (const change of all) for (const one of next.get(change) ?? []) all.add(one)
  return all
}

/**
 * Returns whether PostgreSQL's plan of a statement names the table that the statement writes. Asks only for
 * the plan, and does not run the statement.
 */
async function canExplainWrites(db: Db) {
  const plan = sql<object>`explain (format json) delete from named_locks where name = ''`
  try {
    return JSON.stringify((await plan.execute(db)).rows).includes('"Relation Name":"named_locks"')
  } catch {
    return false
  }
}
