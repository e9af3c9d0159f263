import { scalingModelCpuCosts } from './scaling-assumptions.ts'
import { findShardsOfSimulatedQuery } from './scaling-keys.ts'
import type { ScalingDesignName, ScalingModelRequestKind } from './scaling-paths.ts'
import type { ScalingRandomIdFunctions } from './scaling-sampler.ts'

/** The work of one request on the shards of the database, in the scaling model. */
export interface ShardLoadOfScalingOperation {
  /** The numbers of the shards that the request reads or changes. */
  asked: ReadonlySet<number>
  /** The numbers of the shards that the transaction of the request changes. */
  changed: ReadonlySet<number>
  /** The processor time of the database in µs, by the number of the shard. */
  cost: ReadonlyMap<number, number>
  /** The processor time of the database in µs if one PostgreSQL had all rows. */
  costOnOneNode: number
}

/**
 * Returns the work of one request on each shard. The shard keys of the tables decide which shards each of its
 * statements asks.
 */
export function computeShardLoadOfScalingOperation(
  path: ScalingModelRequestKind,
  sample: ScalingRandomIdFunctions,
  design: ScalingDesignName,
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
