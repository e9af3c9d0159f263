import {
  type AbortableOperationOptions,
  CompiledQuery,
  type DatabaseConnection,
  type OperationNode,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import type { SqlWriteVerb } from '#core/database/database.ts'

/**
 * The name of the change that stands for a change of any table. It empties all caches, whatever they depend
 * on.
 */
export const ANY = '*'

const allVerbs: readonly SqlWriteVerb[] = ['insert into', 'update', 'delete from']

/**
 * The names of the changes that a statement makes: `likes`, and `insert into likes`. Empty if it only reads.
 */
type StatementChanges = readonly string[]

const toChanges = (table: string, verbs: readonly SqlWriteVerb[]): StatementChanges => [
  table,
  ...verbs.map((verb) => `${verb} ${table}`),
]

/**
 * A function that returns the changes that a statement will make. `connection` is that of the statement's
 * transaction.
 */
export type FindChanges = (
  query: CompiledQuery,
  connection: DatabaseConnection,
) => StatementChanges | Promise<StatementChanges>

/** Statements whose changes are cached. */
const MAX_CACHED = 1000

const canBeExplained = (text: string) =>
  /^\s*(select|with|values|insert|update|delete|merge)\b/i.test(text) && !text.includes(';')
/** Returns whether a statement may write. The locks `for update` and `for no key update` write nothing. */
const hasWritingWord = (text: string) =>
  /\b(insert|update|delete|merge|into)\b/i.test(text.replace(/\bfor (no key )?update\b/gi, ''))

/**
 * Creates the function that finds the changes of a statement on PostgreSQL, without cascades. If the query
 * builder made the statement, the function looks at its nodes. For raw SQL that may write, it asks PostgreSQL
 * for the plan, once for each text, because only PostgreSQL reads SQL without mistakes. If the changes cannot
 * be found, or `canExplain` is false, the statement counts as ANY.
 */
export function createChangesFinder(canExplain: boolean): FindChanges {
  const known = new LRUCache<string, StatementChanges>({ max: MAX_CACHED })

  async function explain({ sql, parameters }: CompiledQuery, connection: DatabaseConnection) {
    const query = CompiledQuery.raw(`explain (format json) ${sql}`, [...parameters])
    const { rows } = await connection.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(query)
    return listPlanChanges(rows[0]!['QUERY PLAN'][0].Plan)
  }

  async function find(query: CompiledQuery, connection: DatabaseConnection) {
    if (!canBeExplained(query.sql)) return [ANY]
    if (!hasWritingWord(query.sql)) return []
    return listNodeChanges(query.query) ?? (canExplain ? explain(query, connection) : [ANY])
  }

  return (query, connection) => {
    const found = known.get(query.sql)
    if (found) return found
    return find(query, connection).then((changes) => {
      known.set(query.sql, changes)
      return changes
    })
  }
}

interface RecordingConnection {
  connection: DatabaseConnection
  /**
   * Resolves when all statements have been sent to the database. Returns undefined if none waits to be sent.
   */
  sent(): Promise<unknown> | undefined
}

/**
 * Wraps a connection so that it adds the changes of each statement to `changes`, and then sends the
 * statement. The statements leave in the order of the calls, even if finding the changes of an earlier one
 * takes longer.
 */
export function recordingConnection(
  connection: DatabaseConnection,
  changes: Set<string>,
  findChanges: FindChanges,
): RecordingConnection {
  let last: Promise<unknown> | undefined

  /**
   * Calls `send` in its turn, after the statements before, and returns its result inside an object, so that
   * the next statement does not wait for the answer to this one.
   */
  function inOrder<T>(query: CompiledQuery, send: () => T): { result: T } | Promise<{ result: T }> {
    const add = (found: StatementChanges) => {
      for (const change of found) changes.add(change)
    }
    const found = last ? last.then(() => findChanges(query, connection)) : findChanges(query, connection)
    if (!(found instanceof Promise)) {
      add(found)
      return { result: send() }
    }
    const sending = found.then((all) => {
      add(all)
      return { result: send() }
    })
    const own: Promise<unknown> = sending.then(forget, forget)
    function forget() {
      if (last === own) last = undefined
    }
    last = own
    return sending
  }

  const recording: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery, options?: AbortableOperationOptions) {
      const sent = inOrder(query, () => connection.executeQuery<R>(query, options))
      return (sent instanceof Promise ? await sent : sent).result
    },
    async *streamQuery<R>(query: CompiledQuery, chunkSize: number, options?: AbortableOperationOptions) {
      const send = () => connection.streamQuery<R>(query, chunkSize, options)
      yield* (await inOrder(query, send)).result
    },
  }

  return { sent: () => last, connection: recording }
}

