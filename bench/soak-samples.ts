import { readdirSync } from 'node:fs'
import type { BenchServer } from './processes.ts'

const MB = 2 ** 20

/** The token with which the soak test reads the metrics of its servers. */
export const METRICS_TOKEN = 'the token of the soak'

/**
 * One sample of a server process: its memory in MB and its number of open files, at a time in hours since the
 * start of the soak test.
 */
export interface ServerMemoryAndFilesSample {
  hours: number
  resident: number
  heap: number
  files: number
}

/**
 * Takes a sample of a server process: reads its metrics, and counts its open files (NaN if the system has no
 * /proc).
 */
export async function readMemoryAndOpenFilesOfServer(
  { url, pid }: BenchServer,
  hours: number,
): Promise<ServerMemoryAndFilesSample> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  const text = await answer.text()
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1])
  return {
    hours,
    resident: read('process_resident_memory_bytes') / MB,
    heap: read('nodejs_heap_size_used_bytes') / MB,
    files: countOpenFiles(pid),
  }
}

function countOpenFiles(pid: number) {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return Number.NaN
  }
}

/** Returns the slope of the straight line that fits the points best (least squares). */
export function computeLeastSquaresSlope(points: readonly (readonly [x: number, y: number])[]) {
  const mean = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / points.length
  const [meanX, meanY] = [mean(0), mean(1)]
  let products = 0
  let squares = 0
  for (const [x, y] of points) {
    products += (x - meanX) * (y - meanY)
    squares += (x - meanX) ** 2
  }
  return products / squares
}
