import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import { httpErrors } from '#core/http/errors.ts'
import { type DiskConfig, judgeFreeSpace, readFreeSpace } from './free-space.ts'

const MB = 1e6
/** The time in ms between two looks at the disk. */
const INTERVAL = 2000
/** The reserve is this part of MIN_FREE_MB. */
const RESERVE_PART = 1 / 16

export type Disk = ReturnType<typeof watchDisk>

/**
 * Keeps the last of the disk of DATA_DIR for texts, log-ins and the work of admins. Uploads and archives are
 * refused below 5 % or MIN_FREE_MB. If other programs fill the disk nevertheless, the file
 * `reserve` is deleted, so that the database can go on; it is written again once there is room. With
 * MIN_FREE_MB=0 nothing is kept.
 */
export function watchDisk(config: DiskConfig, log: FastifyBaseLogger) {
  const { DATA_DIR, MIN_FREE_MB } = config
  const path = join(DATA_DIR, 'reserve')
  const bytes = Math.floor(MIN_FREE_MB * MB * RESERVE_PART)

  async function look() {
    const { free, total } = await readFreeSpace(config)
    if (existsSync(path)) {
      if (free >= bytes / 2) return
      await rm(path, { force: true })
      log.error(
        { free },
        'The disk of DATA_DIR is full: the reserve was released, so that members can still write',
      )
    } else if (judgeFreeSpace({ free: free - bytes, total }, config).level !== 'none')
      await writeReserve(path, bytes)
  }

  let looking = Promise.resolve()
  const lookNow = () => {
    looking = looking
      .then(look)
      .catch((error: unknown) => log.warn({ err: error }, 'The disk cannot be read'))
    return looking
  }
  if (!MIN_FREE_MB) return { requireRoom: async () => {}, start: () => {}, close: async () => {} }
  let timer: NodeJS.Timeout | undefined
  return {
    /** Throws 507 if nothing large may be written. */
    async requireRoom() {
      const { level } = await readFreeSpace(config)
      if (level === 'none') throw httpErrors.noRoom()
    },
    start() {
      // Does not wait: to write the reserve takes seconds on a slow disk.
      void lookNow()
      timer = setInterval(lookNow, INTERVAL).unref()
    },
    async close() {
      clearInterval(timer)
      await looking
    },
  }
}

/** Writes `bytes` random bytes, which no file system stores in less space. If it fails, it leaves no file. */
async function writeReserve(path: string, bytes: number) {
  const file = await open(path, 'w', 0o600)
  try {
    const chunk = randomBytes(Math.min(bytes, MB))
    for (let left = bytes; left > 0; left -= chunk.length)
      await file.write(chunk, 0, Math.min(left, chunk.length))
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}
