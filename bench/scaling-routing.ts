import { costs } from './scaling-assumptions.ts'
import { routeQuery } from './scaling-keys.ts'
import type { ScalingDesign, ScalingPath } from './scaling-paths.ts'
import type { PathSampler } from './scaling-sampler.ts'

/** The work of one request on the database. */
export interface RoutedPath {
  /** The shards that the request asks or changes. */
  asked: ReadonlySet<number>
  /** The shards that its transaction changes. */
  changed: ReadonlySet<number>
  /** µs of a core of the database, by shard. */
  cost: ReadonlyMap<number, number>
  /** µs of a core if one PostgreSQL had all rows. */
  costOnOneNode: number
}

/** Routes the statements of one request by the keys of the tables. */
export function routePath(path: ScalingPath, sample: PathSampler, design: ScalingDesign): RoutedPath {
  const asked = new Set<number>()
  const changed = new Set<number>()
  const cost = new Map<number, number>()
  let costOnOneNode = 0
  for (const { table, column, ids, rows, scanned = 0, written = 0, ...statement } of path.statements(
    sample,
    design,
  )) {
    const shards = routeQuery(table, column, ids)
    const divided = ids.length * costs.row + written * costs.write + scanned * costs.scannedName
    costOnOneNode += costs.statement + rows * costs.row + divided
    for (const shard of shards) {
      asked.add(shard)
      if (statement.isWrite) changed.add(shard)
      const onShard = costs.statement + rows * costs.row + divided / shards.length
      cost.set(shard, (cost.get(shard) ?? 0) + onShard)
    }
  }
  return { asked, changed, cost, costOnOneNode }
}
