import { statfs } from 'node:fs/promises'

const GB = 1e9

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
 * Judges how much of a disk is free. `none` is below 5 % of it or `least` bytes, `low` below the double.
 */
export function judgeFreeSpace(
  { free, total }: Pick<FreeSpace, 'free' | 'total'>,
  least = 2 * GB,
): FreeSpace {
  const isBelow = (part: number, bytes: number) => free < Math.max(total * part, bytes)
  const level = isBelow(0.05, least) ? 'none' : isBelow(0.1, 2 * least) ? 'low' : 'enough'
  return { free, total, level }
}

/** Reads how much space is free on the disk of a folder. Throws the error of the system. */
export async function readFreeSpace(folder: string, least?: number): Promise<FreeSpace> {
  const { bavail, bsize, blocks } = await statfs(folder)
  return judgeFreeSpace({ free: bavail * bsize, total: blocks * bsize }, least)
}
