import { statfs } from 'node:fs/promises'
import type { Config } from '#core/config.ts'

const MB = 1e6

export type DiskConfig = Pick<Config, 'DATA_DIR' | 'MIN_FREE_MB'>

export interface FreeSpace {
  /** The bytes that the server may still write to the disk. */
  free: number
  /** The bytes of the whole disk. */
  total: number
  /**
   * `low`: the operator should be warned. `none`: what is left is for the database, so nothing large may be
   * written.
   */
  level: 'enough' | 'low' | 'none'
}

/**
 * Judges how much of a disk is free. `none` is below 5 % of it or MIN_FREE_MB, `low` below the double.
 */
export function judgeFreeSpace(
  { free, total }: Pick<FreeSpace, 'free' | 'total'>,
  { MIN_FREE_MB }: Pick<Config, 'MIN_FREE_MB'>,
): FreeSpace {
  const least = MIN_FREE_MB * MB
  const isBelow = (part: number, bytes: number) => free < Math.max(total * part, bytes)
  const level = isBelow(0.05, least) ? 'none' : isBelow(0.1, 2 * least) ? 'low' : 'enough'
  return { free, total, level }
}

/** Reads how much space is free on the disk of DATA_DIR. Throws the error of the system. */
export async function readFreeSpace(config: DiskConfig): Promise<FreeSpace> {
  const { bavail, bsize, blocks } = await statfs(config.DATA_DIR)
  return judgeFreeSpace({ free: bavail * bsize, total: blocks * bsize }, config)
}
