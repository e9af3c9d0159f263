import { scalingModelCpuCosts } from './scaling-assumptions.ts'
import { findShardsOfSimulatedQuery } from './scaling-keys.ts'
import type { ScalingDesign, ScalingOperation } from './scaling-paths.ts'
import type { ScalingRandomIdSampler } from './scaling-sampler.ts'

/** The work of one request on the database. */
export interface ShardLoadOfScalingOperation {
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
export function computeShardLoadOfScalingOperation(
  path: ScalingOperation,
  sample: ScalingRandomIdSampler,
  design: ScalingDesign,
): ShardLoadOfScalingOperation {
  const asked = new Set<number>()
  const changed = new Set<number>()
  const cost = new Map<number, number>()
  let costOnOneNode = 0
  for (const { table, column, ids, rows, scanned = 0, written = 0, ...statement } of path.statements(
    sample,
    design,
  )) {
    const shards = findShardsOfSimulatedQuery(table, column, ids)
    const divided =
      ids.length * scalingModelCpuCosts.row +
      written * scalingModelCpuCosts.write +
      scanned * scalingModelCpuCosts.scannedName
    costOnOneNode += scalingModelCpuCosts.statement + rows * scalingModelCpuCosts.row + divided
    for (const shard of shards) {
      asked.add(shard)
      if (statement.isWrite) changed.add(shard)
      const onShard =
        scalingModelCpuCosts.statement + rows * scalingModelCpuCosts.row + divided / shards.length
      cost.set(shard, (cost.get(shard) ?? 0) + onShard)
    }
  }
  return { asked, changed, cost, costOnOneNode }
}