// ── Statements of the query builder ─────────────────────────────────────────

/** Returns the changes that these nodes of a statement make; null if they contain raw SQL that may write. */
function listNodeChanges(root: OperationNode): StatementChanges | null {
  const changes = new Set<string>()
  let isKnown = true
  const add = (tables: readonly unknown[], verbs: readonly SqlWriteVerb[]) => {
    const names = tables.map(findTableName)
    if (!names.length || names.includes(null)) isKnown = false
    for (const name of names) if (name) for (const change of toChanges(name, verbs)) changes.add(change)
  }
  forEachNode(root, (node) => {
    if (node.kind === 'InsertQueryNode') add([node.into], listInsertVerbs(node))
    else if (node.kind === 'UpdateQueryNode') add([node.table], ['update'])
    else if (node.kind === 'DeleteQueryNode') add((node.from as { froms: unknown[] }).froms, ['delete from'])
    else if (node.kind === 'MergeQueryNode') add([node.into], allVerbs)
    else if (node.kind === 'RawNode' && (node.sqlFragments as string[]).some(hasWritingWord)) isKnown = false
  })
  return isKnown ? [...changes] : null
}

type AnyNode = Readonly<Record<string, unknown>> & { readonly kind: string }

function listInsertVerbs({
  onConflict,
  onDuplicateKey,
  orAction,
  replace,
}: AnyNode): readonly SqlWriteVerb[] {
  if (onDuplicateKey || orAction || replace) return allVerbs
  return (onConflict as AnyNode | undefined)?.updates ? ['insert into', 'update'] : ['insert into']
}

/** Returns the name of the table that a node names, with or without an alias; null for any other node. */
function findTableName(given: unknown): string | null {
  const node = given as AnyNode | undefined
  if (node?.kind === 'AliasNode') return findTableName(node.node)
  if (node?.kind !== 'TableNode') return null
  return (node.table as { identifier: { name: string } }).identifier.name
}

/** Calls `visit` for a node and all nodes in it, except values, which may be large. */
function forEachNode(value: unknown, visit: (node: AnyNode) => void): void {
  if (Array.isArray(value)) for (const one of value) forEachNode(one, visit)
  if (typeof value !== 'object' || value === null || !('kind' in value)) return
  if (value.kind === 'ValueNode' || value.kind === 'PrimitiveValueListNode') return
  visit(value as AnyNode)
  for (const one of Object.values(value)) forEachNode(one, visit)
}

// ── Plans of PostgreSQL ─────────────────────────────────────────────────────

interface PlanNode {
  'Node Type': string
  Operation?: string
  'Relation Name'?: string
  'Conflict Resolution'?: string
  Plans?: readonly PlanNode[]
}

function listPlanChanges(plan: PlanNode): StatementChanges {
  const inside = (plan.Plans ?? []).flatMap(listPlanChanges)
  if (plan['Node Type'] !== 'ModifyTable') return inside
  const table = plan['Relation Name']
  return [...inside, ...(table ? toChanges(table, listPlanVerbs(plan)) : [ANY])]
}

function listPlanVerbs(plan: PlanNode): readonly SqlWriteVerb[] {
  if (plan.Operation === 'Update') return ['update']
  if (plan.Operation === 'Delete') return ['delete from']
  if (plan.Operation !== 'Insert') return allVerbs
  return plan['Conflict Resolution'] === 'UPDATE' ? ['insert into', 'update'] : ['insert into']
}
